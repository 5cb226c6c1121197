// Findings of messages before the log has its end.
#include <algorithm>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens {

std::vector<Finding> problems_so_far(const Build& build, const RuleBase* base) {
  const std::vector<MessageRule>& rules =
      base != nullptr && base->messages ? *base->messages : embedded_message_rules();
  std::vector<Finding> found = match_message_rules(build, {}, rules);
  std::erase_if(found, [&](const Finding& finding) {
    const auto rule = std::ranges::find_if(
        rules, [&](const MessageRule& one) { return one.info.id == finding.rule; });
    const bool is_of_message =
        rule != rules.end() && !rule->patterns.empty() && rule->computed == ComputedRule::none;
    return finding.severity < Severity::major || !is_of_message;
  });
  // What it costs the layers say, and their times (temper_messages() in analyze.cc).
  for (Finding& finding : found) {
    if (finding.rule == "int8-without-fp16") finding.severity = Severity::moderate;
  }
  return found;
}

}  // namespace trtlens
