// Which findings a gate counts, and which a baseline accepts.
#include "analyzers/gate/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"

namespace trtlens::gate_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Finding finding_of(const std::string& rule, Severity severity,
                   const std::vector<std::string>& layers = {}) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.title = "what " + rule + " says";
  for (const std::string& layer : layers) finding.layers.emplace_back(layer);
  return finding;
}

Evidence line_of(const std::string& file, std::uint64_t line) {
  Evidence evidence;
  evidence.file = file;
  evidence.line = line;
  return evidence;
}

Analysis build_of(std::vector<Finding> findings) {
  Analysis analysis;
  analysis.build.profile_sum_ms = 10;
  analysis.findings = std::move(findings);
  return analysis;
}

GateOptions fail_on(const std::string& what, double threshold = 0) {
  GateOptions options;
  options.fail_on = what;
  options.threshold = threshold;
  return options;
}

std::vector<std::string> counted(const GateResult& gate) {
  std::vector<std::string> rules;
  for (const GateItem& item : gate.items) {
    if (item.counts) rules.push_back(item.finding->rule);
  }
  return rules;
}

std::vector<std::string> rules_of(const std::vector<GateItem>& items) {
  std::vector<std::string> rules;
  rules.reserve(items.size());
  for (const GateItem& item : items) rules.push_back(item.finding->rule);
  return rules;
}

TEST(Fingerprint, IsOfRuleKindOfPlaceAndNames) {
  const Finding finding = finding_of("r", Severity::major, {"conv1", "conv2"});
  const std::string print = fingerprint_of(finding);
  EXPECT_EQ(print, "eca0feb6c127492e");  // a promise to the files of users
  Finding other = finding;
  other.title = "0.5 ms";
  other.severity = Severity::minor;
  other.stake_ms = 3;
  other.evidence = {line_of("build.log", 12)};
  other.layers = {"conv2", "conv1"};
  EXPECT_EQ(fingerprint_of(other), print);
  EXPECT_NE(fingerprint_of(finding_of("q", Severity::major, {"conv1", "conv2"})), print);
  EXPECT_NE(fingerprint_of(finding_of("r", Severity::major, {"conv1"})), print);
  EXPECT_NE(fingerprint_of(finding_of("r", Severity::major)), print);
}

TEST(Fingerprint, OfALogIsNotThatOfTheEngineAndLinesDoNotMatter) {
  Finding said = finding_of("r", Severity::major);
  const std::string of_engine = fingerprint_of(said);
  said.evidence = {line_of("build.log", 12)};
  const std::string of_log = fingerprint_of(said);
  EXPECT_NE(of_log, of_engine);
  said.evidence = {line_of("other.log", 700), line_of("other.log", 900)};
  EXPECT_EQ(fingerprint_of(said), of_log);
}

TEST(Fingerprint, ManyLayersAreTheEngine) {
  std::vector<std::string> eight, nine, ten;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "conv" + std::to_string(i);
    if (i < 8) eight.push_back(name);
    if (i < 9) nine.push_back(name);
    ten.push_back(name);
  }
  const std::string engine = fingerprint_of(finding_of("r", Severity::major));
  EXPECT_NE(fingerprint_of(finding_of("r", Severity::major, eight)), engine);
  EXPECT_EQ(fingerprint_of(finding_of("r", Severity::major, nine)), engine);
  EXPECT_EQ(fingerprint_of(finding_of("r", Severity::major, ten)), engine);
}

TEST(Fingerprint, NamesDoNotRunIntoEachOther) {
  EXPECT_NE(fingerprint_of(finding_of("r", Severity::major, {"a", "b"})),
            fingerprint_of(finding_of("r", Severity::major, {"ab"})));
  EXPECT_NE(fingerprint_of(finding_of("rl", Severity::major, {"a"})),
            fingerprint_of(finding_of("r", Severity::major, {"la"})));
}

TEST(Gate, CountsFromTheSeverityThatItIsGiven) {
  const std::vector<Finding> findings = {
      finding_of("fatal", Severity::fatal), finding_of("major", Severity::major),
      finding_of("moderate", Severity::moderate), finding_of("minor", Severity::minor),
      finding_of("info", Severity::info)};
  std::vector<std::string> expected;
  for (const Finding& finding : findings) {
    expected.push_back(finding.rule);
    const Analysis analysis = build_of(findings);
    const GateResult gate = hold(analysis, fail_on(finding.rule), Baseline());
    EXPECT_EQ(counted(gate), expected);
    EXPECT_TRUE(gate.fails());
  }
  const Analysis analysis = build_of(findings);
  EXPECT_FALSE(hold(analysis, fail_on("none"), Baseline()).fails());
  const Analysis mild = build_of({finding_of("minor", Severity::minor)});
  EXPECT_FALSE(hold(mild, fail_on("moderate"), Baseline()).fails());
}

