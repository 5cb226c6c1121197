// Whether a rule fires on a message: pattern, level and requirements.
#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/plugin_homes.h"
#include "analyzers/rules/engine/rule_index.h"
#include "analyzers/rules/engine/shape_relation.h"
#include "analyzers/text.h"
#include "parsers/model/onnx.h"

namespace trtlens::message_rules {
namespace {

// TensorRT-RTX counts its own releases from 1.0; what it does is TensorRT 10.13 and later.
constexpr int kRtxAs = 101300;

std::optional<int> version_number(const Build& build) {
  if (!build.tensorrt) return std::nullopt;
  const bool rtx = build.producer == "tensorrt_rtx" || build.tensorrt->major < 4;
  return rtx ? kRtxAs : build.tensorrt->number();
}

template <typename Range, typename Test>
bool any(const Range& range, Test test) {
  return std::ranges::any_of(range, test);
}

bool gpu_meets(const RuleRequirement& requirement, const Build& build) {
  if (requirement.sm_min || requirement.sm_max) {
    const std::optional<int> sm = build.gpu ? build.gpu->sm() : std::nullopt;
    if (!sm || *sm < requirement.sm_min.value_or(*sm) || *sm > requirement.sm_max.value_or(*sm)) {
      return false;
    }
  }
  return !requirement.gpu.re || (build.gpu && search(requirement.gpu, build.gpu->name, nullptr));
}

bool command_meets(const RuleRequirement& requirement, const Build& build) {
  const auto has = [&](const std::string& flag) { return has_flag(build, flag); };
  const RuleRequirement& r = requirement;
  if (!std::ranges::all_of(r.command_has, has)) return false;
  if (!r.command_has_any.empty() && !any(r.command_has_any, has)) return false;
  for (const ValueRequirement& wanted : r.command_is) {
    if (!option_value(build, wanted)) return false;
  }
  if (r.command_lacks.empty()) return true;
  return !build.command.empty() && !any(r.command_lacks, has);
}

bool options_meet(const RuleRequirement& requirement, const Build& build) {
  for (const ValueRequirement& row : requirement.banner_is) {
    const auto found = build.banner.find(row.name);
    if (found == build.banner.end() || !search(row.value, found->second, nullptr)) return false;
  }
  const auto allowed = [&](const std::string& label) { return allows(build.allowed, label); };
  if (!requirement.allows.empty() && !any(requirement.allows, allowed)) return false;
  const std::vector<std::string>& producers = requirement.producers;
  return producers.empty() ||
         any(producers, [&](const std::string& name) { return name == build.producer; });
}

bool model_meets(const RuleRequirement& requirement, const Build& build) {
  const RuleRequirement& r = requirement;
  if (r.profiles_min && profiles_of(build) < *r.profiles_min) return false;
  const auto has = [&](const std::string& op) { return first_node_of(build, op) != nullptr; };
  if (!std::ranges::all_of(r.onnx_has, has)) return false;
  if (!r.onnx_has_any.empty() && !any(r.onnx_has_any, has)) return false;
  // Without the parser's lines nothing is known to be absent.
  return r.onnx_lacks.empty() || (!build.onnx_nodes.empty() && !any(r.onnx_lacks, has));
}

bool has_message(const RulePattern& pattern, const Build& build) {
  return any(build.messages,
             [&](const Message& message) { return search(pattern, message.text, nullptr); });
}

bool shapes_meet(const RuleRequirement& requirement, const Build& build, Values& values) {
  if (requirement.shapes_lack.empty()) return true;
  const auto input = values.find(requirement.shapes_lack);
  const std::vector<std::string> given = inputs_with_shapes(build);
  if (input == values.end() || given.empty() ||
      any(given, [&](const std::string& name) { return name == input->second; })) {
    return false;
  }
  values["given"] = join(given, ", ");
  return true;
}

// "8.0 8.6 8.9 12.0 12.1 >12.0", as TensorRT lists them: "SM 8.0, 8.6, 8.9, 12.0 and later".
std::string capabilities_text(const std::string& listed) {
  std::istringstream stream(listed);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  if (words.empty() || words.back().front() != '>') return "SM " + join(words, ", ");
  const std::string open = words.back().substr(1);
  words.pop_back();
  const auto first = std::ranges::find(words, open);
  if (first == words.end()) return "SM " + join(words, ", ") + " and those after " + open;
  words.erase(first + 1, words.end());  // the list ascends
  return "SM " + join(words, ", ") + " and later";
}

}  // namespace

bool has_flag(const Build& build, const std::string& wanted) {
  const std::size_t equals = wanted.find('=');
  const std::string name = wanted.substr(0, equals);
  return std::ranges::any_of(build.options.flags, [&](const auto& flag) {
    const std::size_t dashes = std::min(flag.first.find_first_not_of('-'), flag.first.size());
    if (flag.first.compare(dashes, std::string::npos, name) != 0) return false;
    return equals == std::string::npos || flag.second == wanted.substr(equals + 1);
  });
}

bool level_fits(const std::vector<LogSeverity>& levels, LogSeverity severity) {
  if (levels.empty() || severity == LogSeverity::unknown) return true;
  if (severity == LogSeverity::internal_error) severity = LogSeverity::error;
  return std::ranges::find(levels, severity) != levels.end();
}

const std::string* option_value(const Build& build, const ValueRequirement& wanted) {
  // The last one wins.
  for (auto flag = build.options.flags.rbegin(); flag != build.options.flags.rend(); ++flag) {
    const std::size_t dashes = std::min(flag->first.find_first_not_of('-'), flag->first.size());
    if (flag->first.compare(dashes, std::string::npos, wanted.name) != 0) continue;
    return search(wanted.value, flag->second, nullptr) ? &flag->second : nullptr;
  }
  return nullptr;
}

int profiles_of(const Build& build) {
  int last = 0;
  for (const Layer& layer : build.layers) last = std::max(last, layer.opt_profile);
  for (const OptimizationProfile& one : build.optimization_profiles) {
    last = std::max(last, one.shapes.profile);
  }
  if (!build.optimization_profiles.empty()) return last + 1;
  // Rows of the banner that nobody could read (", " in a name), and those of a rule's sample.
  const std::string row = "Build Options/Input build shape (profile ";
  for (auto it = build.banner.lower_bound(row); it != build.banner.end(); ++it) {
    int n = 0;
    if (it->first.compare(0, row.size(), row) != 0) break;
    if (re2::RE2::FullMatch(it->first.substr(row.size()), R"((\d{1,4})\))", &n)) {
      last = std::max(last, n);
    }
  }
  return last + 1;
}

const OnnxNode* first_node_of(const Build& build, const std::string& op) {
  const auto found =
      std::ranges::find_if(build.onnx_nodes, [&](const OnnxNode& node) { return node.op == op; });
  return found == build.onnx_nodes.end() ? nullptr : &*found;
}

// "[[{by_one} …]]" is said where the two shapes of a message differ so.
void add_shape_relation(Values& values) {
  const auto one = values.find("shape_a"), other = values.find("shape_b");
  if (one == values.end() || other == values.end()) return;
  const ShapeDifference difference = difference_of(one->second, other->second);
  const char* name = name_of<ShapeRelation::by_batch_size>(
      difference.relation, {nullptr, "by_one", "by_batch", "by_scale", "by_batch_size"});
  if (name != nullptr) values.emplace(name, difference.text);
}

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
  if (const auto op = hit.values.find("op"); op != hit.values.end()) {
    set(is_onnx_operator(op->second)          ? "onnx_op"
        : is_onnxruntime_operator(op->second) ? "contrib_op"
                                              : "custom_op",
        op->second);
  } else {
    set("no_op", "it");
  }
  for (const char* name : {"plugin", "custom_op"}) {
    const auto plugin = hit.values.find(name);
    if (plugin == hit.values.end()) continue;
    set("plugin_home", std::string(plugin_home(plugin->second, build.messages[hit.message].text)));
  }
  // An error of the library names its layer, which has the name of the ONNX node.
  if (const auto layer = hit.values.find("layer_name"); layer != hit.values.end()) {
    set("node", layer->second);
  }
  if (const auto list = hit.values.find("compute_capabilities"); list != hit.values.end()) {
    list->second = capabilities_text(list->second);
  }
  // "allowed is only 4" instead of "allowed are 4 to 4".
  const auto least = hit.values.find("dim_min"), most = hit.values.find("dim_max");
  if (least != hit.values.end() && most != hit.values.end() && least->second == most->second) {
    hit.values.emplace("dim_fixed", least->second);
    hit.values.erase(least);
    hit.values.erase(most);
  }
  add_shape_relation(hit.values);
  // "Loaded engine size: 0 MiB"
  if (build.memory.engine_in_mib && !build.memory.engine_bytes) set("tiny", "below 1 MiB");
  // A title has one word for both: "1x1000→1x500".
  for (const char* name : {"from_shape", "to_shape"}) {
    const auto shape = hit.values.find(name);
    const auto is_between = [](char c) { return c == ',' || c == ' '; };
    if (shape != hit.values.end()) std::ranges::replace_if(shape->second, is_between, 'x');
  }
  if (context.message && *context.message != hit.message) hit.context.push_back(*context.message);
}

