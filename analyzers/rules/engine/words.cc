// The conditions and samples of a rule in words, for `trtlens explain`.
#include <fmt/format.h>

#include "analyzers/rules/engine/reader.h"
#include "analyzers/text.h"

namespace trtlens::message_rules {
namespace {

std::string flags(const std::vector<std::string>& names, const char* between) {
  return "--" + join(names, std::string(between) + "--");
}

// An upper end that was given without its patch reads 80699: "8.6".
std::string version_text(int number) {
  const int minor = number / 100 % 100;
  const int patch = number % 100;
  std::string text = std::to_string(number / 10000);
  if (minor != 99) text += "." + std::to_string(minor);
  if (minor != 99 && patch != 99 && patch != 0) text += "." + std::to_string(patch);
  return text;
}

template <typename Text>
std::string range_text(const std::optional<int>& min, const std::optional<int>& max, Text text) {
  if (min && max && text(*min) == text(*max)) return text(*min);
  if (min && max) return text(*min) + " to " + text(*max);
  return min ? text(*min) + " or later" : "up to " + text(*max);
}

}  // namespace

std::string versions_text(const VersionRange& versions) {
  return range_text(versions.min, versions.max, version_text);
}

std::vector<std::string> conditions_of(const RuleRequirement& requirement) {
  const RuleRequirement& r = requirement;
  std::vector<std::string> out;
  const auto add = [&](bool holds, std::string text) {
    if (holds) out.push_back(std::move(text));
  };
  const auto sm_text = [](int sm) { return fmt::format("{}.{}", sm / 10, sm % 10); };
  if (r.versions.min || r.versions.max) {
    out.push_back("TensorRT " + versions_text(r.versions));
  }
  if (r.sm_min || r.sm_max) {
    out.push_back("compute capability " + range_text(r.sm_min, r.sm_max, sm_text));
  }
  add(r.gpu.re != nullptr, "the GPU's name matches " + r.gpu.text);
  add(!r.producers.empty(), "the log is of " + join(r.producers, " or "));
  add(!r.command_has.empty(), "the command has " + flags(r.command_has, " and "));
  add(!r.command_has_any.empty(), "the command has " + flags(r.command_has_any, " or "));
  add(!r.command_lacks.empty(), "the command has no " + flags(r.command_lacks, " and no "));
  for (const ValueRequirement& value : r.command_is) {
    add(true, fmt::format("the value of --{} matches {}", value.name, value.value.text));
  }
  for (const ValueRequirement& row : r.banner_is) {
    add(true, fmt::format("the log says {}: {}", row.name, row.value.text));
  }
  add(!r.allows.empty(), join(r.allows, " or ") + " was allowed");
  add(!r.onnx_has.empty(), "the model has " + join(r.onnx_has, " and "));
  add(!r.onnx_has_any.empty(), "the model has " + join(r.onnx_has_any, " or "));
  add(!r.onnx_lacks.empty(), "the model has no " + join(r.onnx_lacks, " and no "));
  add(r.profiles_min.has_value(),
      fmt::format("at least {} optimization profiles", r.profiles_min.value_or(0)));
  add(!r.node_is.empty(), "the node is " + join(r.node_is, " or "));
  add(!r.op_is.empty(), "the operator is " + join(r.op_is, ", "));
  add(r.outcome.has_value(),
      std::string("the run ") + to_string(r.outcome.value_or(Outcome::unknown)));
  add(r.not_outcome.has_value(),
      std::string("the run is not ") + to_string(r.not_outcome.value_or(Outcome::unknown)));
  add(r.and_message.re != nullptr, "another message matches " + r.and_message.text);
  add(r.no_message.re != nullptr, "no message matches " + r.no_message.text);
  return out;
}

std::string text_of(const RuleSample& sample) {
  std::vector<std::string> facts;
  if (!sample.text.empty()) facts.push_back(sample.text);
  for (const std::string& also : sample.also) facts.push_back("with " + also);
  if (!sample.command.empty()) facts.push_back("trtexec " + flags(sample.command, " "));
  for (const auto& [name, value] : sample.banner) {
    facts.push_back(fmt::format("{}: {}", name, value));
  }
  if (sample.version) facts.push_back("TensorRT " + version_text(*sample.version));
  if (sample.sm)
    facts.push_back(fmt::format("compute capability {}.{}", *sample.sm / 10, *sample.sm % 10));
  if (!sample.gpu.empty()) facts.push_back(sample.gpu);
  if (!sample.allows.empty()) facts.push_back("allowed: " + join(sample.allows, ", "));
  std::vector<std::string> ops = sample.onnx;
  for (const RuleSample::Node& node : sample.nodes) ops.push_back(node.op);
  if (!ops.empty()) facts.push_back("a model with " + join(ops, ", "));
  if (sample.weights_bytes) {
    facts.push_back(fmt::format("Total Weights Memory: {} bytes", *sample.weights_bytes));
  }
  return join(facts, " | ");
}

}  // namespace trtlens::message_rules
