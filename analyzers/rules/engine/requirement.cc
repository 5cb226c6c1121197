// Reads what a rule asks for besides a message, and the facts of its samples.
#include <algorithm>

#include "analyzers/rules/engine/reader.h"

namespace trtlens::message_rules {
namespace {

// {"builderOptimizationLevel": "[0-2]"}: any key, its value a pattern.
void read_values(Reader& reader, const Json& value, bool of_command,
                 std::vector<ValueRequirement>& out) {
  if (!reader.is(value, Json::Kind::object)) return;
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    ValueRequirement one;
    one.name = value.keys[i].first;
    if (of_command) one.name.erase(0, one.name.find_first_not_of('-'));
    reader.pattern(value.items[i], one.value);
    if (one.value.re) out.push_back(std::move(one));
  }
}

const std::vector<Field<RuleRequirement>>& requirement_fields() {
  using Out = RuleRequirement;
  static const std::vector<Field<Out>> fields = {
      {"command_has", [](Reader& r, const Json& v, Out& o) { r.flags(v, o.command_has); }},
      {"command_has_any", [](Reader& r, const Json& v, Out& o) { r.flags(v, o.command_has_any); }},
      {"command_lacks", [](Reader& r, const Json& v, Out& o) { r.flags(v, o.command_lacks); }},
      {"command_is",
       [](Reader& r, const Json& v, Out& o) { read_values(r, v, true, o.command_is); }},
      {"banner_is",
       [](Reader& r, const Json& v, Out& o) { read_values(r, v, false, o.banner_is); }},
      {"allows", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.allows); }},
      {"trt_min", [](Reader& r, const Json& v, Out& o) { r.version(v, false, o.versions.min); }},
      {"trt_max", [](Reader& r, const Json& v, Out& o) { r.version(v, true, o.versions.max); }},
      {"sm_min", [](Reader& r, const Json& v, Out& o) { r.integer(v, o.sm_min); }},
      {"sm_max", [](Reader& r, const Json& v, Out& o) { r.integer(v, o.sm_max); }},
      {"gpu", [](Reader& r, const Json& v, Out& o) { r.pattern(v, o.gpu); }},
      {"producer", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.producers); }},
      {"outcome", [](Reader& r, const Json& v, Out& o) { r.outcome(v, o.outcome); }},
      {"not_outcome", [](Reader& r, const Json& v, Out& o) { r.outcome(v, o.not_outcome); }},
      {"node_is", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.node_is); }},
      {"op_is", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.op_is); }},
      {"onnx_has", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.onnx_has); }},
      {"onnx_has_any", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.onnx_has_any); }},
      {"onnx_lacks", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.onnx_lacks); }},
      {"profiles_min", [](Reader& r, const Json& v, Out& o) { r.integer(v, o.profiles_min); }},
      {"shapes_lack", [](Reader& r, const Json& v, Out& o) { r.string(v, o.shapes_lack); }},
      {"and_message", [](Reader& r, const Json& v, Out& o) { r.pattern(v, o.and_message); }},
      {"no_message", [](Reader& r, const Json& v, Out& o) { r.pattern(v, o.no_message); }}};
  return fields;
}

void read_sample_dims(Reader& reader, const Json& value,
                      std::optional<std::vector<std::int64_t>>& out) {
  out.emplace();
  reader.integers(value, *out);
}

void read_sample_nodes(Reader& reader, const Json& value, RuleSample& sample) {
  using Out = RuleSample::Node;
  static const std::vector<Field<Out>> fields = {
      {"name", [](Reader& r, const Json& v, Out& o) { r.string(v, o.name); }},
      {"op", [](Reader& r, const Json& v, Out& o) { r.string(v, o.op); }},
      {"input", [](Reader& r, const Json& v, Out& o) { read_sample_dims(r, v, o.input); }},
      {"weights", [](Reader& r, const Json& v, Out& o) { read_sample_dims(r, v, o.weights); }},
      {"inputs", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.inputs); }},
      {"outputs", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.outputs); }}};
  if (!reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    if (!reader.is(item, Json::Kind::object)) continue;
    Out node;
    read_object(reader, item, fields, node);
    require_keys(reader, item, {"name", "op"});
    sample.nodes.push_back(std::move(node));
  }
}

