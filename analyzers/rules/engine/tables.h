// The rules as bytes, which cmake/compile_rules.cc makes of their files when trtlens is built: a
// start reads them in a tenth of the time that JSON and the patterns' words take.
#pragma once

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

}  // namespace trtlens
