// The formats of gates, to the letter: names of the input are attacks.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "report/document/sections/builds.h"
#include "report/document/sections/gate.h"
#include "report/formats/gates/gate_report.h"
#include "report/formats/json/writer.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/report_sample.h"

namespace trtlens::gate_formats_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::string kHostile = "]]>&<\"'%0A::error::,\n\x1b[31m\xff";

std::string written(const Writer& writer, const GateReport& report) {
  return text_of([&](TextStream& out) { writer.write_gate(report, "1.2.3", out); });
}

// One finding that fails, one that does not, one that is accepted.
struct Sample {
  Finding fails, passes, accepted;
  GateReport report;

  Sample() {
    fails.rule = "shuffle-dominates";
    fails.category = "cost";
    fails.severity = Severity::major;
    fails.confidence = Confidence::measured;
    fails.title = "50 % in " + kHostile;
    fails.why = "Why, " + kHostile;
    fails.remedies = {"Do"};
    fails.next_check = "Look";
    fails.stake_ms = 1.5;
    fails.layers = {SharedText(kHostile)};
    Evidence line;
    line.file = std::string("a,b:c%.log\n");
    line.line = 7;
    fails.evidence = {line};
    passes.rule = "tiny-kernels";
    passes.category = "cost";
    passes.severity = Severity::info;
    passes.title = "2 kernels";
    accepted = passes;
    accepted.title = "accepted";
    report.command = "analyze";
    report.title = kHostile;
    report.verdict = "Build passed";
    report.fail_on = "major";
    report.fails = true;
    report.inputs = {"a b.log"};
    report.entries = {entry(fails, "00000000000000aa", EntryState::fails),
                      entry(passes, "00000000000000bb", EntryState::passes),
                      entry(accepted, "00000000000000cc", EntryState::accepted)};
    report.entries[0].subject = kHostile;
    report.entries[0].lines = {"Why, " + kHostile, "1. Do"};
    report.entries[0].file = line.file.str();
    report.entries[0].line = 7;
    report.entries[1].lines = {"[tiny-kernels]"};
  }

  static GateEntry entry(const Finding& finding, const char* print, EntryState state) {
    GateEntry entry;
    entry.finding = &finding;
    entry.fingerprint = print;
    entry.state = state;
    return entry;
  }
};

TEST(Junit, OneCaseAFinding) {
  const std::string shown = "]]>&amp;&lt;&quot;'%0A::error::,\\x0a\\x1b[31m\\xff";
  const std::string body = "]]>&amp;&lt;\"'%0A::error::,\\x0a\\x1b[31m\\xff";
  std::string text = written(writer_junit, Sample().report);
  // Whether > is escaped in attributes depends on the version of pugixml; elsewhere xmllint judges.
  for (std::size_t at = text.find("&gt;"); at != text.npos; at = text.find("&gt;")) {
    text.replace(at, 4, ">");
  }
  EXPECT_EQ(text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites>\n"
            "  <testsuite name=\"trtlens analyze " +
                shown +
                "\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\">\n"
                "    <properties>\n"
                "      <property name=\"trtlens\" value=\"1.2.3\" />\n"
                "      <property name=\"verdict\" value=\"Build passed\" />\n"
                "      <property name=\"fail-on\" value=\"major\" />\n"
                "    </properties>\n"
                "    <testcase classname=\"trtlens.analyze\" name=\"inputs were read\" />\n"
                "    <testcase classname=\"trtlens.analyze.cost\" name=\"shuffle-dominates: " +
                shown +
                "\">\n"
                "      <failure message=\"50 % in " +
                shown +
                ": 1.500 ms at stake\" type=\"shuffle-dominates\">a,b:c%.log\\x0a:7\nWhy, " + body +
                "\n1. Do\nfingerprint 00000000000000aa</failure>\n"
                "    </testcase>\n"
                "    <testcase classname=\"trtlens.analyze.cost\" name=\"tiny-kernels\">\n"
                "      <system-out>2 kernels\n[tiny-kernels]\nfingerprint "
                "00000000000000bb</system-out>\n"
                "    </testcase>\n"
                "    <testcase classname=\"trtlens.analyze.cost\" name=\"tiny-kernels #2\">\n"
                "      <skipped message=\"accepted by the baseline: accepted\" />\n"
                "    </testcase>\n"
                "  </testsuite>\n"
                "</testsuites>\n");
}

