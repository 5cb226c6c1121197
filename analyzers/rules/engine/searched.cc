// What the rules look for in a build, for those who must not change it.
#include <algorithm>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens {
namespace {

void add_requirement(const RuleRequirement& r, std::vector<std::string>& out) {
  for (const auto* words : {&r.command_has, &r.command_lacks, &r.command_has_any, &r.allows,
                            &r.producers, &r.op_is, &r.onnx_has, &r.onnx_has_any, &r.onnx_lacks}) {
    out.insert(out.end(), words->begin(), words->end());
  }
  for (const auto* values : {&r.command_is, &r.banner_is}) {
    for (const ValueRequirement& value : *values) {
      out.push_back(value.name);
      out.push_back(value.value.text);
    }
  }
  for (const RulePattern* pattern : {&r.gpu, &r.and_message, &r.no_message}) {
    out.push_back(pattern->text);
  }
}

}  // namespace

std::vector<std::string> searched_by_rules(const RuleBase* base) {
  const bool is_own = base == nullptr || !base->messages;
  std::vector<std::string> out;
  for (const MessageRule& rule : is_own ? embedded_message_rules() : *base->messages) {
    for (const RulePattern& pattern : rule.patterns) out.push_back(pattern.text);
    add_requirement(rule.requires_, out);
  }
  for (const Cause& cause : causes()) out.push_back(cause.places);
  std::erase(out, "");
  return out;
}

}  // namespace trtlens