TEST(Gate, ThresholdIsAShareOfProfileTimeWhereTheStakeIsKnown) {
  Finding below = finding_of("below", Severity::major);
  below.stake_ms = 1.9;
  Finding at = finding_of("at", Severity::major);
  at.stake_ms = 2;
  const Analysis analysis = build_of({below, at, finding_of("unknown", Severity::major)});
  EXPECT_THAT(counted(hold(analysis, fail_on("major", 0.2), Baseline())),
              ElementsAre("at", "unknown"));
}

TEST(Gate, WhatTheBaselineAcceptsStandsApart) {
  const Finding known = finding_of("known", Severity::fatal, {"conv1"});
  const Finding news = finding_of("known", Severity::fatal, {"conv2"});
  Baseline baseline;
  baseline.entries = {{fingerprint_of(known), "known", "as it was", 4},
                      {"0123456789abcdef", "gone", "no more", 5}};
  const Analysis analysis = build_of({known, news});
  const GateResult gate = hold(analysis, fail_on("info"), baseline);
  EXPECT_THAT(rules_of(gate.accepted), ElementsAre("known"));
  EXPECT_EQ(gate.accepted[0].finding->layers[0], "conv1");
  EXPECT_FALSE(gate.accepted[0].counts);
  EXPECT_EQ(gate.accepted[0].finding, &analysis.findings.at(0));
  ASSERT_EQ(gate.items.size(), 1U);
  EXPECT_EQ(gate.items[0].finding, &analysis.findings.at(1));
  EXPECT_THAT(reported_findings(analysis, &gate), ElementsAre(&analysis.findings.at(1)));
  EXPECT_THAT(reported_findings(analysis, nullptr), SizeIs(2));
  ASSERT_EQ(gate.gone.size(), 1U);
  EXPECT_EQ(gate.gone[0].rule, "gone");
  EXPECT_TRUE(gate.fails());
  const Analysis all_known = build_of({known});
  EXPECT_FALSE(hold(all_known, fail_on("info"), baseline).fails());
}

// conv1 of 1 ms became slower, conv2 of 3 ms did not.
Comparison comparison_of(Verdict engine, double conv1_ms) {
  Comparison c;
  for (Analysis* side : {&c.base, &c.candidate}) {
    for (const char* name : {"reformat", "conv1", "conv2"}) {
      Layer layer;
      layer.name = std::string(name);
      side->build.layers.push_back(layer);
      LayerVerdict verdict;
      const bool moves = std::string(name) == "reformat";
      verdict.role = moves ? LayerRole::reformat : LayerRole::convolution;
      side->verdicts.push_back(verdict);
    }
    side->build.profile_sum_ms = 4;
  }
  c.engine.verdict = engine;
  c.engine.base_ms = 4;
  c.engine.candidate_ms = 4 + conv1_ms - 1;
  c.engine.ratio = *c.engine.candidate_ms / 4;
  LayerGroup first;
  first.base = {0, 1};
  first.candidate = {0, 1};
  first.base_ms = 1;
  first.candidate_ms = conv1_ms;
  first.delta_ms = conv1_ms - 1;
  first.verdict = conv1_ms > 1 ? Verdict::regressed : Verdict::no_change;
  first.why = {{LayerReason::About::precision, "precision changed", ""}};
  LayerGroup second;
  second.base = second.candidate = {2};
  second.base_ms = second.candidate_ms = 3;
  second.verdict = Verdict::no_change;
  c.groups = {first, second};
  c.findings = {finding_of("new", Severity::moderate)};
  return c;
}

TEST(GateOfComparison, CountsTheEngineForARegression) {
  Comparison slower = comparison_of(Verdict::regressed, 1.5);
  const GateResult gate = hold(slower, fail_on("regression"), Baseline());
  EXPECT_THAT(rules_of(gate.items), ElementsAre(kEngineRegressed, kLayersRegressed, "new"));
  EXPECT_THAT(counted(gate), ElementsAre(kEngineRegressed));
  EXPECT_EQ(gate.items[0].finding->title, "The engine regressed by 12 %");
  EXPECT_EQ(gate.items[0].finding->evidence.at(0).value, 4);
  EXPECT_EQ(gate.items[0].finding->evidence.at(1).value, 4.5);
  EXPECT_EQ(gate.items[1].finding->title, "conv1 regressed by 50 %");
  EXPECT_EQ(gate.items[1].finding->evidence.at(0).value, 1);
  EXPECT_EQ(gate.items[1].finding->evidence.at(1).value, 1.5);
  EXPECT_EQ(gate.items[1].finding->severity, Severity::major);  // 0.5 ms of 4 ms
  Comparison same = comparison_of(Verdict::no_change, 1);
  EXPECT_THAT(rules_of(hold(same, fail_on("regression"), Baseline()).items), ElementsAre("new"));
}