TEST(Github, OneCommandAFinding) {
  const Sample sample;
  EXPECT_EQ(written(writer_github, sample.report),
            "::error file=a%2Cb%3Ac%25.log%0A,line=7,title=trtlens%3A 50 %25 in "
            "]]>&<\"'%250A%3A%3Aerror%3A%3A%2C%0A\\x1b[31m\\xff%3A 1.500 ms at stake::Why, "
            "]]>&<\"'%250A::error::,\\x0a\\x1b[31m\\xff%0A1. Do\n"
            "trtlens: 1 note in the report\n");
  GateReport none;
  EXPECT_EQ(written(writer_github, none), "trtlens: no finding\n");
  none.entries.assign(2, sample.report.entries.back());
  for (GateEntry& entry : none.entries) entry.state = EntryState::accepted;
  EXPECT_EQ(written(writer_github, none), "trtlens: no finding beside 2 accepted ones\n");
}

// Whatever the gate asks for: an engine that was not built is no warning.
TEST(Github, WhatIsFatalIsAnError) {
  Sample sample;
  sample.report.entries.assign(1, sample.report.entries[1]);
  const auto kind = [&](Severity severity) {
    sample.passes.severity = severity;
    const std::string text = written(writer_github, sample.report);
    return text.substr(0, text.find(' '));
  };
  EXPECT_EQ(kind(Severity::fatal), "::error");
  EXPECT_EQ(kind(Severity::major), "::warning");
  EXPECT_EQ(kind(Severity::moderate), "::warning");
  EXPECT_EQ(kind(Severity::minor), "::notice");
}

// A note that fails no gate is counted.
TEST(Github, NotesAreNoAnnotations) {
  Sample sample;
  sample.report.entries.assign(3, sample.report.entries[1]);
  EXPECT_EQ(written(writer_github, sample.report),
            "trtlens: no finding\ntrtlens: 3 notes in the report\n");
  sample.report.entries[1].state = EntryState::fails;
  EXPECT_EQ(written(writer_github, sample.report),
            "::error title=trtlens%3A 2 kernels::[tiny-kernels]\ntrtlens: 2 notes in the report\n");
  sample.passes.severity = Severity::minor;
  EXPECT_EQ(written(writer_github, sample.report),
            "::error title=trtlens%3A 2 kernels::[tiny-kernels]%0A2 more of this cause in the "
            "report\n");
}

TEST(Github, TheTenWorst) {
  Sample sample;
  sample.passes.severity = Severity::minor;
  std::vector<GateEntry> entries(14, sample.report.entries[1]);
  std::vector<Finding> findings(14, sample.passes);  // of a cause each
  for (std::size_t i = 0; i < findings.size(); ++i) {
    findings[i].cause = std::to_string(i);
    entries[i].finding = &findings[i];
  }
  Finding moderate = sample.passes;
  moderate.severity = Severity::moderate;
  moderate.title = "moderate";
  entries[12].finding = &moderate;
  entries[13] = sample.report.entries[0];
  sample.report.entries = entries;
  const std::string text = written(writer_github, sample.report);
  EXPECT_EQ(text.rfind("::error ", 0), 0U);
  EXPECT_THAT(text, HasSubstr("\n::warning title=trtlens%3A moderate::"));
  EXPECT_LT(text.find("::warning "), text.find("::notice "));
  EXPECT_THAT(text, EndsWith("\ntrtlens: 4 more in the report\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
}

TEST(Gitlab, OneIssueAFinding) {
  Sample sample;
  sample.report.entries.push_back(sample.report.entries[1]);  // the same fingerprint once more
  const auto json = nlohmann::json::parse(written(writer_gitlab, sample.report));
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0]["severity"], "critical");
  EXPECT_EQ(json[0]["check_name"], "shuffle-dominates");
  EXPECT_EQ(json[0]["location"]["path"], "a,b:c%.log\n");
  EXPECT_EQ(json[0]["location"]["lines"]["begin"], 7);
  EXPECT_EQ(json[1]["location"]["path"], "a b.log");
  EXPECT_EQ(json[1]["location"]["lines"]["begin"], 1);
  EXPECT_EQ(json[1]["fingerprint"], "00000000000000bb");
  EXPECT_EQ(json[2]["fingerprint"], "00000000000000bb-2");
}

