// The rules that a command works with: --rules and --rule-threshold.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"

namespace trtlens {

struct RuleOptions {
  std::vector<std::string> paths;       // files, or directories whose *.json are read
  std::vector<std::string> thresholds;  // RULE.KEY=VALUE
};

// Null after faults, which are printed. `check_all`: of the embedded rules, too; samples are kept.
[[nodiscard]] std::shared_ptr<const RuleBase> read_rules(const RuleOptions& options,
                                                         bool check_all = false);

// Fills in how to analyze with these rules and without what `ignore` names. False after faults,
// which are printed.
[[nodiscard]] bool set_rules(const RuleOptions& options, const std::vector<std::string>& ignore,
                             AnalyzeOptions& how);

}  // namespace trtlens
