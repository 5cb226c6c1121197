// The rule base tests itself: what analyzers/rules/data holds is complete and does what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/message_rules.h"
#include "analyzers/rules/engine/reader.h"
#include "tests/unit/message_case.h"

namespace trtlens::message_rules_base_test {
namespace {

using ::testing::ElementsAre;

bool has_rule(const std::vector<Finding>& findings, const std::string& id) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule == id; });
}

// With their samples, which the program itself leaves out.
const std::vector<MessageRule>& whole_rules() {
  static const std::vector<MessageRule> rules = [] {
    std::vector<Diagnostic> unused;
    return load_message_rules(embedded_rule_files(), {}, unused);
  }();
  return rules;
}

std::vector<const MessageRule*> real_rules() {
  std::vector<const MessageRule*> rules;
  for (const MessageRule& rule : whole_rules()) {
    if (!rule.is_consequence) rules.push_back(&rule);
  }
  return rules;
}

// Rules of the end of a build have no samples: the matcher's own tests try them.
bool has_no_samples(const MessageRule& rule) {
  return is_one_of(rule.computed, {"build-failed", "build-truncated", "errors-unexplained",
                                   "quantize-output-float"});
}

TEST(MessageRuleBase, LoadsWithoutFault) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<MessageRule> rules = load_message_rules(embedded_rule_files(), {}, diagnostics);
  for (const Diagnostic& d : diagnostics) {
    ADD_FAILURE() << d.file << ':' << d.line << ':' << d.column << ": expected " << d.expected
                  << ", found " << d.found;
  }
  EXPECT_GE(rules.size(), 80U);
}

std::vector<std::string> texts_of(const std::vector<RulePattern>& patterns) {
  std::vector<std::string> texts;
  for (const RulePattern& pattern : patterns) {
    texts.push_back(pattern.text);
    for (const std::string& word : pattern.re->words()) texts.push_back("word " + word);
  }
  return texts;
}

std::vector<RuleFile> coded_rule_files() {
  std::vector<RuleFile> files;
  for (const char* const folder :
       {"/analyzers/rules/checks", "/analyzers/compare/checks", "/analyzers/gate"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(TRTLENS_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      files.push_back({entry.path().filename(), {std::istreambuf_iterator<char>(in), {}}});
    }
  }
  return files;
}

// Of the rules that are code: without fault, and each of them has its code.
TEST(CodedRules, InfosLoadWithoutFault) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<RuleInfo> infos =
      load_rule_infos(coded_rule_files(), SampleCheck::run, diagnostics);
  for (const Diagnostic& d : diagnostics) {
    ADD_FAILURE() << d.file << ':' << d.line << ':' << d.column << ": expected " << d.expected
                  << ", found " << d.found;
  }
  EXPECT_EQ(infos.size(), coded_rule_infos().size());
  EXPECT_EQ(infos.size(), structural_rules().size() + compare_rules().size() + 7);  // of gates
  for (const RuleInfo& whole : infos) {
    const RuleInfo& fast = rule_info(whole.id);
    EXPECT_EQ(fast.category, whole.category) << whole.id;
    EXPECT_EQ(fast.severity, whole.severity) << whole.id;
    EXPECT_EQ(fast.confidence, whole.confidence) << whole.id;
    EXPECT_EQ(fast.what, whole.what) << whole.id;
    EXPECT_EQ(fast.why, whole.why) << whole.id;
    EXPECT_EQ(fast.title, whole.title) << whole.id;
    EXPECT_EQ(fast.remedy_texts(), whole.remedy_texts()) << whole.id;
    EXPECT_EQ(fast.check_texts(), whole.check_texts()) << whole.id;
    EXPECT_EQ(fast.false_positive, whole.false_positive) << whole.id;
    EXPECT_EQ(fast.seen, whole.seen) << whole.id;
    EXPECT_EQ(fast.sources, whole.sources) << whole.id;
    ASSERT_EQ(fast.thresholds.size(), whole.thresholds.size()) << whole.id;
    for (std::size_t i = 0; i < fast.thresholds.size(); ++i) {
      EXPECT_EQ(fast.thresholds[i].key, whole.thresholds[i].key) << whole.id;
      EXPECT_EQ(fast.thresholds[i].value, whole.thresholds[i].value) << whole.id;
      EXPECT_EQ(fast.thresholds[i].unit, whole.thresholds[i].unit) << whole.id;
      EXPECT_EQ(fast.thresholds[i].meaning, whole.thresholds[i].meaning) << whole.id;
    }
  }
}

