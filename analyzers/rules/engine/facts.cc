// Rules without patterns: what the command, the banner and the model of a log say by themselves.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/reader.h"

namespace trtlens::message_rules {
namespace {

constexpr std::size_t kMaxFlag = 160;  // bytes of an option's value in a note

const Run* run_of(const FactPlaces& places) {
  const Run* of_build = nullptr;
  for (const Run& run : places.runs) {
    const std::vector<int>& mine = places.build.runs;
    if (std::ranges::find(mine, run.n) == mine.end()) continue;
    if (of_build == nullptr || run.command == places.build.command) of_build = &run;
    if (run.command == places.build.command) break;
  }
  return of_build;
}

std::string flag_text(const std::string& name, const std::string& value) {
  return "--" + name + (value.empty() ? "" : "=" + shortened(value, kMaxFlag));
}

// The options that a rule asks for, as the command spells them.
void note_options(const RuleRequirement& requirement, const FactPlaces& places, FactHit& hit) {
  std::set<std::string> wanted;
  for (const auto* list : {&requirement.command_has, &requirement.command_has_any}) {
    for (const std::string& flag : *list) wanted.insert(flag.substr(0, flag.find('=')));
  }
  for (const ValueRequirement& value : requirement.command_is) wanted.insert(value.name);
  std::string note;
  for (const auto& [name, value] : places.build.options.flags) {
    const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    if (wanted.erase(bare) == 0) continue;
    note += (note.empty() ? "" : " ") + flag_text(bare, value);
  }
  if (note.empty()) return;
  hit.values["options"] = note;
  hit.evidence.push_back(places.at_run(note));
}

void note_banner(const RuleRequirement& requirement, const FactPlaces& places, FactHit& hit) {
  for (const ValueRequirement& row : requirement.banner_is) {
    const auto found = places.build.banner.find(row.name);
    if (found == places.build.banner.end()) continue;
    (void)search(row.value, found->second, &hit.values);
    hit.evidence.push_back(places.at_run(row.name + ": " + shortened(found->second, kMaxFlag)));
  }
}

void note_nodes(const RuleRequirement& requirement, const FactPlaces& places, FactHit& hit) {
  for (const auto* list : {&requirement.onnx_has, &requirement.onnx_has_any}) {
    for (const std::string& op : *list) {
      const OnnxNode* node = first_node_of(places.build, op);
      if (node == nullptr) continue;
      hit.evidence.push_back(places.at(node->pos, "first " + op + ": " + node->name));
      if (list == &requirement.onnx_has_any) break;
    }
  }
}

// Version, GPU and precisions, as far as the rule asks for them.
void note_platform(const RuleRequirement& requirement, const FactPlaces& places, FactHit& hit) {
  const Build& build = places.build;
  std::string note;
  const auto add = [&](bool asked, const std::string& text) {
    if (asked) note += (note.empty() ? "" : ", ") + text;
  };
  const RuleRequirement& r = requirement;
  if (build.tensorrt) add(r.versions.min || r.versions.max, "TensorRT " + build.tensorrt->text());
  if (build.gpu) add(r.gpu.re != nullptr, shortened(build.gpu->name, kMaxFlag));
  if (build.gpu) {
    add(r.sm_min || r.sm_max, "compute capability " + build.gpu->compute_capability);
  }
  add(!r.producers.empty(), "log of " + build.producer);
  if (!r.allows.empty()) {
    std::string allowed = "allowed:";
    for (const std::string& label : build.allowed.labels) allowed += ' ' + label;
    add(true, allowed);
  }
  if (!note.empty()) hit.evidence.push_back(places.at_run(note));
}

}  // namespace

Evidence FactPlaces::at(const SourcePos& pos, std::string note) const {
  Evidence evidence;
  if (pos.file < inputs.size()) evidence.file = inputs[pos.file].path;
  evidence.line = pos.line;
  evidence.note = std::move(note);
  return evidence;
}

Evidence FactPlaces::at_run(std::string note) const {
  SourcePos pos;
  if (const Run* run = run_of(*this)) {
    pos.file = run->file;
    pos.line = run->first_line;
  }
  return at(pos, std::move(note));
}

bool is_about_facts(const MessageRule& rule) {
  if (!rule.computed.empty()) return computed_by(rule.computed) != nullptr;
  return !rule.is_consequence && rule.patterns.empty();
}

std::optional<FactHit> fact_hit(const MessageRule& rule, const FactPlaces& places) {
  const RuleRequirement& requirement = rule.requires_;
  // A message tells of its version; without one an unknown version is no ground to speak.
  const bool of_versions = requirement.versions.min || requirement.versions.max;
  if (of_versions && !places.build.tensorrt) return std::nullopt;
  if (!build_meets(requirement, places.build)) return std::nullopt;
  FactHit hit;
  if (requirement.and_message.re) {
    const auto& messages = places.build.messages;
    const auto found = std::ranges::find_if(messages, [&](const Message& message) {
      return search(requirement.and_message, message.text, &hit.values);
    });
    if (found == messages.end()) return std::nullopt;
    hit.evidence.push_back(places.at(found->pos, ""));
    hit.evidence.back().text = shortened(found->text, kMaxValue);
  }
  if (const Computed compute = computed_by(rule.computed)) {
    std::optional<FactHit> computed = compute(places);
    if (!computed) return std::nullopt;
    hit.values.insert(computed->values.begin(), computed->values.end());
    for (Evidence& evidence : computed->evidence) hit.evidence.push_back(std::move(evidence));
  }
  for (const ValueRequirement& wanted : requirement.command_is) {
    if (const std::string* value = option_value(places.build, wanted)) {
      (void)search(wanted.value, *value, &hit.values);
    }
  }
  note_options(requirement, places, hit);
  note_banner(requirement, places, hit);
  note_nodes(requirement, places, hit);
  if (requirement.profiles_min) {
    hit.values["profiles"] = std::to_string(profiles_of(places.build));
    hit.evidence.push_back(places.at_run(hit.values["profiles"] + " optimization profiles"));
  }
  note_platform(requirement, places, hit);
  return hit;
}

}  // namespace trtlens::message_rules
