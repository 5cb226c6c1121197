// The rule base, and one rule of it.
#include "report/formats/json/parts.h"
#include "report/formats/rules_report.h"

namespace trtlens {
namespace {

Json json_rule(const RuleInfo& rule) {
  Json json;
  json["id"] = rule.id;
  json["cause"] = rule.cause.empty() ? rule.id : rule.cause;
  json["category"] = rule.category;
  json["severity"] = to_string(rule.severity);
  json["confidence"] = to_string(rule.confidence);
  json["versions"] = json_text(rule.version_range);
  json["what"] = rule.what;
  json["why"] = rule.why;
  json["remedies"] = rule.remedy_texts();
  json["next_check"] = rule.next_check;
  json["false_positive"] = json_text(rule.false_positive);
  json["patterns"] = rule.patterns;
  json["conditions"] = rule.conditions;
  json["thresholds"] = Json::array();
  for (const Threshold& threshold : rule.thresholds) {
    Json one;
    one["key"] = threshold.key;
    one["value"] = threshold.value;
    one["unit"] = threshold.unit;
    one["meaning"] = threshold.meaning;
    json["thresholds"].push_back(std::move(one));
  }
  json["samples"] = rule.samples;
  json["seen"] = rule.seen;
  json["sources"] = rule.sources;
  return json;
}

}  // namespace

std::string rules_json(const std::vector<RuleInfo>& rules, const std::string& version) {
  Json json;
  json["schema_version"] = 1;
  json["tool"] = json_tool(version);
  json["rules"] = Json::array();
  for (const RuleInfo& rule : rules) json["rules"].push_back(json_rule(rule));
  return json_dump(json);
}

}  // namespace trtlens
