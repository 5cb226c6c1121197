// Faults of rule files, as whole strings.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::message_rules_load_test {
namespace {

// A rule without fault; `more` are further lines of its object.
std::string rule_text(const std::string& id, const std::string& more = "") {
  return "[{\"id\": \"" + id +
         "\", \"category\": \"c\", \"severity\": \"fatal\",\n"
         " \"confidence\": \"measured\", \"title\": \"t {count}\", \"what\": \"w\", \"why\": "
         "\"y\",\n"
         " \"remedies\": [\"r\"], \"next_check\": \"n\", \"sources\": "
         "[\"https://example.com\"],\n" +
         more +
         " \"patterns\": [\"boom (?P<x>\\\\d+)\"], \"samples\": [\"boom 7\"],\n"
         " \"near_misses\": [\"boom\"]}]";
}

struct Loaded {
  std::vector<MessageRule> rules;
  std::vector<std::string> faults;
};

Loaded load(const std::string& text) {
  Loaded loaded;
  std::vector<Diagnostic> diagnostics;
  loaded.rules = load_message_rules({}, {{"my.json", text}}, diagnostics);
  for (const Diagnostic& d : diagnostics) {
    EXPECT_EQ(d.id, "rule-file");
    EXPECT_EQ(d.severity, DiagnosticSeverity::error);
    loaded.faults.push_back(d.file + ':' + std::to_string(d.line) + ':' + std::to_string(d.column) +
                            ": expected " + d.expected + ", found " + d.found);
  }
  return loaded;
}

using Faults = std::vector<std::string>;

TEST(MessageRuleLoad, GoodRule) {
  const Loaded loaded = load(rule_text("a-b"));
  EXPECT_EQ(loaded.faults, Faults{});
  ASSERT_EQ(loaded.rules.size(), 1U);
  EXPECT_EQ(loaded.rules[0].info.id, "a-b");
  EXPECT_EQ(loaded.rules[0].info.patterns, std::vector<std::string>{"boom (?P<x>\\d+)"});
}

// A companion's named groups fill placeholders; no value ends a sentence twice.
TEST(MessageRuleLoad, PlaceholdersOfTheOtherMessage) {
  std::string text = rule_text("a", " \"requires\": {\"and_message\": \"because (?P<y>.+)\"},\n");
  text.replace(text.find("\"title\": \"") + 10, 0, "{x}, for {y}.");
  text.replace(text.find("[\"boom 7\"]"), 10,
               "[{\"text\": \"boom 7\", \"also\": [\"because z.\"]}]");
  const Loaded loaded = load(text);
  EXPECT_EQ(loaded.faults, Faults{});
  ASSERT_EQ(loaded.rules.size(), 1U);
  Build build;
  build.outcome = Outcome::failed;
  for (const char* said : {"boom 7", "because z."}) {
    Message& message = build.messages.emplace_back();
    message.severity = LogSeverity::error;
    message.text = said;
  }
  const std::vector<Finding> findings = match_message_rules(build, {}, loaded.rules);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].title.substr(0, 9), "7, for z.");
  EXPECT_NE(findings[0].title.substr(9, 1), ".");
}

TEST(MessageRuleLoad, ShapesForAnotherInput) {
  const Loaded loaded = load(rule_text("a", " \"requires\": {\"shapes_lack\": \"x\"},\n"));
  EXPECT_EQ(loaded.faults.size(), 1U);  // its sample has no command
  std::string text = rule_text("a", " \"requires\": {\"shapes_lack\": \"x\"},\n");
  const std::string plain = "\"samples\": [\"boom 7\"]";
  const auto with = [&](const std::string& flag) {
    std::string whole = text;
    return whole.replace(whole.find(plain), plain.size(),
                         "\"samples\": [{\"text\": \"boom 7\", \"command\": [\"" + flag + "\"]}]");
  };
  EXPECT_EQ(load(with("--shapes=y:1x3,z:4")).faults, Faults{});
  EXPECT_EQ(load(with("--shapes=y:1x3,7:4")).faults.size(), 1U);
  EXPECT_EQ(load(with("--shapes='7':1x3")).faults.size(), 1U);
  EXPECT_EQ(load(with("--fp16")).faults.size(), 1U);
}

