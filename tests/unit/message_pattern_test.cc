// The words without which a pattern cannot match: what spares compiling it.
#include "analyzers/rules/engine/pattern.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::message_pattern_test {
namespace {

TEST(MessagePattern, RequiredWords) {
  struct Case {
    const char* regex;
    std::vector<std::string> words;
  };
  const Case cases[] = {
      {"Could not find any implementation", {"Could not find any implementation"}},
      {"node (?P<node>.+) \\[INT8\\]", {" [INT8]"}},
      {"(?:a|b) tail", {" tail"}},
      {"colou?r is", {"colo"}},
      {"x{2,3}abc", {"abc"}},
      {"ab+cd*e", {"ab"}},
      {"[^]x]+ words[a-z]", {" words"}},
      {"\\d+ bytes \\(MiB\\)", {" bytes (MiB)"}},
      {"a{(b}c)", {}},
      {"a{b|c}", {}},
      {"(?i)words", {}},
      {"before (?i)words", {}},
      {"before (?i:long words)", {"before "}},
      {"(?s:.+?)(?:[.,]? more| due)", {" more", " due"}},
      {"\\x41bc", {}},
      {"open (group", {}},
      {"closed) group", {}},
      {"open [class", {}},
      {"op: (\\w+)\\s*(?:\\n|$)", {"op: "}},
      {"[[:alpha:]] words", {}},
      {".*", {}},
      {"", {}},
      {"a long text|b+ other", {"a long text", " other"}},
      {"x(?:a|b) tail|[|]word", {" tail", "word"}},
      {"text\\|more", {"text|more"}},
      {"(?P<x>first|second) a", {"first", "second"}},
      {"(?:long (?:one|two)|other) a", {"long ", "other"}},
      {"(?:first|second)? a", {" a"}},
      {"(?:first|) a", {" a"}},
      {"(?:first|second){0,2} a", {" a"}},
      {"text|.*", {}},
      {"text|(open", {}},
  };
  for (const Case& c : cases) EXPECT_EQ(required_words(c.regex), c.words) << c.regex;
  EXPECT_TRUE(required_words(std::string(100000, '(') + std::string(100000, ')')).empty());
}

TEST(MessagePattern, MayMatch) {
  const MessagePattern either("first one|second one");
  EXPECT_TRUE(either.may_match("the second one"));
  EXPECT_FALSE(either.may_match("the third one"));
  const MessagePattern any_case("(?i)Cuda failure");
  EXPECT_TRUE(any_case.may_match("a CUDA Failure"));
  EXPECT_FALSE(any_case.may_match("a CUDA success"));
  const MessagePattern of_lines("(?m)^Killed$");
  EXPECT_TRUE(of_lines.may_match("a\nKilled"));
  EXPECT_FALSE(of_lines.may_match("killed"));
  EXPECT_TRUE(MessagePattern(".*").may_match(""));
}

// Whatever a rule's pattern matches holds its words: held against all samples and near misses.
TEST(MessagePattern, WordsOfTheRulesStandInWhatTheyMatch) {
  std::vector<Diagnostic> unused;
  const std::vector<MessageRule> rules = load_message_rules(embedded_rule_files(), {}, unused);
  std::vector<std::string> texts;
  for (const MessageRule& rule : rules) {
    for (const RuleSample& sample : rule.samples) {
      texts.push_back(sample.text);
      texts.insert(texts.end(), sample.also.begin(), sample.also.end());
    }
    for (const RuleSample& sample : rule.near_misses) texts.push_back(sample.text);
  }
  std::size_t matches = 0, spared = 0;
  for (const MessageRule& rule : rules) {
    for (const RulePattern& pattern : rule.patterns) {
      ASSERT_TRUE(pattern.re->re().ok()) << pattern.text;
      for (const std::string& text : texts) {
        const bool match = re2::RE2::PartialMatch(text, pattern.re->re());
        const bool may = pattern.re->may_match(text);
        EXPECT_TRUE(may || !match) << pattern.text << '\n' << text;
        matches += match ? 1 : 0;
        spared += may ? 0 : 1;
      }
    }
  }
  EXPECT_GT(matches, 100U);
  EXPECT_GT(spared, matches);
}

}  // namespace
}  // namespace trtlens::message_pattern_test