// What the build holds against the file of every rule that is code.
TEST(CodedRules, CodeAndDataSayTheSame) {
  RuleInfo info;
  info.thresholds = {{"min_ms", 1, "ms", "m"}};
  info.title = "{layers} slow[[: {time}]]";
  const std::string code = R"(if (ms < c.threshold("min_ms")) return;
                              c.finding(slow, {{"layers", text}, {"time", ms_text(ms)}});)";
  EXPECT_THAT(code_faults(info, code), ElementsAre());
  EXPECT_THAT(code_faults(info, code + R"(c.threshold("min_mss"))"),
              ElementsAre("has no threshold \"min_mss\""));
  info.thresholds.push_back({"min_share", 1, "share", "m"});
  info.next_check = "trtexec --onnx={model}";
  info.remedies = {{"Do {so", {}}};
  EXPECT_THAT(code_faults(info, code),
              ElementsAre("asks for no threshold \"min_share\"", "has a text with an open \"{\"",
                          "gives the placeholder {model} no value"));
}

TEST(CodedRules, AThresholdThatIsNotThereIsNoZero) {
  const RuleInfo& info = rule_info("tiny-kernels");
  EXPECT_GT(info.threshold("max_ms"), 0);
  EXPECT_THROW((void)info.threshold("max_mss"), std::logic_error);
}

TEST(MessageRuleBase, EveryRuleIsTriedBothWays) {
  for (const MessageRule* rule : real_rules()) {
    if (has_no_samples(*rule)) continue;
    EXPECT_FALSE(rule->samples.empty()) << rule->info.id;
    EXPECT_FALSE(rule->near_misses.empty()) << rule->info.id;
  }
}

TEST(MessageRuleBase, EveryRuleTellsWhatToDo) {
  for (const MessageRule* rule : real_rules()) {
    EXPECT_FALSE(rule->info.remedies.empty()) << rule->info.id;
    EXPECT_FALSE(rule->info.next_check.empty()) << rule->info.id;
    EXPECT_FALSE(rule->info.pages().empty()) << rule->info.id;
    EXPECT_FALSE(rule->info.what.empty()) << rule->info.id;
  }
}

// What a start reads is what the files say, and the texts come when they are asked for.
TEST(MessageRuleBase, ShortReadingEqualsTheWhole) {
  const std::vector<MessageRule>& heads = embedded_message_rules();
  ASSERT_EQ(heads.size(), whole_rules().size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const MessageRule &head = heads[i], &whole = whole_rules()[i];
    const MessageRule later = with_texts(head);
    SCOPED_TRACE(whole.info.id);
    EXPECT_EQ(head.info.id, whole.info.id);
    EXPECT_EQ(head.info.severity, whole.info.severity);
    EXPECT_EQ(head.info.confidence, whole.info.confidence);
    EXPECT_EQ(head.priority, whole.priority);
    EXPECT_EQ(head.family, whole.family);
    EXPECT_EQ(head.generic, whole.generic);
    EXPECT_EQ(head.is_consequence, whole.is_consequence);
    EXPECT_EQ(head.computed, whole.computed);
    EXPECT_EQ(texts_of(head.patterns), texts_of(whole.patterns));
    EXPECT_EQ(head.levels, whole.levels);
    EXPECT_EQ(message_rules::conditions_of(head.requires_),
              message_rules::conditions_of(whole.requires_));
    EXPECT_EQ(head.file, whole.file);
    EXPECT_EQ(later.info.title, whole.info.title);
    EXPECT_EQ(later.each, whole.each);
    EXPECT_EQ(later.info.category, whole.info.category);
    EXPECT_EQ(later.info.why, whole.info.why);
    EXPECT_EQ(later.info.remedy_texts(), whole.info.remedy_texts());
    EXPECT_EQ(later.info.check_texts(), whole.info.check_texts());
    EXPECT_EQ(later.info.sources, whole.info.sources);
  }
}