TEST(MessageRuleLoad, NoJson) {
  EXPECT_EQ(load("[\n  {\"id\": }]").faults,
            Faults{"my.json:2:10: expected JSON, found syntax error while parsing value - "
                   "unexpected '}'; expected '[', '{', or a literal"});
}

TEST(MessageRuleLoad, NothingHidesBehindANul) {
  EXPECT_EQ(load(std::string("[]\n\0 x", 6)).faults,
            Faults{"my.json:2:1: expected JSON, found a NUL byte"});
}

TEST(MessageRuleLoad, Empty) {
  EXPECT_EQ(load("").faults,
            Faults{"my.json:1:1: expected JSON, found syntax error while parsing value - "
                   "unexpected end of input; expected '[', '{', or a literal"});
}

TEST(MessageRuleLoad, NoList) {
  EXPECT_EQ(load("{}").faults, Faults{"my.json:1:1: expected an array, found an object"});
  EXPECT_EQ(load("[7]").faults, Faults{"my.json:1:2: expected an object, found a number"});
}

TEST(MessageRuleLoad, TooDeep) {
  EXPECT_EQ(load(std::string(40, '[') + std::string(40, ']')).faults,
            Faults{"my.json:1:33: expected JSON, found nesting deeper than 32"});
}

TEST(MessageRuleLoad, UnknownKey) {
  const Loaded loaded = load(rule_text("a", " \"titel\": \"t\",\n"));
  ASSERT_EQ(loaded.faults.size(), 1U);
  EXPECT_EQ(loaded.faults[0],
            "my.json:4:2: expected one of the keys category cause computed confidence each "
            "false_positive family generic id levels near_misses next_check patterns priority "
            "remedies requires samples seen severity sources title version_range what why, found "
            "\"titel\"");
  EXPECT_TRUE(loaded.rules.empty());
}

TEST(MessageRuleLoad, RepeatedKey) {
  EXPECT_EQ(load(rule_text("a", " \"id\": \"b\",\n")).faults,
            Faults{"my.json:4:2: expected each key once, found \"id\" again"});
}

TEST(MessageRuleLoad, MissingKeys) {
  const Faults faults =
      load("[\n {\"id\": \"a\", \"category\": \"c\", \"severity\": \"info\"}]").faults;
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0], "my.json:2:2: expected the key \"confidence\", found none");
  EXPECT_EQ(faults.back(), "my.json:2:2: expected the key \"near_misses\", found none");
}

TEST(MessageRuleLoad, WrongKindsAndWords) {
  EXPECT_EQ(load(rule_text("a", " \"priority\": \"high\",\n")).faults,
            Faults{"my.json:4:14: expected a number, found a string"});
  EXPECT_EQ(load(rule_text("a", " \"priority\": 1.5,\n")).faults,
            Faults{"my.json:4:14: expected a whole number, found another one"});
  EXPECT_EQ(load(rule_text("a", " \"levels\": [\"error\", \"note\"],\n")).faults,
            Faults{"my.json:4:22: expected one of error, warning, info, verbose, found \"note\""});
  EXPECT_EQ(load(rule_text("a", " \"generic\": \"yes\",\n")).faults,
            Faults{"my.json:4:13: expected a boolean, found a string"});
  EXPECT_EQ(load(rule_text("A_b")).faults,
            Faults{"my.json:1:2: expected an id in kebab-case, found \"A_b\""});
  EXPECT_EQ(load(rule_text("")).faults,
            Faults{"my.json:1:2: expected an id in kebab-case, found \"\""});
}

TEST(MessageRuleLoad, BadVersion) {
  EXPECT_EQ(load(rule_text("a", " \"requires\": {\"trt_min\": \"eight\"},\n")).faults,
            Faults{"my.json:4:26: expected a version such as \"8.6\", found \"eight\""});
}

