// Finds the rules that a message can concern: one of the words of their patterns stands in it.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::message_rules {

class RuleIndex {
 public:
  explicit RuleIndex(const std::vector<MessageRule>& rules);
  // Indices of rules.
  [[nodiscard]] std::set<std::size_t> possible(const std::string& text) const;
  // Those whose words stand in the text, one for each place.
  struct Told {
    std::size_t rule;
    std::size_t at;  // of the word
    const std::string* word;
  };
  [[nodiscard]] std::vector<Told> told_by_words(const std::string& text) const;

 private:
  struct Word {
    const std::string* text;
    const MessagePattern* pattern;
    std::size_t rule;
    std::size_t at;  // of the four bytes in the word
  };

  void add(const MessagePattern& pattern, std::size_t rule, std::vector<Word>& to);

  std::bitset<65536> fours_;  // by hash: nearly no place of a text has one
  std::unordered_map<std::uint32_t, std::vector<Word>> words_;
  std::vector<std::size_t> always_;  // their words are short or not known
};

// Of the embedded rules one for all analyses, also side by side; of others one for each call.
[[nodiscard]] std::shared_ptr<const RuleIndex> index_of(const std::vector<MessageRule>& rules);

}  // namespace trtlens::message_rules
