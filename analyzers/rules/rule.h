// The record of a rule, whose texts and thresholds are data, and what a structural rule is: the
// predicate in C++, one rule a file; its record in one file a family, with the keys of the message
// rules.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/finding.h"
#include "analyzers/text.h"

namespace trtlens {

class Graph;
class WidthReasons;
struct MessageRule;  // analyzers/rules/engine/message_rules.h

struct Threshold {
  std::string key;
  double value = 0;
  std::string unit;  // "share", "ms", "count"
  std::string meaning;
};

// Both ends included, as Version::number(); an end that is not given is open.
struct VersionRange {
  std::optional<int> min, max;
};

// Where a remedy applies.
struct RuleRemedy {
  std::string text;
  VersionRange versions;
  std::vector<std::string> programs;        // the input shows one of them: shows_program()
  std::vector<std::string> command_lacks;   // the command has none of these flags
  std::vector<std::string> command_has;     // it has one of these
  std::vector<std::string> operators;       // the network shows one of these: shows_operator()
  std::vector<std::string> other_programs;  // it shows none of these
};

// What is wrong, where a rule is what a log or an engine shows of it: analyzers/rules/causes.json.
// A rule that names no cause is the only symptom of one, and has its id.
struct Cause {
  std::string id;
  std::string title;  // one short sentence
  // Of its rules that have none of their own, and of errors that no rule knows.
  std::string why, next_check;
  std::vector<RuleRemedy> remedies;
  std::vector<RuleRemedy> special_checks;  // the first that applies stands for next_check
  [[nodiscard]] std::vector<std::string> check_texts() const;
  std::vector<std::string> sources;
  std::vector<std::string> leads_to;  // causes whose symptoms follow from this one
  // Of the source file and function that an error of TensorRT names ("pluginV2Runner.cpp::execute")
  // a pattern, and in words what that part of TensorRT is.
  std::string places, part;
  bool is_harmless = false;   // nothing has to be done
  bool is_last_word = false;  // says only that it ended: any other cause before it explains it
};

// Of the placeholders of a rule's texts.
using Values = std::map<std::string, std::string>;

// What findings of a rule say, and `trtlens rules` and `trtlens explain`, for rules of all sources.
// `{name}` stands for a value, as does `{name|text when not known}`; `[[…]]` is left out when a
// value in it is not known.
struct RuleInfo {
  std::string id;     // names the hazard, not the cure
  std::string cause;  // id; empty: the rule's own
  std::string category;
  Severity severity = Severity::info;            // when the stake is not known
  Confidence confidence = Confidence::inferred;  // of the inference from evidence to cause
  std::string title;                             // of its findings; empty: the check makes it
  std::string what;                              // what it detects, in one sentence
  std::string why;                               // why that is bad
  std::vector<RuleRemedy> remedies;
  std::string next_check;
  std::string false_positive;
  std::vector<std::string> sources;
  std::vector<Threshold> thresholds;
  std::string version_range;                 // "8.5", "≤ 10.16"; empty: any
  std::vector<RuleRemedy> special_checks{};  // the first that applies stands for next_check
  // Where its symptom was seen: threads, logs and engines ("log 30", "b_yolo_fp16: …"); or "none: "
  // and why it is silent on those that come near, or where the text is known from.
  std::vector<std::string> seen{};
  std::vector<std::string> patterns{};  // of message rules
  // What has to hold besides, in words, and texts that fire it; only where they were asked for.
  std::vector<std::string> conditions{}, samples{};