TEST(MessageRuleLoad, BadPattern) {
  std::string text = rule_text("a");
  text.replace(text.find("boom (?P<x>"), 11, "boom ((");
  EXPECT_EQ(load(text).faults,
            Faults{"my.json:4:15: expected an RE2 pattern, found missing ): boom ((\\d+)"});
  std::string empty = rule_text("a");
  empty.replace(empty.find("boom (?P<x>\\\\d+)"), 16, "x*");
  EXPECT_EQ(load(empty).faults,
            Faults{"my.json:4:15: expected a pattern that needs some text, found one that matches "
                   "anything"});
}

TEST(MessageRuleLoad, UnknownPlaceholder) {
  EXPECT_EQ(load(rule_text("a", " \"each\": \"{x} {y}\",\n")).faults,
            Faults{"my.json:4:10: expected a placeholder that a named group or the engine fills "
                   "in, found {y}"});
  EXPECT_EQ(load(rule_text("a", " \"each\": \"{x\",\n")).faults,
            Faults{"my.json:4:10: expected a closed placeholder, found an open \"{\""});
  EXPECT_EQ(load(rule_text("a", " \"each\": \"[[{x}\",\n")).faults,
            Faults{"my.json:4:10: expected a closed placeholder, found an open \"[[\""});
}

TEST(MessageRuleLoad, SampleThatDoesNotMatch) {
  std::string text = rule_text("a");
  text.replace(text.find("boom 7"), 6, "bang 7");
  EXPECT_EQ(load(text).faults,
            Faults{"my.json:4:48: expected a sample that the rule matches, found \"bang 7\""});
}

TEST(MessageRuleLoad, NearMissThatMatches) {
  std::string text = rule_text("a");
  text.replace(text.rfind("\"boom\""), 6, "\"boom 8\"");
  EXPECT_EQ(
      load(text).faults,
      Faults{"my.json:5:18: expected a near miss that the rule does not match, found \"boom 8\""});
}

TEST(MessageRuleLoad, SampleWithFactsMeetsOrMissesTheRequirements) {
  const std::string requires_sm = " \"requires\": {\"sm_max\": 75},\n";
  std::string text = rule_text("a", requires_sm);
  text.replace(text.find("\"boom 7\""), 8, "{\"text\": \"boom 7\", \"sm\": 90}");
  EXPECT_EQ(
      load(text).faults,
      Faults{"my.json:5:48: expected a sample that the rule matches, found \"boom 7 | compute "
             "capability 9.0\""});
  EXPECT_EQ(load(rule_text("a", requires_sm)).faults, Faults{});
}

// A rule about facts; `requires` and `sample` are JSON objects.
std::string fact_rule(const std::string& requires_text, const std::string& sample) {
  return "[{\"id\": \"a\", \"category\": \"c\", \"severity\": \"info\",\n"
         " \"confidence\": \"measured\", \"title\": \"t\", \"what\": \"w\", \"why\": \"y\",\n"
         " \"remedies\": [\"r\"], \"next_check\": \"n\", \"sources\": [\"s\"],\n"
         " \"requires\": " +
         requires_text + ",\n \"samples\": [" + sample + "], \"near_misses\": [{}]}]";
}

TEST(MessageRuleLoad, RuleAboutFacts) {
  struct Case {
    const char *requires_text, *sample;
  };
  const Case cases[] = {
      {R"({"command_has": ["--fp8"]})", R"({"command": ["fp8"]})"},
      {R"({"command_has_any": ["fp8", "level=1"]})", R"({"command": ["level=1"]})"},
      {R"({"command_is": {"--level": "^[0-2]$"}})", R"({"command": ["level=3", "level=2"]})"},
      {R"({"banner_is": {"Build Options/Refit": "Enabled"}})",
       R"({"banner": {"Build Options/Refit": "Enabled"}})"},
      {R"({"allows": ["INT8", "FP8"]})", R"({"allows": ["FP32", "FP8"]})"},
      {R"({"gpu": "Orin"})", R"({"gpu": "Orin nvgpu"})"},
      {R"({"producer": ["onnxruntime"]})", R"({"producer": "onnxruntime"})"},
      {R"({"onnx_has": ["A", "B"]})", R"({"onnx": ["B", "A"]})"},
      {R"({"onnx_has_any": ["A", "B"], "onnx_lacks": ["C"]})", R"({"onnx": ["B"]})"},
      {R"({"profiles_min": 2})",
       R"j({"banner": {"Build Options/Input build shape (profile 1)": "x"}})j"},
      {R"({"command_has": ["a"], "no_message": "boom"})", R"({"command": ["a"]})"}};
  for (const Case& c : cases) {
    EXPECT_EQ(load(fact_rule(c.requires_text, c.sample)).faults, Faults{}) << c.requires_text;
    EXPECT_EQ(load(fact_rule(c.requires_text, "{}")).faults.size(), 1U) << c.requires_text;
  }
}