bool is_in(const VersionRange& range, const Build& build) {
  const std::optional<int> version = version_number(build);
  if (!version) return true;
  return (!range.min || *version >= *range.min) && (!range.max || *version <= *range.max);
}

bool build_meets(const RuleRequirement& requirement, const Build& build) {
  if (!is_in(requirement.versions, build)) return false;
  if (requirement.outcome && *requirement.outcome != build.outcome) return false;
  if (requirement.not_outcome && *requirement.not_outcome == build.outcome) return false;
  return gpu_meets(requirement, build) && command_meets(requirement, build) &&
         options_meet(requirement, build) && model_meets(requirement, build) &&
         (!requirement.no_message.re || !has_message(requirement.no_message, build));
}

bool RuleMatch::build_fits() {
  if (!build_fits_) build_fits_ = build_meets(rule_.requires_, build_);
  return *build_fits_;
}

std::optional<std::size_t> RuleMatch::companion_of(std::size_t message) {
  if (!companions_) {
    companions_.emplace();
    for (auto it = order_.begin(); it != order_.end() && companions_->size() < 2; ++it) {
      if (search(rule_.requires_.and_message, build_.messages[*it].text, nullptr)) {
        companions_->push_back(*it);
      }
    }
  }
  for (const std::size_t at : *companions_) {
    if (at != message) return at;
  }
  return std::nullopt;
}

