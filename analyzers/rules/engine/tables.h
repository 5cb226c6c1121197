// The rules as bytes, which cmake/compile_rules.cc makes of their files when trtlens is built: a
// start reads them in a tenth of the time that JSON and the patterns' words take.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens {

struct RuleTables {
  std::vector<MessageRule> heads;  // of the message rules: what says whether one fires
  std::vector<RuleInfo> coded;     // the rules that are code, whole
  std::vector<Cause> causes;       // whole
};

[[nodiscard]] std::string bytes_of(RuleTables tables);
// `bytes` are those of bytes_of(), on the same kind of machine.
[[nodiscard]] RuleTables rule_tables_of(std::string_view bytes);
// Those of this binary.
[[nodiscard]] const RuleTables& embedded_rule_tables();

// The words of one pattern or sample of a rule.
struct Wording {
  std::uint16_t rule = 0;   // an index of RuleTables::heads
  std::uint16_t words = 0;  // how many
  bool is_sample = false;   // a whole message: its own words count as well as those in common
};
// What nearest_rule() looks up.
struct WordTable {
  std::vector<Wording> wordings;
  std::vector<std::string> words;                  // sorted
  std::vector<std::vector<std::uint16_t>> places;  // of each word: indices of wordings
};

[[nodiscard]] WordTable word_table_of(const std::vector<MessageRule>& rules);  // with samples
[[nodiscard]] std::string bytes_of(WordTable table);
[[nodiscard]] const WordTable& embedded_word_table();

}  // namespace trtlens
