// The rule base for people and programs: `trtlens rules` and `trtlens explain`.
#pragma once

#include <string>
#include <vector>

#include "analyzers/rules/rule.h"

namespace trtlens {

[[nodiscard]] std::string rules_text(const std::vector<RuleInfo>& rules);
// Every rule in full, by category.
[[nodiscard]] std::string rules_markdown(const std::vector<RuleInfo>& rules);
[[nodiscard]] std::string rules_json(const std::vector<RuleInfo>& rules,
                                     const std::string& version);

[[nodiscard]] std::string rule_text(const RuleInfo& rule);
// A cause, with its symptoms among the rules.
[[nodiscard]] std::string cause_text(const Cause& cause, const std::vector<RuleInfo>& rules);
[[nodiscard]] std::string rule_markdown(const RuleInfo& rule);

}  // namespace trtlens
