// Gathers the rules that are linked in and the message rules; makes findings and evidence for them.
#include "analyzers/rules/rule.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "analyzers/graph/graph.h"
#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/nearest_name.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/tables.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens {

#define X(name)            \
  namespace checks::name { \
  extern const Rule rule;  \
  }
#include "rules.inc"
#undef X

namespace {

std::vector<std::string> texts_of(const std::vector<RuleRemedy>& of) {
  std::vector<std::string> texts;
  texts.reserve(of.size());
  for (const RuleRemedy& one : of) texts.push_back(one.text);
  return texts;
}

std::vector<std::string> check_texts_of(const std::vector<RuleRemedy>& special,
                                        const std::string& last) {
  std::vector<std::string> texts = texts_of(special);
  if (!last.empty()) texts.push_back(last);
  return texts;
}

}  // namespace

const std::vector<const Rule*>& structural_rules() {
  static const std::vector<const Rule*> rules = {
#define X(name) &checks::name::rule,
#include "rules.inc"
#undef X
  };
  return rules;
}

const std::map<std::string, RuleInfo, std::less<>>& coded_rule_infos() {
  static const std::map<std::string, RuleInfo, std::less<>> infos = [] {
    std::map<std::string, RuleInfo, std::less<>> by_id;
    for (const RuleInfo& info : embedded_rule_tables().coded) by_id.emplace(info.id, info);
    return by_id;
  }();
  return infos;
}

const std::vector<Cause>& causes() {
  return embedded_rule_tables().causes;
}

const Cause* cause_by_id(std::string_view id) {
  const auto found = std::ranges::find(causes(), id, &Cause::id);
  return found == causes().end() ? nullptr : &*found;
}

const RuleInfo& rule_info(std::string_view id) {
  static const RuleInfo none;
  const auto found = coded_rule_infos().find(id);
  return found == coded_rule_infos().end() ? none : found->second;
}

RuleInfo rule_info(std::string_view id, const RuleBase& base) {
  RuleInfo info = rule_info(id);
  for (const ThresholdSetting& setting : base.thresholds) {
    if (setting.rule != info.id) continue;
    for (Threshold& threshold : info.thresholds) {
      if (setting.key == threshold.key) threshold.value = setting.value;
    }
  }
  return info;
}

std::vector<RuleInfo> all_rule_infos(const RuleBase& base) {
  std::vector<RuleInfo> infos =
      base.messages ? message_rule_infos(*base.messages) : message_rule_infos();
  for (const auto& [id, unused] : coded_rule_infos()) infos.push_back(rule_info(id, base));
  std::ranges::sort(infos, {}, &RuleInfo::id);
  return infos;
}

std::vector<std::string> all_rule_ids(const RuleBase& base) {
  std::vector<std::string> ids;
  for (const MessageRule& rule : base.messages ? *base.messages : embedded_message_rules()) {
    if (!rule.is_consequence) ids.push_back(rule.info.id);
  }
  for (const auto& [id, unused] : coded_rule_infos()) ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

RuleInfo any_rule_info(const std::string& id) {
  if (const auto coded = coded_rule_infos().find(id); coded != coded_rule_infos().end()) {
    return coded->second;
  }
  for (const MessageRule& rule : embedded_message_rules()) {
    if (rule.info.id == id) return readable_info(rule);
  }
  RuleInfo info;
  info.id = id;
  return info;
}

RuleBase rule_base(const std::vector<RuleFile>& files, bool check_all,
                   std::vector<Diagnostic>& diagnostics) {
  RuleBase base;
  if (files.empty() && !check_all) return base;
  base.messages = std::make_shared<const std::vector<MessageRule>>(load_message_rules(
      embedded_rule_files(), files, diagnostics, check_all ? SampleCheck::run : SampleCheck::skip));
  for (const MessageRule& rule : *base.messages) {
    for (const Rule* structural : structural_rules()) {
      if (rule.info.id != structural->id) continue;
      diagnostics.push_back({"rule-file", DiagnosticSeverity::error, rule.file, rule.line,
                             rule.column, "the id of no structural rule",
                             '"' + rule.info.id + '"'});
    }
  }
  return base;
}

std::optional<ThresholdSetting> threshold_setting(const std::string& text, std::string& problem) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).rfind('.');
  if (equals == std::string::npos || dot == std::string::npos) {
    problem = "it is no RULE.KEY=VALUE";
    return std::nullopt;
  }
  ThresholdSetting setting{text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), 0};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, setting.value);
  const bool is_number = error == std::errc() && rest == end && std::isfinite(setting.value);
  if (!is_number || setting.value < 0) {
    problem = "'" + text.substr(equals + 1) + "' is no number of at least 0";
    return std::nullopt;
  }
  std::string known;
  std::vector<std::string> ids;
  for (const Rule* rule : structural_rules()) {
    ids.emplace_back(rule->id);
    if (rule->id != setting.rule) continue;
    for (const Threshold& threshold : rule_info(rule->id).thresholds) {
      if (setting.key == threshold.key) return setting;
      known += std::string(known.empty() ? "" : ", ") + threshold.key;
    }
    problem = known.empty() ? "rule '" + setting.rule + "' has no thresholds"
                            : "rule '" + setting.rule + "' has the thresholds " + known;
    return std::nullopt;
  }
  problem = "no structural rule '" + setting.rule + "'" + did_you_mean(setting.rule, ids);
  return std::nullopt;
}

