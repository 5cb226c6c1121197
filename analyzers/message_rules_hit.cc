// Whether a rule fires on a message: pattern, level and requirements.
#include <re2/re2.h>

#include <algorithm>

#include "analyzers/message_rules_internal.h"

namespace trtlens::message_rules {
namespace {

// TensorRT-RTX counts its own releases from 1.0; what it does is TensorRT 10.13 and later.
constexpr int kRtxAs = 101300;

std::optional<int> version_number(const Build& build) {
  if (!build.tensorrt) return std::nullopt;
  const bool rtx = build.producer == "tensorrt_rtx" || build.tensorrt->major < 4;
  return rtx ? kRtxAs : build.tensorrt->number();
}

// "9.0" -> 90. Not Gpu::sm(): the parsers' headers are data here.
std::optional<int> compute_capability(const Build& build) {
  if (!build.gpu) return std::nullopt;
  int major = 0;
  int minor = 0;
  static const re2::RE2 shape(R"((\d{1,2})\.(\d))");
  if (!re2::RE2::FullMatch(build.gpu->compute_capability, shape, &major, &minor))
    return std::nullopt;
  return major * 10 + minor;
}

// `wanted` is a name, or name=value.
bool has_flag(const Build& build, const std::string& wanted) {
  const std::size_t equals = wanted.find('=');
  const std::string name = wanted.substr(0, equals);
  return std::any_of(build.options.flags.begin(), build.options.flags.end(), [&](const auto& flag) {
    const std::size_t dashes = std::min(flag.first.find_first_not_of('-'), flag.first.size());
    if (flag.first.compare(dashes, std::string::npos, name) != 0) return false;
    return equals == std::string::npos || flag.second == wanted.substr(equals + 1);
  });
}

bool level_fits(const std::vector<LogSeverity>& levels, LogSeverity severity) {
  if (levels.empty() || severity == LogSeverity::unknown) return true;
  if (severity == LogSeverity::internal_error) severity = LogSeverity::error;
  return std::find(levels.begin(), levels.end(), severity) != levels.end();
}

}  // namespace

void add_context(const Build& build, const std::vector<std::size_t>& order, std::size_t at,
                 MessageHit& hit) {
  const OnnxContext context = onnx_context(build, order, at);
  // A named group of the pattern knows better than the lines around.
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) hit.values.emplace(name, value);
  };
  set("op", context.op);
  set("node", context.node);
  set("node_number", context.number);
  // An error of the library names its layer, which has the name of the ONNX node.
  if (const auto layer = hit.values.find("layer_name"); layer != hit.values.end()) {
    set("node", layer->second);
  }
  if (context.message != hit.message) hit.context = context.message;
}

bool is_in(const VersionRange& range, const Build& build) {
  const std::optional<int> version = version_number(build);
  if (!version) return true;
  return (!range.min || *version >= *range.min) && (!range.max || *version <= *range.max);
}

bool build_meets(const RuleRequirement& requirement, const Build& build) {
  if (!is_in(requirement.versions, build)) return false;
  if (requirement.outcome && *requirement.outcome != build.outcome) return false;
  if (requirement.sm_min || requirement.sm_max) {
    const std::optional<int> sm = compute_capability(build);
    if (!sm || *sm < requirement.sm_min.value_or(*sm) || *sm > requirement.sm_max.value_or(*sm)) {
      return false;
    }
  }
  for (const std::string& flag : requirement.command_has) {
    if (!has_flag(build, flag)) return false;
  }
  if (!requirement.command_lacks.empty() && build.command.empty()) return false;
  return std::none_of(requirement.command_lacks.begin(), requirement.command_lacks.end(),
                      [&](const std::string& flag) { return has_flag(build, flag); });
}

std::optional<std::size_t> Companions::other_than(std::size_t message, const MessageRule& rule,
                                                  const std::vector<std::size_t>& order) {
  const auto [slot, is_new] = found_.try_emplace(&rule);
  std::vector<std::size_t>& found = slot->second;
  for (auto it = order.begin(); is_new && it != order.end() && found.size() < 2; ++it) {
    if (search(rule.requires_.and_message, build_.messages[*it].text, nullptr)) {
      found.push_back(*it);
    }
  }
  for (const std::size_t at : found) {
    if (at != message) return at;
  }
  return std::nullopt;
}

std::optional<MessageHit> hit_of(const MessageRule& rule, const Build& build,
                                 const std::vector<std::size_t>& order, std::size_t at,
                                 Companions& companions) {
  const Message& message = build.messages[order[at]];
  if (!level_fits(rule.levels, message.severity)) return std::nullopt;
  MessageHit hit;
  hit.message = order[at];
  const bool matches = std::any_of(
      rule.patterns.begin(), rule.patterns.end(),
      [&](const RulePattern& pattern) { return search(pattern, message.text, &hit.values); });
  if (!matches || !build_meets(rule.requires_, build)) return std::nullopt;
  if (rule.requires_.and_message.re) {
    hit.context = companions.other_than(hit.message, rule, order);
    if (!hit.context) return std::nullopt;
  }
  const auto node = hit.values.find("node");
  if (node != hit.values.end()) {
    hit.node = diagnose_node(build, node->second);
    if (!hit.node.numbers.empty()) hit.values.emplace("numbers", hit.node.numbers);
    if (!hit.node.no_numbers.empty()) hit.values.emplace("no_numbers", hit.node.no_numbers);
  }
  const std::vector<std::string>& wanted = rule.requires_.node_is;
  if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), [&](const std::string& label) {
        return hit.node.is(label);
      })) {
    return std::nullopt;
  }
  // The parser's block belongs to its errors; a warning near it is another matter.
  if (message.severity >= LogSeverity::error || message.severity == LogSeverity::unknown) {
    add_context(build, order, at, hit);
  }
  return hit;
}

}  // namespace trtlens::message_rules