std::optional<MessageHit> RuleMatch::hit(std::size_t at) {
  const Message& message = build_.messages[order_[at]];
  if (!level_fits(rule_.levels, message.severity)) return std::nullopt;
  // Before a pattern is compiled.
  const bool may_match = any(rule_.patterns, [&](const RulePattern& pattern) {
    return pattern.re->may_match(message.text);
  });
  if (!may_match || !build_fits()) return std::nullopt;
  MessageHit hit;
  hit.message = order_[at];
  const bool matches = any(rule_.patterns, [&](const RulePattern& pattern) {
    return search(pattern, message.text, &hit.values);
  });
  if (!matches) return std::nullopt;
  if (rule_.requires_.and_message.re) {
    const std::optional<std::size_t> companion = companion_of(hit.message);
    if (!companion) return std::nullopt;
    hit.context.push_back(*companion);
    Values of_companion;
    (void)search(rule_.requires_.and_message, build_.messages[*companion].text, &of_companion);
    hit.values.merge(of_companion);
  }
  if (!shapes_meet(rule_.requires_, build_, hit.values)) return std::nullopt;
  const auto node = hit.values.find("node");
  if (node != hit.values.end()) {
    hit.node = diagnose_node(build_, node->second);
    if (!hit.node.numbers.empty()) hit.values.emplace("numbers", hit.node.numbers);
    if (!hit.node.channels.empty()) hit.values.emplace("channels", hit.node.channels);
    if (hit.node.is("depthwise-misaligned")) hit.values.emplace("depthwise", "depthwise");
    if (!hit.node.no_numbers.empty()) hit.values.emplace("no_numbers", hit.node.no_numbers);
  }
  const std::vector<std::string>& wanted = rule_.requires_.node_is;
  if (!wanted.empty() && !any(wanted, [&](const auto& label) { return hit.node.is(label); })) {
    return std::nullopt;
  }
  // The parser's block belongs to its errors; a warning near it is another matter.
  if (message.severity >= LogSeverity::error || message.severity == LogSeverity::unknown) {
    add_context(build_, order_, at, hit);
  }
  const std::vector<std::string>& ops = rule_.requires_.op_is;
  const auto op = hit.values.find("op");
  const auto is_op = [&](const std::string& name) {
    return op != hit.values.end() && op->second == name;
  };
  if (!ops.empty() && !any(ops, is_op)) return std::nullopt;
  return hit;
}

