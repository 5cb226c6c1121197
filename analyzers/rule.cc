#include "analyzers/rule.h"

#include <algorithm>
#include <string_view>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/gate.h"
#include "analyzers/graph.h"
#include "analyzers/ledgers.h"
#include "analyzers/message_rules.h"

namespace trtlens {

#define X(name) extern const Rule name;
#include "rules.inc"
#undef X

const std::vector<const Rule*>& structural_rules() {
  static const std::vector<const Rule*> rules = {
#define X(name) &(name),
#include "rules.inc"
#undef X
  };
  return rules;
}

std::vector<RuleInfo> all_rule_infos() {
  std::vector<RuleInfo> infos = message_rule_infos();
  for (const Rule* rule : structural_rules()) infos.push_back(rule->info);
  for (const RuleInfo& info : gate_rule_infos()) infos.push_back(info);
  for (const CompareRule* rule : compare_rules()) infos.push_back(rule->info);
  std::sort(infos.begin(), infos.end(),
            [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; });
  return infos;
}

Severity severity_of_share(double share) {
  if (share >= 0.10) return Severity::major;
  if (share >= 0.03) return Severity::moderate;
  if (share >= 0.005) return Severity::minor;
  return Severity::info;
}

double RuleContext::threshold(const char* key) const {
  for (const Threshold& t : info.thresholds) {
    if (std::string_view(t.key) == key) return t.value;
  }
  return 0;
}

Finding RuleContext::finding() const {
  Finding finding;
  finding.rule = info.id;
  finding.category = info.category;
  finding.severity = info.severity;
  finding.confidence = info.confidence;
  finding.why = info.why;
  finding.remedies = info.remedies;
  finding.next_check = info.next_check;
  finding.sources = info.sources;
  return finding;
}

double RuleContext::time_ms(const std::vector<std::size_t>& layers) const {
  return Fence::time_ms(analysis.build, layers);
}

Finding RuleContext::finding(const std::vector<std::size_t>& layers) const {
  Finding result = finding();
  const std::set<std::size_t> once(layers.begin(), layers.end());
  double sum = 0;
  bool timed = false;
  for (const std::size_t i : once) {
    result.layers.push_back(layer(i).name);
    if (!layer(i).time) continue;
    timed = true;
    sum += layer(i).time->mean_ms;
  }
  if (timed) {
    result.stake_ms = sum;
    const double total = analysis.build.profile_sum_ms;
    if (total > 0) result.severity = severity_of_share(sum / total);
  }
  return result;
}

Evidence RuleContext::measured(std::size_t i) const {
  Evidence evidence;
  evidence.layer = layer(i).name;
  if (layer(i).time) {
    evidence.metric = "time_ms";
    evidence.value = layer(i).time->mean_ms;
  }
  return evidence;
}

Evidence RuleContext::line(const SourcePos& pos, std::string note) const {
  Evidence evidence;
  evidence.file = path_of(analysis, pos);
  evidence.line = pos.line;
  evidence.note = std::move(note);
  for (const Message& message : analysis.build.messages) {
    if (message.pos.file == pos.file && message.pos.line == pos.line) evidence.text = message.text;
  }
  return evidence;
}

}  // namespace trtlens