TEST(MessageRuleLoad, FactsThatDoNotHold) {
  struct Case {
    const char *requires_text, *sample;
  };
  const Case cases[] = {
      {R"({"command_is": {"level": "^[0-2]$"}})", R"({"command": ["level=1", "level=3"]})"},
      {R"({"onnx_has": ["A", "B"]})", R"({"onnx": ["A"]})"},
      {R"({"onnx_has_any": ["A"], "onnx_lacks": ["C"]})", R"({"onnx": ["A", "C"]})"},
      {R"({"command_has": ["a"], "onnx_lacks": ["C"]})", R"({"command": ["a"]})"},
      {R"({"command_has": ["a"], "no_message": "boom"})",
       R"({"command": ["a"], "also": ["a boom"]})"},
      {R"({"gpu": "Orin"})", R"({"gpu": "A10"})"}};
  for (const Case& c : cases) {
    EXPECT_EQ(load(fact_rule(c.requires_text, c.sample)).faults.size(), 1U) << c.requires_text;
  }
}

TEST(MessageRuleLoad, RuleWithoutPatternsAndFacts) {
  EXPECT_EQ(load(fact_rule(R"({"trt_min": "8.6"})", "{}")).faults,
            Faults{"my.json:1:2: expected the key \"patterns\", or a fact among \"requires\", "
                   "found none"});
}

TEST(MessageRuleLoad, FaultsOfFacts) {
  EXPECT_EQ(load(fact_rule(R"({"gpu": "("})", "{}")).faults[0].substr(0, 38),
            "my.json:4:22: expected an RE2 pattern,");
  EXPECT_EQ(load(fact_rule(R"({"command_is": ["a"]})", "{}")).faults[0],
            "my.json:4:29: expected an object, found an array");
  EXPECT_EQ(load(fact_rule(R"({"onnx_has": "A"})", "{}")).faults[0],
            "my.json:4:27: expected an array, found a string");
  EXPECT_EQ(load(fact_rule(R"({"banner_is": {"Refit": 1}})", "{}")).faults[0],
            "my.json:4:38: expected a string, found a number");
}

TEST(MessageRuleLoad, SameIdTwiceInOneFile) {
  const std::string one = rule_text("a");
  const std::string two = one.substr(0, one.size() - 1) + ",\n" + one.substr(1);
  const Loaded loaded = load(two);
  EXPECT_EQ(loaded.faults, Faults{"my.json:6:1: expected an id of its own, found \"a\" again"});
  EXPECT_EQ(loaded.rules.size(), 1U);
}

TEST(MessageRuleLoad, ExtraFileReplacesAnEmbeddedRule) {
  const std::string embedded = rule_text("a");
  std::string mine = rule_text("a");
  mine.replace(mine.find("t {count}"), 9, "mine");
  std::vector<Diagnostic> diagnostics;
  const std::vector<MessageRule> rules =
      load_message_rules({{"base.json", embedded}}, {{"my.json", mine}}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].info.title, "mine");
  EXPECT_EQ(rules[0].file, "my.json");
}

TEST(MessageRuleLoad, OneBadRuleLeavesTheOthers) {
  const std::string bad = rule_text("bad", " \"priority\": \"x\",\n");
  const std::string good = rule_text("good");
  const Loaded loaded = load(bad.substr(0, bad.size() - 1) + "," + good.substr(1));
  EXPECT_EQ(loaded.faults.size(), 1U);
  ASSERT_EQ(loaded.rules.size(), 1U);
  EXPECT_EQ(loaded.rules[0].info.id, "good");
}

}  // namespace
}  // namespace trtlens::message_rules_load_test
