// The rule base, and one rule of it.
#include "report/formats/json/parts.h"
#include "report/formats/rules_report.h"

namespace trtlens {
namespace {

Json json_threshold(const Threshold& threshold) {
  return {{"key", threshold.key},
          {"value", threshold.value},
          {"unit", threshold.unit},
          {"meaning", threshold.meaning}};
}

Json json_rule(const RuleInfo& rule) {
  Json thresholds = Json::array();
  for (const Threshold& one : rule.thresholds) thresholds.push_back(json_threshold(one));
  return {{"id", rule.id},
          {"cause", rule.cause.empty() ? rule.id : rule.cause},
          {"category", rule.category},
          {"severity", to_string(rule.severity)},
          {"confidence", to_string(rule.confidence)},
          {"versions", json_text(rule.version_range)},
          {"what", rule.what},
          {"why", rule.why},
          {"remedies", rule.remedy_texts()},
          {"next_check", rule.next_check},
          {"checks", rule.check_texts()},
          {"false_positive", json_text(rule.false_positive)},
          {"patterns", rule.patterns},
          {"conditions", rule.conditions},
          {"thresholds", std::move(thresholds)},
          {"samples", rule.samples},
          {"seen", rule.seen},
          {"sources", rule.sources}};
}

}  // namespace

std::string rules_json(const std::vector<RuleInfo>& rules, const std::string& version) {
  Json all = Json::array();
  for (const RuleInfo& rule : rules) all.push_back(json_rule(rule));
  return json_dump(
      {{"schema_version", 1}, {"tool", json_tool(version)}, {"rules", std::move(all)}});
}

}  // namespace trtlens