  // Value of a threshold of this rule, which has to have it.
  [[nodiscard]] double threshold(std::string_view key) const;
  // A finding of this rule, with the remedies for the TensorRT of the build.
  [[nodiscard]] Finding finding(const Values& values, const Build& build) const;
  [[nodiscard]] std::vector<std::string> remedy_texts() const;
  [[nodiscard]] std::vector<std::string> check_texts() const;  // special ones first
  // The threads that it was seen in, and its sources.
  [[nodiscard]] std::vector<std::string> pages() const;
};

[[nodiscard]] const std::vector<Cause>& causes();
[[nodiscard]] const Cause* cause_by_id(std::string_view id);  // null: none of causes()

// A file of message rules of the user.
struct RuleFile {
  std::string path, text;
};

// A threshold of a structural rule that is not to have its own value.
struct ThresholdSetting {
  std::string rule, key;
  double value = 0;
};

// The rules in force: the embedded message rules with those of the user, and the structural ones.
struct RuleBase {
  std::shared_ptr<const std::vector<MessageRule>> messages;  // null: the embedded ones
  std::vector<ThresholdSetting> thresholds;
};

// Message rules of `files` beside the embedded ones, replacing those of the same id. Faults of the
// files are reported as file:line:column; `check_all`: those of the embedded files are looked for
// as well, and samples are kept.
[[nodiscard]] RuleBase rule_base(const std::vector<RuleFile>& files, bool check_all,
                                 std::vector<Diagnostic>& diagnostics);
// What messages of a log that is still being read mean: findings of its fatal and major message
// rules. The end of the log may say otherwise of them. `base` null: the embedded rules.
[[nodiscard]] std::vector<Finding> problems_so_far(const Build& build, const RuleBase* base);
// For ParseOptions; `base` outlives it, null: the embedded rules.
[[nodiscard]] KnownMessage known_message(const RuleBase* base);
// Regular expressions and words that the message rules look for in a build; `base` null: the
// embedded ones.
[[nodiscard]] std::vector<std::string> searched_by_rules(const RuleBase* base);
// "RULE.KEY=VALUE"; nothing, and `problem` says why, when there is no such threshold.
[[nodiscard]] std::optional<ThresholdSetting> threshold_setting(const std::string& text,
                                                                std::string& problem);

struct RuleContext {
  const Analysis& analysis;
  const Graph& graph;
  const WidthReasons& reasons;
  const RuleInfo& info;
  const std::set<std::size_t>& claimed;  // layers that a more specific finding has in its stake
  const std::set<std::size_t>& claimed_by_cause;  // those of Pass::cause

  [[nodiscard]] double threshold(std::string_view key) const { return info.threshold(key); }
  // As RuleInfo::finding(), the next check in the words of the recorded command.
  [[nodiscard]] Finding finding(const Values& values = {}) const;
  // The same with the profile time of `layers` at stake. Layers are named once each; those without
  // a time leave the stake unknown only when none has one.
  [[nodiscard]] Finding finding(const std::vector<std::size_t>& layers,
                                const Values& values = {}) const;
  // Sum of the profile times of `layers`.
  [[nodiscard]] double time_ms(const std::vector<std::size_t>& layers) const;
  [[nodiscard]] const Layer& layer(std::size_t i) const { return analysis.build.layers[i]; }
  [[nodiscard]] const LayerVerdict& verdict(std::size_t i) const { return analysis.verdicts[i]; }
  // A layer with its time; or a place in a file, quoted where a message stands there.
  [[nodiscard]] Evidence measured(std::size_t i, std::string note = {}) const;
  [[nodiscard]] Evidence line(const SourcePos& pos, std::string note) const;
};

// Rules run pass by pass, inside a pass in the order of their file names, and none counts again
// what one before it has in its stake. `cause` names one cause and everything that it costs;
// `placement` explains what no cause has: a pattern of neighbours; `symptom` and `rest` collect
// what is left; `note` has no stake.
enum class Pass : std::uint8_t { cause, placement, symptom, rest, note };

// What a file of analyzers/rules/checks defines.
struct Rule {
  const char* id = "";
  Pass pass = Pass::cause;
  void (*check)(const RuleContext& context, std::vector<Finding>& out) = nullptr;
};

// All structural rules, sorted by file name.
[[nodiscard]] const std::vector<const Rule*>& structural_rules();
// Texts of every rule, message rules included, sorted by id.
[[nodiscard]] std::vector<RuleInfo> all_rule_infos(const RuleBase& base = {});
[[nodiscard]] std::vector<std::string> all_rule_ids(const RuleBase& base = {});
// The texts of one; of a rule that is not embedded the id alone.
[[nodiscard]] RuleInfo any_rule_info(const std::string& id);
// Those of the rules that are code, by id: structural ones, those of two builds and of gates.
[[nodiscard]] const std::map<std::string, RuleInfo, std::less<>>& coded_rule_infos();
[[nodiscard]] const RuleInfo& rule_info(std::string_view id);  // of one of them
// With the thresholds that are in force.
[[nodiscard]] RuleInfo rule_info(std::string_view id, const RuleBase& base);

// Severity of a stake: major from 10 % of profile time, moderate from 3 %, minor from 0.5 %, else
// info.
[[nodiscard]] Severity severity_of_share(double share);
// The stake, and severity by its share where the profile's time is known.
void put_at_stake(double stake_ms, double profile_ms, Finding& finding);

}  // namespace trtlens
