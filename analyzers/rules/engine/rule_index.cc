// The index of words, by the four bytes of each that the fewest others have.
#include "analyzers/rules/engine/rule_index.h"

#include <algorithm>

namespace trtlens::message_rules {
namespace {

constexpr std::size_t kBytes = 4;

std::size_t slot_of(std::uint32_t four) {
  return (four * 2654435761U) >> 16U;
}

}  // namespace

RuleIndex::RuleIndex(const std::vector<MessageRule>& rules) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_consequence) continue;
    for (const RulePattern& pattern : rules[i].patterns) add(*pattern.re, i, words);
  }
  std::vector<std::uint16_t> uses(fours_.size());
  for (const Word& word : words) {
    for (std::size_t at = 0; at + kBytes <= word.text->size(); ++at) {
      ++uses[slot_of(four_bytes(word.text->data() + at))];
    }
  }
  for (Word& word : words) {
    const auto uses_at = [&](std::size_t at) {
      return uses[slot_of(four_bytes(word.text->data() + at))];
    };
    std::uint16_t least = uses_at(0);
    for (std::size_t at = 1; at + kBytes <= word.text->size(); ++at) {
      if (uses_at(at) >= least) continue;
      word.at = at;
      least = uses_at(at);
    }
    const std::uint32_t four = four_bytes(word.text->data() + word.at);
    fours_.set(slot_of(four));
    words_[four].push_back(word);
  }
}

std::set<std::size_t> RuleIndex::possible(const std::string& text) const {
  std::set<std::size_t> rules(always_.begin(), always_.end());
  for (const Told& told : told_by_words(text)) rules.insert(told.rule);
  return rules;
}

std::vector<RuleIndex::Told> RuleIndex::told_by_words(const std::string& text) const {
  std::vector<Told> told;
  std::uint32_t four = 0;
  for (std::size_t end = 0; end < text.size(); ++end) {
    four = four << 8U | static_cast<unsigned char>(lower_case(text[end]));
    if (end + 1 < kBytes || !fours_.test(slot_of(four))) continue;
    const auto found = words_.find(four);
    if (found == words_.end()) continue;
    const std::size_t at = end + 1 - kBytes;
    for (const Word& word : found->second) {
      if (word.at > at || !word.pattern->stands_at(at - word.at, *word.text, text)) continue;
      told.push_back({word.rule, at - word.at, word.text});
    }
  }
  return told;
}

void RuleIndex::add(const MessagePattern& pattern, std::size_t rule, std::vector<Word>& to) {
  const std::vector<std::string>& words = pattern.words();
  const bool is_short =
      std::ranges::any_of(words, [](const auto& word) { return word.size() < kBytes; });
  if (words.empty() || is_short) {
    always_.push_back(rule);
    return;
  }
  for (const std::string& word : words) to.push_back({&word, &pattern, rule, 0});
}

std::shared_ptr<const RuleIndex> index_of(const std::vector<MessageRule>& rules) {
  if (&rules != &embedded_message_rules()) return std::make_shared<const RuleIndex>(rules);
  static const auto embedded = std::make_shared<const RuleIndex>(embedded_message_rules());
  return embedded;
}

}  // namespace trtlens::message_rules