void read_rows(Reader& reader, const Json& value,
               std::vector<std::pair<std::string, std::string>>& out) {
  if (!reader.is(value, Json::Kind::object)) return;
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    out.emplace_back(value.keys[i].first, "");
    reader.string(value.items[i], out.back().second);
  }
}

const std::vector<Field<RuleSample>>& sample_fields() {
  using Out = RuleSample;
  static const std::vector<Field<Out>> fields = {
      {"text", [](Reader& r, const Json& v, Out& o) { r.string(v, o.text); }},
      {"also", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.also); }},
      {"command", [](Reader& r, const Json& v, Out& o) { r.flags(v, o.command); }},
      {"banner", [](Reader& r, const Json& v, Out& o) { read_rows(r, v, o.banner); }},
      {"allows", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.allows); }},
      {"trt", [](Reader& r, const Json& v, Out& o) { r.version(v, false, o.version); }},
      {"sm", [](Reader& r, const Json& v, Out& o) { r.integer(v, o.sm); }},
      {"gpu", [](Reader& r, const Json& v, Out& o) { r.string(v, o.gpu); }},
      {"producer", [](Reader& r, const Json& v, Out& o) { r.string(v, o.producer); }},
      {"outcome", [](Reader& r, const Json& v, Out& o) { r.outcome(v, o.outcome); }},
      {"weights_bytes", [](Reader& r, const Json& v, Out& o) { r.integer(v, o.weights_bytes); }},
      {"timed_layer", [](Reader& r, const Json& v, Out& o) { r.string(v, o.timed_layer); }},
      {"timed_format", [](Reader& r, const Json& v, Out& o) { r.string(v, o.timed_format); }},
      {"onnx", [](Reader& r, const Json& v, Out& o) { r.strings(v, o.onnx); }},
      {"nodes", [](Reader& r, const Json& v, Out& o) { read_sample_nodes(r, v, o); }},
      {"wins", [](Reader& r, const Json& v, Out& o) { r.string(v, o.wins); }}};
  return fields;
}

}  // namespace

void read_requirement(Reader& reader, const Json& value, RuleRequirement& out) {
  if (reader.is(value, Json::Kind::object)) read_object(reader, value, requirement_fields(), out);
}

void read_samples(Reader& reader, const Json& value, std::vector<RuleSample>& out) {
  if (!reader.keeps_samples() || !reader.is(value, Json::Kind::array)) return;
  for (const Json& item : value.items) {
    RuleSample sample;
    sample.offset = item.offset;
    if (item.kind == Json::Kind::object) {
      sample.bare = false;
      read_object(reader, item, sample_fields(), sample);
    } else {
      reader.string(item, sample.text);
    }
    out.push_back(std::move(sample));
  }
}

bool asks_for_a_fact(const RuleRequirement& requirement) {
  const RuleRequirement& r = requirement;
  const std::vector<const std::vector<std::string>*> lists = {
      &r.command_has, &r.command_has_any, &r.allows, &r.onnx_has, &r.onnx_has_any, &r.producers};
  return !r.command_is.empty() || !r.banner_is.empty() || r.gpu.re || r.profiles_min ||
         std::ranges::any_of(lists, [](const auto* list) { return !list->empty(); });
}

std::vector<const RulePattern*> patterns_of(const RuleRequirement& requirement) {
  std::vector<const RulePattern*> patterns;
  for (const auto* values : {&requirement.command_is, &requirement.banner_is}) {
    for (const ValueRequirement& value : *values) patterns.push_back(&value.value);
  }
  if (requirement.gpu.re) patterns.push_back(&requirement.gpu);
  if (requirement.and_message.re) patterns.push_back(&requirement.and_message);
  return patterns;
}

}  // namespace trtlens::message_rules
