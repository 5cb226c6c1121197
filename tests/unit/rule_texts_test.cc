// What a tired engineer reads once: the texts of message rules, those of their causes included, are
// short. A placeholder counts as one word, optional parts count.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::rule_texts_test {
namespace {

std::ptrdiff_t words_of(std::string text) {
  for (const char* bracket : {"[[", "]]"}) {
    for (std::size_t at = text.find(bracket); at != std::string::npos; at = text.find(bracket)) {
      text.replace(at, 2, " ");
    }
  }
  std::istringstream in(text);
  std::ptrdiff_t words = 0;
  for (std::string word; in >> word;) {
    words +=
        std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0; }) ? 1 : 0;
  }
  return words;
}

bool has_condition(const RuleRemedy& remedy) {
  return remedy.versions.min || remedy.versions.max || !remedy.programs.empty() ||
         !remedy.command_lacks.empty() || remedy.text.compare(0, 2, "[[") == 0;
}

std::vector<MessageRule> whole_rules() {
  std::vector<Diagnostic> unused;
  return load_message_rules(embedded_rule_files(), {}, unused, SampleCheck::skip);
}

TEST(RuleTexts, AreShort) {
  constexpr std::ptrdiff_t kTitle = 12, kWhy = 60, kRemedy = 25, kCheck = 25;
  for (const MessageRule& rule : whole_rules()) {
    const RuleInfo& info = rule.info;
    EXPECT_LE(words_of(info.title), kTitle) << info.id << ": " << info.title;
    EXPECT_LE(words_of(info.why), kWhy) << info.id << ": " << info.why;
    EXPECT_LE(words_of(info.next_check), kCheck) << info.id << ": " << info.next_check;
    for (const RuleRemedy& remedy : info.remedies) {
      EXPECT_LE(words_of(remedy.text), kRemedy) << info.id << ": " << remedy.text;
    }
  }
}

TEST(RuleTexts, AFewRemediesAlwaysApply) {
  for (const MessageRule& rule : whole_rules()) {
    if (rule.is_consequence) continue;
    const auto always = std::ranges::count_if(
        rule.info.remedies, [](const RuleRemedy& remedy) { return !has_condition(remedy); });
    EXPECT_LE(always, 3) << rule.info.id;
    EXPECT_FALSE(rule.info.remedies.empty()) << rule.info.id;
  }
}

// A guess prints its check first, so that must tell the causes apart: it says what follows from an
// outcome, and does not end with a question that leaves the answer to the reader.
bool says_what_an_outcome_means(const std::string& check) {
  static const RE2 outcome(R"((?i)\b(?:if|else|means?|tells?|confirms)\b)");
  return RE2::PartialMatch(check, outcome) && !check.ends_with('?');
}

TEST(RuleTexts, TheCheckOfAGuessTells) {
  int guesses = 0;
  for (const MessageRule& rule : whole_rules()) {
    const RuleInfo& info = rule.info;
    if (info.severity < Severity::major || info.confidence != Confidence::guessed) continue;
    EXPECT_TRUE(says_what_an_outcome_means(info.next_check)) << info.id << ": " << info.next_check;
    ++guesses;
  }
  EXPECT_GT(guesses, 30);
}

// A rule that does not know what its message means takes the check of the place that failed.
TEST(RuleTexts, TheCheckOfAPlaceTells) {
  for (const Cause& cause : causes()) {
    if (cause.places.empty()) continue;
    EXPECT_TRUE(says_what_an_outcome_means(cause.next_check))
        << cause.id << ": " << cause.next_check;
  }
}

// A symptom that nobody has seen is a guess: each names a log that it fired on, or a thread, or a
// document that quotes it.
TEST(RuleTexts, EachWasSeenSomewhere) {
  for (const MessageRule& rule : whole_rules()) {
    if (rule.is_consequence) continue;
    EXPECT_FALSE(rule.info.seen.empty()) << rule.info.id;
  }
  for (const auto& [id, info] : coded_rule_infos()) EXPECT_FALSE(info.seen.empty()) << id;
}

}  // namespace
}  // namespace trtlens::rule_texts_test