TEST(GateOfComparison, CannotTellIsARegressionOnlyWhenAskedFor) {
  Comparison unsure = comparison_of(Verdict::cannot_tell, 1);
  EXPECT_THAT(counted(hold(unsure, fail_on("regression"), Baseline())), IsEmpty());
  Comparison again = comparison_of(Verdict::cannot_tell, 1);
  EXPECT_THAT(counted(hold(again, fail_on("cannot-tell"), Baseline())),
              ElementsAre(kEngineCannotTell));
  Comparison slower = comparison_of(Verdict::regressed, 1.5);
  EXPECT_THAT(counted(hold(slower, fail_on("cannot-tell"), Baseline())),
              ElementsAre(kEngineRegressed));
}

TEST(GateOfComparison, ASeverityLooksAtAllOfThem) {
  Comparison slower = comparison_of(Verdict::regressed, 1.06);
  EXPECT_THAT(counted(hold(slower, fail_on("major"), Baseline())), ElementsAre(kEngineRegressed));
  Comparison again = comparison_of(Verdict::regressed, 1.06);  // 1.5 % of the profile: minor
  EXPECT_THAT(counted(hold(again, fail_on("minor"), Baseline())),
              ElementsAre(kEngineRegressed, kLayersRegressed, "new"));
}

TEST(GateOfComparison, ThresholdIsAShiftOfTheEngineOrTheGroup) {
  Comparison slower = comparison_of(Verdict::regressed, 1.5);  // 12.5 % and 50 %
  EXPECT_THAT(counted(hold(slower, fail_on("info", 0.2), Baseline())),
              ElementsAre(kLayersRegressed, "new"));
  Comparison again = comparison_of(Verdict::regressed, 1.5);
  EXPECT_THAT(counted(hold(again, fail_on("info", 0.6), Baseline())), ElementsAre("new"));
}

TEST(GateOfComparison, AcceptsAndIgnoresRegressions) {
  Comparison slower = comparison_of(Verdict::regressed, 1.5);
  const GateResult gate = hold(slower, fail_on("info"), Baseline());
  Baseline baseline;
  for (const GateItem& item : gate.items) {
    baseline.entries.push_back({item.fingerprint, item.finding->rule, "", 2});
  }
  // By another time, of another group of reformats around the same convolution.
  Comparison again = comparison_of(Verdict::regressed, 1.9);
  again.groups[0].base = {1};
  const GateResult accepted = hold(again, fail_on("info"), baseline);
  EXPECT_THAT(accepted.items, IsEmpty());
  EXPECT_THAT(rules_of(accepted.accepted), ElementsAre(kEngineRegressed, kLayersRegressed, "new"));
  EXPECT_THAT(accepted.gone, IsEmpty());
  EXPECT_THAT(reported_findings(again, &accepted), IsEmpty());
  GateOptions options = fail_on("info");
  options.ignore = {kEngineRegressed, "layers-regressed:^conv1$"};
  Comparison third = comparison_of(Verdict::regressed, 1.5);
  EXPECT_THAT(rules_of(hold(third, options, Baseline()).items), ElementsAre("new"));
  options.ignore = {"layers-regressed:^conv2$"};
  Comparison fourth = comparison_of(Verdict::regressed, 1.5);
  EXPECT_THAT(rules_of(hold(fourth, options, Baseline()).items),
              ElementsAre(kEngineRegressed, kLayersRegressed, "new"));
}