TEST(Sarif, OneResultAFinding) {
  const auto json = nlohmann::json::parse(written(writer_sarif, Sample().report));
  const auto& run = json["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2U);
  EXPECT_EQ(run["artifacts"][0]["location"]["uri"], "a%20b.log");
  const auto& results = run["results"];
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "a%2Cb%3Ac%25.log%0A");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
  EXPECT_EQ(results[0]["partialFingerprints"]["trtlens/v1"], "00000000000000aa");
  EXPECT_EQ(results[0]["properties"]["stakeMs"], 1.5);
  EXPECT_TRUE(results[0]["properties"]["failsGate"]);
  EXPECT_TRUE(results[0]["suppressions"].empty());
  EXPECT_EQ(results[1]["level"], "note");
  // GitHub wants a place in a file of every result.
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.log");
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
  EXPECT_EQ(results[2]["suppressions"][0]["kind"], "external");
  Sample absolute;
  absolute.report.inputs = {"/a/\xC3\xA9"};
  EXPECT_THAT(written(writer_sarif, absolute.report), HasSubstr("\"file:///a/%C3%A9\""));
}

TEST(BaselineFormat, IsReadBackAsWhatItSays) {
  const std::string text = written(writer_baseline, Sample().report);
  std::vector<Diagnostic> diagnostics;
  const Baseline baseline = parse_baseline(text, "b", diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(baseline.entries.size(), 3U);
  EXPECT_EQ(baseline.entries[0].fingerprint, "00000000000000aa");
  EXPECT_EQ(baseline.entries[0].rule, "shuffle-dominates");
  EXPECT_EQ(baseline.entries[0].about, "50 % in ]]>&<\"'%0A::error::,\\x0a\\x1b[31m\\xff");
  EXPECT_EQ(baseline.entries[2].fingerprint, "00000000000000cc");  // stays accepted
}

TEST(Github, OneAnnotationACause) {
  Sample sample;
  Finding symptom = sample.passes;
  symptom.rule = "a-symptom";
  symptom.cause = "shuffle-dominates";
  symptom.severity = Severity::minor;
  sample.fails.cause = "shuffle-dominates";
  GateEntry of_same = sample.report.entries[1], of_other_build = of_same;
  of_same.finding = of_other_build.finding = &symptom;
  of_other_build.build = "b";
  sample.report.entries.push_back(of_same);
  sample.report.entries.push_back(of_other_build);
  const std::string text = written(writer_github, sample.report);
  EXPECT_THAT(text, HasSubstr("%0A1. Do%0A1 more of this cause in the report\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(Accepted, StandApartInEveryReport) {
  Analysis analysis = sample::healthy(30);
  ASSERT_FALSE(analysis.findings.empty());
  const std::string rule = analysis.findings[0].rule;
  const std::string print = fingerprint_of(analysis.findings[0]);
  Baseline baseline;
  baseline.entries = {{print, rule, "", 2}, {"0123456789abcdef", "old-rule", kHostile, 3}};
  const GateResult gate = hold(analysis, GateOptions(), baseline);
  Document document = build_document(analysis, 10, &gate);
  add_accepted(gate, 10, document);
  ASSERT_EQ(document.sections.back().id, "accepted");
  EXPECT_TRUE(document.sections.back().collapsed);
  const std::string html = render(writer_html, document, WriterOptions());
  EXPECT_THAT(html, HasSubstr("<details class=\"fold\"><summary><h2 id=\"h-accepted\">"));
  EXPECT_THAT(html, HasSubstr("line 3: ]]&gt;&amp;&lt;"));
  const std::string markdown = render(writer_markdown, document, WriterOptions());
  EXPECT_THAT(markdown, HasSubstr("\n<details>\n<summary>Accepted by the baseline</summary>\n"));
  EXPECT_THAT(markdown, HasSubstr("\n</details>\n"));
  EXPECT_THAT(render(writer_text, document, WriterOptions()),
              HasSubstr("\nAccepted   findings of the baseline: --section accepted\n"));
  WriterOptions whole;
  whole.full = true;
  EXPECT_THAT(render(writer_text, document, whole), HasSubstr(print));
  std::vector<GateResult> gates;
  gates.push_back(hold(analysis, GateOptions(), baseline));
  const auto json = nlohmann::json::parse(
      text_of([&](TextStream& out) { write_json(std::vector{analysis}, gates, "1", out); }));
  EXPECT_EQ(json["gate"]["accepted"][0]["fingerprint"], print);
  EXPECT_EQ(json["gate"]["gone"][0]["rule"], "old-rule");
  for (const auto& finding : json["findings"]) EXPECT_NE(finding["fingerprint"], print);
  Analysis plain = sample::healthy(30);
  const GateResult none = hold(plain, GateOptions(), Baseline());
  Document without = build_document(plain, 10);
  const std::size_t before = without.sections.size();
  add_accepted(none, 10, without);
  EXPECT_EQ(without.sections.size(), before);
  EXPECT_THAT(document.verdict, Not(HasSubstr("the baseline accepts it")));
}

TEST(Accepted, ASlowdownOfTheEngineIsSaidInTheVerdict) {
  Finding regressed;
  regressed.rule = kEngineRegressed;
  GateResult gate;
  gate.accepted = {{&regressed, "00000000000000aa", false}};
  Document document;
  document.verdict = "Regressed";
  add_accepted(gate, 10, document);
  EXPECT_EQ(document.verdict, "Regressed; the baseline accepts it, and would any slowdown");
}

// A build that passes, and one behind it that does not: one gate.
TEST(SeveralBuilds, HaveOneGate) {
  std::vector<Analysis> analyses;
  analyses.push_back(sample::healthy(30));
  analyses.push_back(sample::healthy(30));
  analyses[0].name = "first";
  analyses[1].name = "second";
  sample::change_reading(analyses[0], [](Reading& reading) {
    reading.inputs.resize(2);
    reading.inputs[0].path = "first/b.log";
    reading.inputs[1].path = "second/b.log";
  });
  analyses[1].reading = analyses[0].reading;
  for (Finding& finding : analyses[0].findings) finding.severity = Severity::minor;
  analyses[1].findings[0].severity = Severity::major;
  GateOptions options;
  options.fail_on = "major";
  std::vector<GateResult> gates;
  for (Analysis& analysis : analyses) gates.push_back(hold(analysis, options, Baseline()));
  ASSERT_FALSE(gates[0].fails());
  ASSERT_TRUE(gates[1].fails());
  const std::size_t findings = analyses[0].findings.size() + analyses[1].findings.size();
  const std::string title = analyses[1].findings[0].title;

  const GateReport report = gate_report(analyses, gates);
  EXPECT_TRUE(report.fails);
  ASSERT_EQ(report.entries.size(), findings);
  EXPECT_EQ(title_of(report.entries.back()).rfind("second: ", 0), 0U);
  EXPECT_EQ(report.inputs.size(), analyses[0].reading->inputs.size());  // which are those of both
  EXPECT_THAT(written(writer_junit, report), HasSubstr("name=\"second: "));
  EXPECT_THAT(written(writer_github, report), HasSubstr("title=trtlens%3A second%3A "));
  EXPECT_THAT(written(writer_sarif, report), HasSubstr("\"build\": \"second\""));
  EXPECT_THAT(written(writer_gitlab, report), HasSubstr("\"description\": \"second: "));
  for (const GateEntry& entry : report.entries) {  // in no line: of its own build's first input
    EXPECT_EQ(file_of(entry, report), entry.file.empty() ? entry.build + "/b.log" : entry.file);
  }

  const auto json = nlohmann::json::parse(
      text_of([&](TextStream& out) { write_json(analyses, gates, "1", out); }));
  EXPECT_EQ(json["gate"]["failed"], true);
  EXPECT_TRUE(json["gate"]["counted"].empty());
  ASSERT_EQ(json["gate"]["others"].size(), 1U);
  const auto& other = json["gate"]["others"][0];
  EXPECT_EQ(other["build"], "second");
  EXPECT_EQ(other["failed"], true);
  EXPECT_EQ(other["counted"].size(), 1U);
  EXPECT_EQ(other["findings"].size(), analyses[1].findings.size());

  Document document = build_document(analyses[0], 10);
  add_builds(analyses, gates, document);
  WriterOptions whole;
  whole.full = true;
  const std::string text = render(writer_text, document, whole);
  EXPECT_THAT(text, HasSubstr("fails\n"));
  EXPECT_THAT(text, HasSubstr("What fails --fail-on "));
}

// Where others read along, a build is called without the folder that all have in common.
TEST(SeveralBuilds, HaveNoAbsolutePathInTheirNames) {
  std::vector<Analysis> analyses = {sample::failed(), sample::failed()};
  Reading reading = *analyses[0].reading;
  reading.inputs.resize(1);
  reading.inputs[0].path = "/home/me/runs/a/b.log";
  reading.inputs.push_back(reading.inputs[0]);
  reading.inputs[1].path = "/home/me/runs/b/b.log";
  const auto shared = std::make_shared<const Reading>(reading);
  analyses[0].name = "/home/me/runs/a";
  analyses[1].name = "/home/me/runs/b";
  std::vector<GateResult> gates;
  for (Analysis& analysis : analyses) {
    analysis.reading = shared;
    gates.push_back(hold(analysis, GateOptions(), Baseline()));
  }
  const GateReport report = gate_report(analyses, gates);
  EXPECT_EQ(report.entries[0].build, "a");
  EXPECT_EQ(report.entries[1].build, "b");
  EXPECT_THAT(written(writer_github, report), HasSubstr("title=trtlens%3A a%3A No INT8"));
}

TEST(SeveralBuilds, AreCountedWhereTheyAreMany) {
  const auto suite_of = [](std::size_t builds) {
    std::vector<Analysis> analyses(builds);
    for (std::size_t i = 0; i < builds; ++i) {
      analyses[i] = sample::names_only();
      analyses[i].name = fmt::format("build_{}", i);
      analyses[i].build.outcome = i == 2 ? Outcome::failed : Outcome::passed;
    }
    const std::vector<GateResult> gates(builds);
    const std::string text = written(writer_junit, gate_report(analyses, gates));
    return text.substr(text.find("<testsuite "), 2000 + 20 * builds);
  };
  EXPECT_THAT(suite_of(5), HasSubstr("build_0; build_1; build_2; build_3; build_4\""));
  EXPECT_THAT(suite_of(6), HasSubstr("name=\"trtlens analyze 6 builds\""));
  EXPECT_THAT(suite_of(6), HasSubstr("name=\"verdict\" value=\"1 failed, 5 passed\""));
  EXPECT_THAT(suite_of(4000), HasSubstr("name=\"trtlens analyze 4000 builds\""));
  EXPECT_THAT(suite_of(4000), Not(HasSubstr("build_1;")));
}

TEST(SeveralBuilds, OneAloneIsTheWholeReport) {
  std::vector<Analysis> analyses(1);
  analyses[0] = sample::healthy(30);
  std::vector<GateResult> gates;
  gates.push_back(hold(analyses[0], GateOptions(), Baseline()));
  for (const GateEntry& entry : gate_report(analyses, gates).entries) {
    EXPECT_EQ(title_of(entry), entry.finding->title);
  }
  Document document = build_document(analyses[0], 10);
  const std::size_t before = document.sections.size();
  add_builds(analyses, gates, document);
  EXPECT_EQ(document.sections.size(), before);
}

TEST(JsonSchema, IsCompleteInItself) {
  for (const std::string& name : schema_names()) {
    const auto schema = nlohmann::json::parse(json_schema(name));
    EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    const std::string text = schema.dump();
    constexpr std::string_view kRef = "\"#/definitions/";
    for (std::size_t at = text.find(kRef); at != std::string::npos; at = text.find(kRef, at + 1)) {
      const std::size_t begin = at + kRef.size();
      const std::string to = text.substr(begin, text.find('"', begin) - begin);
      EXPECT_TRUE(schema["definitions"].contains(to)) << to;
    }
  }
  EXPECT_EQ(json_schema("lint"), "");
}

}  // namespace
}  // namespace trtlens::gate_formats_test
