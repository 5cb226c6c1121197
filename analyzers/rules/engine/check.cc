// The rule base tests itself: samples and near misses, the code of the rules that are code.
#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/reader.h"

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
  node.inputs.resize(std::max<std::size_t>(from.inputs.size(), from.weights ? 2 : 1));
  for (std::size_t i = 0; i < from.inputs.size(); ++i) node.inputs[i].name = from.inputs[i];
  node.outputs.resize(from.outputs.size());
  for (std::size_t i = 0; i < from.outputs.size(); ++i) node.outputs[i].name = from.outputs[i];
  const auto give = [](Tensor& tensor, const std::optional<std::vector<std::int64_t>>& dims) {
    if (!dims) return;
    tensor.dims = *dims;
    tensor.has_dims = true;
  };
  give(node.inputs[0], from.input);
  if (from.weights) give(node.inputs[1], from.weights);
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

void give_facts(const RuleSample& sample, Build& build) {
  if (sample.version) build.tensorrt = version_of(*sample.version);
  if (sample.sm || !sample.gpu.empty()) build.gpu = Gpu{};
  if (sample.sm) {
    build.gpu->compute_capability =
        std::to_string(*sample.sm / 10) + "." + std::to_string(*sample.sm % 10);
  }
  if (!sample.gpu.empty()) build.gpu->name = sample.gpu;
  for (const std::string& flag : sample.command) build.options.flags.push_back(flag_of(flag));
  for (const RuleSample::Node& node : sample.nodes) build.onnx_nodes.push_back(node_of(node));
  for (const std::string& op : sample.onnx) {
    RuleSample::Node node;
    node.name = op + "_1";
    node.op = op;
    build.onnx_nodes.push_back(node_of(node));
  }
  build.banner.insert(sample.banner.begin(), sample.banner.end());
  build.allowed.labels = sample.allows;
  if (!sample.producer.empty()) build.producer = sample.producer;
  if (sample.outcome) build.outcome = *sample.outcome;
  if (sample.weights_bytes) build.memory.weights_bytes = *sample.weights_bytes;
}

}  // namespace

Build build_of_sample(const MessageRule& rule, const RuleSample& sample) {
  Build build;
  build.has_log = true;
  build.command = "trtexec";
  build.outcome = rule.info.severity == Severity::fatal ? Outcome::failed : Outcome::passed;
  if (sample.bare) fit_to(rule.requires_, build);
  give_facts(sample, build);
  const LogSeverity level = rule.levels.empty() ? LogSeverity::error : rule.levels.front();
  std::uint64_t line = 10;
  for (const std::string& text : sample.also) {
    build.messages.push_back(message_of(text, line++, LogSeverity::warning));
  }
  if (!sample.text.empty()) build.messages.push_back(message_of(sample.text, line, level));
  if (!sample.timed_layer.empty() || !sample.timed_format.empty()) {
    build.last_timed = TimingCursor{};
    build.last_timed->layer = sample.timed_layer;
    build.last_timed->format_combination = sample.timed_format;
  }
  return build;
}

std::vector<std::string> code_faults(const RuleInfo& info, const std::string& code) {
  static const re2::RE2 asked_for(R"re(threshold\("(\w+)"\))re");
  std::vector<std::string> faults;
  std::set<std::string> asked;
  re2::StringPiece rest(code);
  for (std::string key; re2::RE2::FindAndConsume(&rest, asked_for, &key);) asked.insert(key);
  for (const Threshold& threshold : info.thresholds) {
    if (asked.erase(threshold.key) != 0) continue;
    faults.push_back("asks for no threshold \"" + threshold.key + '"');
  }
  for (const std::string& key : asked) faults.push_back("has no threshold \"" + key + '"');
  std::vector<std::string> texts = info.remedy_texts();
  texts.insert(texts.end(), {info.title, info.why, info.next_check});
  for (const RuleRemedy& check : info.special_checks) texts.push_back(check.text);
  for (const std::string& text : texts) {
    std::string fault;
    for (const std::string& name : message_rules::placeholders_of(text, fault)) {
      if (code.find("{\"" + name + "\",") != std::string::npos) continue;
      faults.push_back("gives the placeholder {" + name + "} no value");
    }
    if (!fault.empty()) faults.push_back("has a text with " + fault);
  }
  return faults;
}

namespace message_rules {

std::vector<SampleFault> check_samples(const MessageRule& rule) {
  std::vector<SampleFault> faults;
  const auto fires = [&](const RuleSample& sample) {
    const Build build = build_of_sample(rule, sample);
    if (is_about_facts(rule)) return fact_hit(rule, {build, {}, {}}).has_value();
    return RuleMatch(rule, build, message_order(build)).hit(sample.also.size()).has_value();
  };
  for (const RuleSample& sample : rule.samples) {
    if (fires(sample)) continue;
    faults.push_back({sample.offset, "a sample that the rule matches",
                      '"' + shortened(text_of(sample), 100) + '"'});
  }
  for (const RuleSample& sample : rule.near_misses) {
    if (!fires(sample)) continue;
    faults.push_back({sample.offset, "a near miss that the rule does not match",
                      '"' + shortened(text_of(sample), 100) + '"'});
  }
  return faults;
}

}  // namespace message_rules
}  // namespace trtlens
