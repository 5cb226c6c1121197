// Samples and near misses: the rule base tests itself.
#include <algorithm>
#include <utility>

#include "analyzers/message_rules_internal.h"

namespace trtlens {
namespace {

std::pair<std::string, std::string> flag_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, ""};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Version version_of(int number) {
  Version version;
  version.major = number / 10000;
  version.minor = number / 100 % 100;
  version.patch = number % 100;
  version.source = VersionSource::banner;
  return version;
}

Message message_of(const std::string& text, std::uint64_t line, LogSeverity severity) {
  Message message;
  message.severity = severity;
  message.text = text;
  message.pos.line = line;
  return message;
}

OnnxNode node_of(const RuleSample::Node& from) {
  OnnxNode node;
  node.name = from.name;
  node.op = from.op;
  node.inputs.resize(2);
  node.inputs[0].dims = from.input;
  node.inputs[1].dims = from.weights;
  for (Tensor& tensor : node.inputs) tensor.has_dims = true;
  node.pos.line = 1;
  return node;
}

// A plain string comes without facts, so the ones that the rule asks for are given.
void fit_to(const RuleRequirement& requirement, Build& build) {
  if (requirement.versions.min || requirement.versions.max) {
    build.tensorrt =
        version_of(requirement.versions.min.value_or(requirement.versions.max.value_or(0)));
  }
  if (requirement.sm_min || requirement.sm_max) {
    const int sm = requirement.sm_min.value_or(requirement.sm_max.value_or(0));
    build.gpu = Gpu{};
    build.gpu->compute_capability = std::to_string(sm / 10) + "." + std::to_string(sm % 10);
  }
  for (const std::string& flag : requirement.command_has) {
    build.options.flags.push_back(flag_of(flag));
  }
  if (requirement.outcome) build.outcome = *requirement.outcome;
}

}  // namespace

Build build_of_sample(const MessageRule& rule, const RuleSample& sample) {
  Build build;
  build.has_log = true;
  build.command = "trtexec";
  build.outcome = rule.info.severity == Severity::fatal ? Outcome::failed : Outcome::passed;
  if (sample.bare) fit_to(rule.requires_, build);
  if (sample.version) build.tensorrt = version_of(*sample.version);
  if (sample.sm) {
    build.gpu = Gpu{};
    build.gpu->compute_capability =
        std::to_string(*sample.sm / 10) + "." + std::to_string(*sample.sm % 10);
  }
  for (const std::string& flag : sample.command) build.options.flags.push_back(flag_of(flag));
  for (const RuleSample::Node& node : sample.nodes) build.onnx_nodes.push_back(node_of(node));
  const LogSeverity level = rule.levels.empty() ? LogSeverity::error : rule.levels.front();
  std::uint64_t line = 10;
  for (const std::string& text : sample.also) {
    build.messages.push_back(message_of(text, line++, LogSeverity::warning));
  }
  build.messages.push_back(message_of(sample.text, line, level));
  if (!sample.timed_layer.empty() || !sample.timed_format.empty()) {
    build.last_timed = TimingCursor{};
    build.last_timed->layer = sample.timed_layer;
    build.last_timed->format_combination = sample.timed_format;
  }
  return build;
}

namespace message_rules {

std::vector<SampleFault> check_samples(const MessageRule& rule) {
  std::vector<SampleFault> faults;
  const auto fires = [&](const RuleSample& sample) {
    const Build build = build_of_sample(rule, sample);
    Companions companions(build);
    return hit_of(rule, build, message_order(build), sample.also.size(), companions).has_value();
  };
  for (const RuleSample& sample : rule.samples) {
    if (fires(sample)) continue;
    faults.push_back(
        {sample.offset, "a sample that the rule matches", '"' + shortened(sample.text, 100) + '"'});
  }
  for (const RuleSample& sample : rule.near_misses) {
    if (!fires(sample)) continue;
    faults.push_back({sample.offset, "a near miss that the rule does not match",
                      '"' + shortened(sample.text, 100) + '"'});
  }
  return faults;
}

}  // namespace message_rules
}  // namespace trtlens