// A gate is about the log, also about the runs in it that are no builds.
TEST(GateOfABuild, AnotherRunOfItsLogThatFailedCounts) {
  Reading reading;
  reading.inputs.resize(2);
  reading.inputs[0].path = "all.log";
  const auto add = [&](Outcome outcome, std::uint32_t file, std::uint64_t line) {
    trtlens::Run run;
    run.n = ++reading.run_count;
    run.outcome = outcome;
    run.file = file;
    run.first_line = line;
    reading.runs.push_back(run);
  };
  add(Outcome::passed, 0, 1);
  add(Outcome::failed, 1, 1);  // of another log
  add(Outcome::failed, 0, 20);
  add(Outcome::truncated, 0, 30);
  add(Outcome::failed, 0, 40);  // of the build
  Analysis analysis = build_of({});
  analysis.build.runs = {5};
  reading.runs[4].is_build = true;
  const auto gate_of = [&](const GateOptions& options) {
    analysis.reading = std::make_shared<const Reading>(reading);
    return hold(analysis, options, Baseline());
  };
  const GateResult gate = gate_of(fail_on("fatal"));
  EXPECT_EQ(counted(gate), std::vector<std::string>{kOtherRunFailed});
  const Finding& finding = *gate.items[0].finding;
  EXPECT_EQ(finding.title, "Another run in this log failed");
  EXPECT_EQ(finding.why, "Run 3 of 5 failed and is not in the report.");
  EXPECT_EQ(finding.next_check,
            "See why: `trtlens analyze LOG --run 3`. A run that was tried again is accepted by "
            "`--ignore other-run-failed`.");
  EXPECT_EQ(finding.evidence[0].file, "all.log");
  EXPECT_EQ(finding.evidence[0].line, 20U);
  EXPECT_THAT(reported_findings(analysis, &gate), IsEmpty());
  GateOptions named = fail_on("fatal");
  named.run_named = true;
  EXPECT_THAT(gate_of(named).items, IsEmpty());
  GateOptions ignoring = fail_on("fatal");
  ignoring.ignore = {kOtherRunFailed};
  EXPECT_THAT(gate_of(ignoring).items, IsEmpty());
  EXPECT_THAT(counted(gate_of(fail_on("none"))), IsEmpty());
  // Accepted is the run of that command, not whatever fails next.
  Baseline baseline;
  baseline.entries.push_back({gate.items[0].fingerprint, kOtherRunFailed, "", 2});
  analysis.reading = std::make_shared<const Reading>(reading);
  EXPECT_FALSE(hold(analysis, fail_on("fatal"), baseline).fails());
  reading.runs[2].command = "trtexec --onnx=other.onnx";
  analysis.reading = std::make_shared<const Reading>(reading);
  EXPECT_TRUE(hold(analysis, fail_on("fatal"), baseline).fails());
  analysis.build.tuning.iterations.emplace_back().run = 3;  // a tuner tries what may fail
  EXPECT_THAT(gate_of(fail_on("fatal")).items, IsEmpty());
  analysis.build.tuning.iterations.clear();
  reading.runs[2].is_build = true;  // with findings of its own
  EXPECT_THAT(gate_of(fail_on("fatal")).items, IsEmpty());
  reading.runs[3].outcome = Outcome::failed;  // counted with the last build of the log
  EXPECT_THAT(gate_of(fail_on("fatal")).items, SizeIs(1));
  analysis.build.runs = {3};
  EXPECT_THAT(gate_of(fail_on("fatal")).items, IsEmpty());
  reading.runs[2].is_build = false;
  reading.runs[3].outcome = Outcome::truncated;
  analysis.build.runs = {2};  // alone in its log
  reading.runs[1].is_build = true;
  EXPECT_THAT(gate_of(fail_on("fatal")).items, IsEmpty());
  analysis.build.runs = {5};
  for (int i = 0; i < 5; ++i) add(Outcome::failed, 0, 50);
  const GateResult many = gate_of(fail_on("fatal"));
  EXPECT_EQ(many.items[0].finding->title, "6 other runs in this log failed");
  EXPECT_EQ(many.items[0].finding->why,
            "Runs 3, 6, 7, 8, 9 and 1 more of 10 failed and are not in the report.");
}

TEST(GateOfComparison, SidesThatAreNotComparableHaveNoRegression) {
  Comparison c = comparison_of(Verdict::regressed, 1.5);
  c.comparable = false;
  c.refused = true;
  c.not_comparable = {"another GPU"};
  c.base.build.has_layer_info = c.base.build.has_profile = c.candidate.build.has_profile = true;
  c.candidate.build.commands = {"trtexec --onnx=NEW.onnx"};
  const GateResult gate = hold(c, fail_on("major"), Baseline());
  EXPECT_THAT(rules_of(gate.items), ElementsAre(kNotComparable, "new"));
  EXPECT_EQ(gate.items[0].finding->title, "The two sides are not comparable");
  EXPECT_EQ(gate.items[0].finding->why, "Another GPU: their times say nothing about each other.");
  const std::string& check = gate.items[0].finding->next_check;
  EXPECT_EQ(check.find("The base has"), std::string::npos);
  EXPECT_NE(check.find("The candidate has no layer info: `trtexec --onnx=NEW.onnx --profiling"),
            std::string::npos)
      << check;
  EXPECT_FALSE(gate.fails());  // that is exit status 3
  Comparison forced = comparison_of(Verdict::regressed, 1.5);
  forced.comparable = false;
  EXPECT_THAT(counted(hold(forced, fail_on("major"), Baseline())),
              ElementsAre(kEngineRegressed, kLayersRegressed));
}