// A finding without a message of its version or model behind it must not alarm.
TEST(MessageRuleBase, RulesAboutFactsAreNotFatal) {
  for (const MessageRule* rule : real_rules()) {
    if (rule->patterns.empty() && !has_no_samples(*rule)) {
      EXPECT_LT(rule->info.severity, Severity::fatal) << rule->info.id;
    }
  }
}

TEST(MessageRuleBase, FactsOfAnUnknownVersionStaySilent) {
  for (const MessageRule* rule : real_rules()) {
    const VersionRange& versions = rule->requires_.versions;
    if (!rule->patterns.empty() || (!versions.min && !versions.max)) continue;
    for (const RuleSample& sample : rule->samples) {
      Build build = build_of_sample(*rule, sample);
      build.tensorrt.reset();
      EXPECT_FALSE(
          has_rule(match_message_rules(build, {}, embedded_message_rules()), rule->info.id))
          << rule->info.id;
    }
  }
}

TEST(MessageRuleBase, FindingsAboutFactsNameTheLineOfTheCommand) {
  Input input;
  input.path = "build.log";
  trtlens::Run run;
  run.n = 1;
  run.first_line = 7;
  run.command = "trtexec --onnx=m.onnx --builderOptimizationLevel=1";
  Build build;
  build.has_log = true;
  build.runs = {1};
  build.command = run.command;
  build.options.flags = {{"onnx", "m.onnx"}, {"builderOptimizationLevel", "1"}};
  const std::vector<Finding> findings =
      match_message_rules(build, {input}, embedded_message_rules(), {run});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "opt-level-low");
  EXPECT_EQ(findings[0].title, "The builder was told not to search: --builderOptimizationLevel=1");
  ASSERT_EQ(findings[0].evidence.size(), 1U);
  EXPECT_EQ(findings[0].evidence[0].file.str(), "build.log");
  EXPECT_EQ(findings[0].evidence[0].line, 7U);
  EXPECT_EQ(findings[0].evidence[0].note.str(), "--builderOptimizationLevel=1");
}

TEST(MessageRuleBase, EverySampleWinsOrNamesTheWinner) {
  for (const MessageRule* rule : real_rules()) {
    for (const RuleSample& sample : rule->samples) {
      const Build build = build_of_sample(*rule, sample);
      const std::vector<Finding> findings =
          match_message_rules(build, {}, embedded_message_rules());
      // Or it is evidence of a winner that has its cause.
      EXPECT_TRUE(has_rule(findings, rule->info.id) ||
                  (!findings.empty() && findings.front().rule == sample.wins &&
                   findings.front().cause == rule->info.cause))
          << rule->info.id << ": " << sample.text;
      if (findings.empty() || rule->info.severity != Severity::fatal) continue;
      EXPECT_EQ(findings.front().rule, sample.wins.empty() ? rule->info.id : sample.wins)
          << sample.text;
    }
  }
}

// The words of an error, without logger, place and code.
TEST(MessageRuleBase, ErrorsAreQuotedWithoutTheirCode) {
  EXPECT_EQ(message_rules::said_of("[2024-06-13 20:21:01.668] [error] 6: [a.cpp::b::C::288] Error "
                                   "Code 6: Internal Error (Nobody knows this one.)"),
            "Nobody knows this one");
  EXPECT_EQ(message_rules::said_of("Error Code 6: Internal Error (short)"),
            "Error Code 6: Internal Error (short)");
  EXPECT_EQ(message_rules::said_of("Engine set up failed"), "Engine set up failed");
  const std::string ort =
      "onnxruntime.capi.onnxruntime_pybind11_state.EPFail: [ONNXRuntimeError] : 11 : EP_FAIL : ";
  EXPECT_EQ(message_rules::said_of(ort + "Nobody knows this one."), "Nobody knows this one.");
  EXPECT_EQ(message_rules::said_of(ort + "Non-zero status code returned while running TRTKernel_a "
                                         "node. Name:'b' Status Message: Nobody knows this one."),
            "Nobody knows this one.");
  EXPECT_EQ(message_rules::said_of("torch._dynamo.exc.BackendFailed: Nobody knows this one."),
            "BackendFailed: Nobody knows this one.");
  EXPECT_EQ(message_rules::said_of("a.onnx: Nobody knows this one."),
            "a.onnx: Nobody knows this one.");
}

