// Finds the rules that a message can concern: one of the words of their patterns stands in it.
#pragma once

#include <cstddef>
#include <cstdint>
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

 private:
  struct Word {
    const std::string* text;
    const MessagePattern* pattern;
    std::size_t rule;
  };

  void add(const MessagePattern& pattern, std::size_t rule);

  std::unordered_map<std::uint32_t, std::vector<Word>> by_beginning_;
  std::vector<std::size_t> always_;  // their words are short or not known
};

}  // namespace trtlens::message_rules
