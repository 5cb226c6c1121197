// The index of words, by their first four bytes.
#include "analyzers/rules/engine/rule_index.h"

#include <algorithm>
#include <system_error>

namespace trtlens::message_rules {
namespace {

constexpr std::size_t kBytes = 4;

std::size_t slot_of(std::uint32_t beginning) {
  return (beginning * 2654435761U) >> 16U;
}

// "No space left on device": any program prints it.
bool is_error_of_system(const std::string& word) {
  static const std::set<std::string> texts = [] {
    constexpr int kMostErrors = 140;
    std::set<std::string> all;
    for (int n = 1; n < kMostErrors; ++n) all.insert(std::generic_category().message(n));
    return all;
  }();
  return texts.count(word) != 0;
}

}  // namespace

RuleIndex::RuleIndex(const std::vector<MessageRule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_consequence) continue;
    for (const RulePattern& pattern : rules[i].patterns) add(*pattern.re, i);
  }
}

std::set<std::size_t> RuleIndex::possible(const std::string& text) const {
  std::set<std::size_t> rules = told_by_words(text);
  rules.insert(always_.begin(), always_.end());
  return rules;
}

std::set<std::size_t> RuleIndex::told_by_words(const std::string& text) const {
  std::set<std::size_t> rules;
  for (std::size_t at = 0; at + kBytes <= text.size(); ++at) {
    const std::uint32_t beginning = four_bytes(text.data() + at);
    if (!beginnings_.test(slot_of(beginning))) continue;
    const auto found = by_beginning_.find(beginning);
    if (found == by_beginning_.end()) continue;
    for (const Word& word : found->second) {
      if (word.pattern->stands_at(at, *word.text, text)) rules.insert(word.rule);
    }
  }
  return rules;
}

void RuleIndex::add(const MessagePattern& pattern, std::size_t rule) {
  const std::vector<std::string>& words = pattern.words();
  const bool tells_nothing = std::any_of(words.begin(), words.end(), [](const auto& word) {
    return word.size() < kBytes || is_error_of_system(word);
  });
  if (words.empty() || tells_nothing) {
    always_.push_back(rule);
    return;
  }
  for (const std::string& word : words) {
    const std::uint32_t beginning = four_bytes(word.data());
    beginnings_.set(slot_of(beginning));
    by_beginning_[beginning].push_back({&word, &pattern, rule});
  }
}

}  // namespace trtlens::message_rules