// A check of TensorRT's in words, without file, line and code.
TEST(MessageRuleBase, ChecksAreQuotedAsASentence) {
  using message_rules::sentence_of;
  const std::string check =
      "3: [a.cpp::b::119] Error Code 3: API Usage Error (Parameter check failed at: "
      "x/a.cpp::b::119, "
      "condition: ";
  EXPECT_EQ(sentence_of(check + "engineDims.d[i] == dims.d[i]. Static dimension mismatch here.)"),
            "Static dimension mismatch here");
  EXPECT_EQ(sentence_of(check + "min[i] <= max[i])"),
            "the condition min[i] <= max[i] does not hold");
  EXPECT_EQ(
      sentence_of("4: [n.cpp::v::3062] Error Code 4: Internal Error (kOPT values for profile 0 "
                  "violate shape constraints: condition '==' violated: 1 != 3. Broadcast.)"),
      "kOPT values for profile 0 violate shape constraints: 1 != 3. Broadcast");
  EXPECT_EQ(sentence_of("Engine set up failed"), "Engine set up failed");
  test::Case made;
  made.error(check +
             "std::all_of(dims.d, dims.d + dims.nbDims))"
             "\noptimizationProfile.cpp::setDimensions::119");
  const std::vector<Finding> findings = made.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "profile-invalid");
  EXPECT_EQ(findings[0].why.find("Error Code"), std::string::npos) << findings[0].why;
}

TEST(MessageRuleBase, NearMissesDoNotFire) {
  for (const MessageRule* rule : real_rules()) {
    for (const RuleSample& sample : rule->near_misses) {
      const Build build = build_of_sample(*rule, sample);
      const std::vector<Finding> findings =
          match_message_rules(build, {}, embedded_message_rules());
      EXPECT_FALSE(has_rule(findings, rule->info.id)) << rule->info.id << ": " << sample.text;
    }
  }
}

TEST(MessageRuleBase, TextsAreFilledIn) {
  for (const MessageRule* rule : real_rules()) {
    for (const RuleSample& sample : rule->samples) {
      for (const Finding& finding :
           match_message_rules(build_of_sample(*rule, sample), {}, embedded_message_rules())) {
        std::string all = finding.title + '\n' + finding.why + '\n' + finding.next_check;
        for (const std::string& remedy : finding.remedies) all += '\n' + remedy;
        EXPECT_EQ(all.find("(not known)"), std::string::npos) << finding.rule << ": " << all;
        EXPECT_EQ(all.find("[["), std::string::npos) << finding.rule << ": " << all;
        EXPECT_FALSE(finding.remedies.empty()) << finding.rule;
      }
    }
  }
}

TEST(MessageRuleBase, HasTheRulesOfTheFiveCases) {
  std::set<std::string> ids;
  for (const RuleInfo& info : message_rule_infos()) ids.insert(info.id);
  for (const char* id :
       {"shuffle-scale-assert-8.5.1", "qdq-no-implementation",
        "grouped-conv-int8-group-not-multiple-of-4", "qdq-sm75-or-older-no-int8-impl",
        "deallocate-async-unsupported", "int64-weights-cast-down", "calib-cuda-invalid-argument",
        "instancenorm-plugin-int8", "profile-without-separate-run", "plugin-no-format",
        "plugin-qdq-placement", "plugin-format-limit", "quantize-output-type-float"}) {
    EXPECT_EQ(ids.count(id), 1U) << id;
  }
}

TEST(MessageRuleBase, InfosAreSortedAndLeaveConsequencesOut) {
  const std::vector<RuleInfo> infos = message_rule_infos();
  EXPECT_TRUE(std::is_sorted(infos.begin(), infos.end(),
                             [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; }));
  EXPECT_EQ(infos.size(), real_rules().size());
  EXPECT_LT(infos.size(), embedded_message_rules().size());
}

}  // namespace
}  // namespace trtlens::message_rules_base_test