Severity severity_of_share(double share) {
  if (share >= 0.10) return Severity::major;
  if (share >= 0.03) return Severity::moderate;
  if (share >= 0.005) return Severity::minor;
  return Severity::info;
}

void put_at_stake(double stake_ms, double profile_ms, Finding& finding) {
  finding.stake_ms = stake_ms;
  if (profile_ms > 0) finding.severity = severity_of_share(stake_ms / profile_ms);
}

double RuleInfo::threshold(std::string_view key) const {
  for (const Threshold& t : thresholds) {
    if (t.key == key) return t.value;
  }
  // A programmer's error, which code_faults() finds when trtlens is built.
  throw std::logic_error("rule '" + id + "' has no threshold '" + std::string(key) + "'");
}

std::vector<std::string> RuleInfo::remedy_texts() const {
  return texts_of(remedies);
}

std::vector<std::string> RuleInfo::check_texts() const {
  return check_texts_of(special_checks, next_check);
}

std::vector<std::string> Cause::check_texts() const {
  return check_texts_of(special_checks, next_check);
}

std::vector<std::string> RuleInfo::pages() const {
  std::vector<std::string> pages;
  std::ranges::copy_if(seen, std::back_inserter(pages),
                       [](const std::string& one) { return one.starts_with("https://"); });
  pages.insert(pages.end(), sources.begin(), sources.end());
  return pages;
}

Finding RuleInfo::finding(const Values& values, const Build& build) const {
  Finding finding;
  finding.rule = id;
  finding.cause = cause.empty() ? id : cause;
  finding.category = category;
  finding.severity = severity;
  finding.confidence = confidence;
  finding.title = message_rules::expand(title, values);
  finding.why = message_rules::expand(why, values);
  const std::string check = message_rules::check_for(next_check, special_checks, build);
  finding.next_check = filled_check(build, message_rules::expand(check, values));
  finding.sources = pages();
  finding.remedies = message_rules::remedies_for(remedies, values, build);
  return finding;
}

Finding RuleContext::finding(const Values& values) const {
  Finding finding = info.finding(values, analysis.build);
  const bool asks = has_word(finding.next_check, {kAnyFloatRebuild, kSameRebuild});
  finding.next_check =
      recorded_check(analysis.build, asks && is_explicitly_quantized(*this), finding.next_check);
  return finding;
}

double RuleContext::time_ms(const std::vector<std::size_t>& layers) const {
  return Fence::time_ms(analysis.build, layers);
}

Finding RuleContext::finding(const std::vector<std::size_t>& layers, const Values& values) const {
  Finding result = finding(values);
  const std::set<std::size_t> once(layers.begin(), layers.end());
  double sum = 0;
  bool timed = false;
  for (const std::size_t i : once) {
    result.layers.push_back(layer(i).name);
    if (!layer(i).time) continue;
    timed = true;
    sum += layer(i).time->mean_ms;
  }
  if (timed) put_at_stake(sum, analysis.build.profile_sum_ms, result);
  return result;
}

Evidence RuleContext::measured(std::size_t i, std::string note) const {
  Evidence evidence;
  evidence.layer = layer(i).name;
  evidence.note = std::move(note);
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
