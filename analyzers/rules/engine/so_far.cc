// Findings of messages before the log has its end.
#include <algorithm>

#include "analyzers/labels.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/rules/engine/message_rules.h"

namespace trtlens {
namespace {

// Of the first tensor that needs a scale and has none; what that costs the layers say, at the end.
void add_missing_scale(const Build& build, std::vector<Finding>& out) {
  const auto first =
      std::ranges::find_if_not(build.missing_scales, needs_no_scale, &MissingScale::tensor);
  if (first == build.missing_scales.end()) return;
  Finding& finding = out.emplace_back();
  finding.rule = "missing-scale-hot-layer";
  finding.severity = Severity::moderate;
  finding.title =
      "Tensor " + name_label(first->tensor) + " has no scale: its layers may stay out of INT8";
}

}  // namespace

std::vector<Finding> problems_so_far(const Build& build, const RuleBase* base) {
  const std::vector<MessageRule>& rules =
      base != nullptr && base->messages ? *base->messages : embedded_message_rules();
  std::vector<Finding> found = match_message_rules(build, {}, rules);
  std::erase_if(found, [&](const Finding& finding) {
    const auto rule = std::ranges::find_if(
        rules, [&](const MessageRule& one) { return one.info.id == finding.rule; });
    const bool is_of_message =
        rule != rules.end() && !rule->patterns.empty() && rule->computed.empty();
    return finding.severity < Severity::major || !is_of_message;
  });
  // What it costs the layers say, and their times (temper_messages() in analyze.cc).
  for (Finding& finding : found) {
    if (finding.rule == "int8-without-fp16") finding.severity = Severity::moderate;
  }
  add_missing_scale(build, found);
  return found;
}

}  // namespace trtlens