TEST(GateRules, AreRulesLikeOthers) {
  EXPECT_TRUE(is_gate_rule(kLayersRegressed));
  EXPECT_FALSE(is_gate_rule("tiny-kernels"));
  EXPECT_EQ(ignore_problem(kEngineRegressed), "");
  EXPECT_EQ(ignore_problem("engine-regresed"),
            "no rule 'engine-regresed'; did you mean 'engine-regressed'?");
}

std::vector<std::string> complaints(const std::string& text, Baseline& baseline) {
  std::vector<Diagnostic> diagnostics;
  baseline = parse_baseline(text, "b", diagnostics);
  std::vector<std::string> all;
  all.reserve(diagnostics.size());
  for (const Diagnostic& d : diagnostics) {
    all.push_back(d.file + ":" + std::to_string(d.line) + ": expected " + d.expected + ", found " +
                  d.found);
  }
  return all;
}

TEST(Baseline, IsLinesOfFingerprintAndRule) {
  Baseline baseline;
  const std::string head = "# trtlens baseline 1\n";
  EXPECT_THAT(complaints(head + "# why\n\n  0123456789abcdef  r.1_x-y   what it says\t\r\n"
                                "fedcba9876543210 q # more",
                         baseline),
              IsEmpty());
  ASSERT_EQ(baseline.entries.size(), 2U);
  EXPECT_EQ(baseline.entries[0].fingerprint, "0123456789abcdef");
  EXPECT_EQ(baseline.entries[0].rule, "r.1_x-y");
  EXPECT_EQ(baseline.entries[0].about, "what it says\t");
  EXPECT_EQ(baseline.entries[0].line, 4U);
  EXPECT_EQ(baseline.entries[1].rule, "q");
  EXPECT_THAT(complaints(head, baseline), IsEmpty());
  EXPECT_THAT(baseline.entries, IsEmpty());
}

TEST(Baseline, MayBeginWithTheByteOrderMarkOfAnEditor) {
  Baseline baseline;
  EXPECT_THAT(complaints("\xef\xbb\xbf# trtlens baseline 1\n0123456789abcdef r\n", baseline),
              IsEmpty());
  ASSERT_EQ(baseline.entries.size(), 1U);
  EXPECT_EQ(baseline.entries[0].line, 2U);
  EXPECT_THAT(complaints("\xef\xbb\xbf", baseline),
              ElementsAre("b:1: expected '# trtlens baseline 1', found an empty file"));
}

// One has capitals: noTF32-fp32-slow.
TEST(Baseline, KnowsTheIdsOfAllRules) {
  std::string text = "# trtlens baseline 1\n";
  for (const auto& [id, info] : coded_rule_infos()) text += "0123456789abcdef " + id + "\n";
  Baseline baseline;
  EXPECT_THAT(complaints(text, baseline), IsEmpty());
  EXPECT_EQ(baseline.entries.size(), coded_rule_infos().size());
}

TEST(Baseline, SaysWhatIsNone) {
  Baseline baseline;
  EXPECT_THAT(complaints("", baseline),
              ElementsAre("b:1: expected '# trtlens baseline 1', found an empty file"));
  EXPECT_THAT(complaints("# trtlens baseline 2\n", baseline),
              ElementsAre("b:1: expected '# trtlens baseline 1', found '# trtlens baseline 2'"));
  EXPECT_THAT(complaints("# trtlens baseline 1\n0123456789ABCDEF r\n0123456789abcde r\n"
                         "0123456789abcdef\n0123456789abcdef r!\n0123456789abcdef r\n",
                         baseline),
              ElementsAre("b:2: expected 16 hexadecimal digits and a rule, found "
                          "'0123456789ABCDEF r'",
                          "b:3: expected 16 hexadecimal digits and a rule, found "
                          "'0123456789abcde r'",
                          "b:4: expected 16 hexadecimal digits and a rule, found "
                          "'0123456789abcdef'",
                          "b:5: expected 16 hexadecimal digits and a rule, found "
                          "'0123456789abcdef r!'"));
  std::string many = "# trtlens baseline 1\n";
  for (int i = 0; i < 1000; ++i) many += "no\n";
  EXPECT_EQ(complaints(many, baseline).size(), 20U);
}

}  // namespace
}  // namespace trtlens::gate_test
