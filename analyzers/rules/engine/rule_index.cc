// The index of words, by their first four bytes.
#include "analyzers/rules/engine/rule_index.h"

#include <algorithm>

namespace trtlens::message_rules {
namespace {

constexpr std::size_t kBytes = 4;

}  // namespace

RuleIndex::RuleIndex(const std::vector<MessageRule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_consequence) continue;
    for (const RulePattern& pattern : rules[i].patterns) add(*pattern.re, i);
  }
}

std::set<std::size_t> RuleIndex::possible(const std::string& text) const {
  std::set<std::size_t> rules(always_.begin(), always_.end());
  for (std::size_t at = 0; at + kBytes <= text.size(); ++at) {
    const auto found = by_beginning_.find(four_bytes(text.data() + at));
    if (found == by_beginning_.end()) continue;
    for (const Word& word : found->second) {
      if (word.pattern->stands_at(at, *word.text, text)) rules.insert(word.rule);
    }
  }
  return rules;
}

void RuleIndex::add(const MessagePattern& pattern, std::size_t rule) {
  const std::vector<std::string>& words = pattern.words();
  const bool is_short = std::any_of(words.begin(), words.end(),
                                    [](const auto& word) { return word.size() < kBytes; });
  if (words.empty() || is_short) {
    always_.push_back(rule);
    return;
  }
  for (const std::string& word : words) {
    by_beginning_[four_bytes(word.data())].push_back({&word, &pattern, rule});
  }
}

}  // namespace trtlens::message_rules