std::vector<bool> consequences_in(const Build& build, const std::vector<MessageRule>& rules) {
  std::vector<bool> follows(build.messages.size(), false);
  for (const MessageRule& rule : rules) {
    if (!rule.is_consequence) continue;
    for (std::size_t i = 0; i < build.messages.size(); ++i) {
      for (const RulePattern& pattern : rule.patterns) {
        if (search(pattern, build.messages[i].text, nullptr)) follows[i] = true;
      }
    }
  }
  return follows;
}

std::vector<bool> last_words_in(const Build& build, const std::vector<MessageRule>& rules,
                                const std::vector<std::size_t>& order) {
  std::vector<bool> last(build.messages.size(), false);
  const auto first = std::ranges::find_if(
      order, [&](std::size_t message) { return build.messages[message].is_error(); });
  if (first == order.end()) return last;
  for (const MessageRule& rule : rules) {
    const Cause* cause = cause_by_id(rule.info.cause);
    if (cause == nullptr || !cause->is_last_word) continue;
    for (auto later = std::next(first); later != order.end(); ++later) {
      for (const RulePattern& pattern : rule.patterns) {
        if (search(pattern, build.messages[*later].text, nullptr)) last[*later] = true;
      }
    }
  }
  return last;
}

HitsOfRules hits_of(const std::vector<MessageRule>& rules, const Build& build,
                    const std::vector<std::size_t>& order) {
  HitsOfRules hits;
  const std::shared_ptr<const RuleIndex> index = index_of(rules);
  std::vector<RuleMatch> matches;
  matches.reserve(rules.size());
  for (const MessageRule& rule : rules) matches.emplace_back(rule, build, order);
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::size_t i : index->possible(build.messages[order[at]].text)) {
      std::optional<MessageHit> hit = matches[i].hit(at);
      if (hit) hits[&rules[i]].push_back(std::move(*hit));
    }
  }
  return hits;
}

void add_later_groups(const std::vector<MessageHit>& hits, Values& values) {
  static const std::set<std::string> own = {"op",      "node",     "node_number",
                                            "numbers", "channels", "no_numbers"};
  for (const MessageHit& hit : hits) {
    const bool first_with_op = values.count("op") == 0 && hit.values.count("op") != 0;
    for (const auto& [name, value] : hit.values) {
      if (first_with_op || own.count(name) == 0) values.emplace(name, shortened(value, kMaxValue));
    }
  }
  for (const char* known : {"op", "plugin"}) {
    if (values.count(known) != 0) values.erase(std::string("no_") + known);
  }
}

}  // namespace trtlens::message_rules
