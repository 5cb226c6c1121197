// What differs between the two runs besides their times: said before any number, never a reason to
// stop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/comparison.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr double kLeastBusy = 0.7;  // share of the queries that the slowest stage allows
constexpr std::uint64_t kFewIterations = 10;
constexpr double kOtherOverhead = 0.1;  // of the profile over GPU compute, between the sides

// Flags that name files or ask for output, or say what is run and how long: no reason for another
// time.
bool matters(const std::string& flag) {
  const bool is_output =
      is_one_of(flag, {"saveEngine", "loadEngine", "timingCacheFile", "exportTimes",
                       "exportProfile", "exportLayerInfo", "exportOutput", "dumpLayerInfo",
                       "dumpProfile", "dumpOutput", "verbose", "profilingVerbosity"});
  const bool is_course =
      is_one_of(flag, {"buildOnly", "skipInference", "separateProfileRun", "duration", "warmUp",
                       "iterations", "avgRuns", "percentile"});
  return !is_output && !is_course;
}

bool built(const Build& build) {
  return build.options.has("onnx") || build.options.has("model") || build.options.has("saveEngine");
}

using Flags = std::map<std::string, std::string>;

Flags flags_of(const Build& build) {
  Flags flags;
  for (const auto& [name, value] : build.options.flags) flags[name] = value;
  return flags;
}

std::optional<std::string> found(const Flags& flags, const std::string& name) {
  const auto at = flags.find(name);
  if (at == flags.end()) return std::nullopt;
  return at->second.empty() ? "given" : at->second;
}

void add(std::vector<Difference>& list, const char* what, std::string name,
         std::optional<std::string> base, std::optional<std::string> candidate, bool important) {
  if (base == candidate) return;
  list.push_back({what, std::move(name), std::move(base), std::move(candidate), important});
}

std::optional<std::string> clock_text(const std::optional<double>& ghz) {
  if (!ghz) return std::nullopt;
  std::string text = std::to_string(*ghz);
  return text.substr(0, text.find('.') + 4) + " GHz";
}

std::optional<std::string> text_or_none(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

// The settings that the run had in the end, where no flag says so: defaults differ by version.
void add_defaults(const Build& base, const Build& candidate, std::vector<Difference>& list) {
  const auto listed = [&](std::initializer_list<const char*> flags) {
    return std::ranges::any_of(list, [&](const Difference& d) {
      return std::ranges::any_of(flags, [&](const char* flag) { return d.name == flag; });
    });
  };
  const auto on_off = [](const std::optional<bool>& value) {
    if (!value) return std::optional<std::string>();
    return std::optional<std::string>(*value ? "on" : "off");
  };
  const auto precisions = [](const Build& build) {
    return text_or_none(join(build.allowed.labels, "+"));
  };
  if (precisions(base) && precisions(candidate) &&
      !listed({"--fp16", "--int8", "--bf16", "--fp8", "--int4", "--best"})) {
    add(list, "option", "precisions allowed", precisions(base), precisions(candidate), true);
  }
  const Inference& b = base.inference;
  const Inference& c = candidate.inference;
  if (b.cuda_graph && c.cuda_graph && !listed({"--useCudaGraph", "--noCudaGraph"})) {
    add(list, "default", "CUDA graph", on_off(b.cuda_graph), on_off(c.cuda_graph), true);
  }
  if (b.spin_wait && c.spin_wait && !listed({"--useSpinWait", "--noSpinWait"})) {
    add(list, "default", "spin-wait", on_off(b.spin_wait), on_off(c.spin_wait), true);
  }
  if (b.data_transfers && c.data_transfers &&
      !listed({"--noDataTransfers", "--includeDataTransfers"})) {
    add(list, "default", "data transfers", on_off(b.data_transfers), on_off(c.data_transfers),
        true);
  }
  if (b.streams && c.streams && !listed({"--streams", "--infStreams"})) {
    add(list, "default", "streams", std::to_string(*b.streams), std::to_string(*c.streams), true);
  }
}

// Nodes of the network by operation. Q and DQ do not make another model, but they are a change.
void add_network(const Build& base, const Build& candidate, std::vector<Difference>& list) {
  if (base.onnx_nodes.empty() || candidate.onnx_nodes.empty()) return;
  // A log that ends early may lack the rest of the network.
  if (base.outcome == Outcome::truncated || candidate.outcome == Outcome::truncated) return;
  const auto counted = [](const Build& build) {
    std::map<std::string, std::size_t> ops;
    for (const OnnxNode& node : build.onnx_nodes) {
      const bool quantizer = node.op == "QuantizeLinear" || node.op == "DequantizeLinear";
      ++ops[quantizer ? "Q/DQ" : node.op];
    }
    ops.erase("Constant");
    return ops;
  };
  std::map<std::string, std::size_t> of_base = counted(base), of_candidate = counted(candidate);
  std::set<std::string> ops;
  for (const auto& entry : of_base) ops.insert(entry.first);
  for (const auto& entry : of_candidate) ops.insert(entry.first);
  for (const std::string& op : ops) {
    add(list, "network", op + " nodes", std::to_string(of_base[op]),
        std::to_string(of_candidate[op]), true);
  }
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Stages {  // of a query, ms
  double compute = 0, longest = 0, queries_per_ms = 0;
};

std::optional<Stages> stages_of(const Build& build) {
  const Performance& p = build.performance;
  Stages s;
  if (p.throughput_qps && p.gpu_compute && p.gpu_compute->median_ms) {
    s.compute = *p.gpu_compute->median_ms;
    s.longest = s.compute;
    for (const auto& stage : {p.h2d, p.d2h, p.enqueue}) {
      if (stage && stage->median_ms) s.longest = std::max(s.longest, *stage->median_ms);
    }
    s.queries_per_ms = *p.throughput_qps / 1000;
    return s;
  }
  if (build.queries.size() < 20) return std::nullopt;
  std::vector<double> compute, h2d, d2h, enqueue;
  for (const Query& q : build.queries) {
    compute.push_back(static_cast<double>(q.compute_ms));
    // What is not known can only be shorter than the longest of what is.
    h2d.push_back(static_cast<double>(q.h2d_ms.value_or(0)));
    d2h.push_back(static_cast<double>(q.d2h_ms.value_or(0)));
    enqueue.push_back(static_cast<double>(q.enqueue_ms.value_or(0)));
  }
  const double span = static_cast<double>(build.queries.back().start_ms) -
                      static_cast<double>(build.queries.front().start_ms);
  s.compute = median_of(compute);
  s.longest = std::max({s.compute, median_of(h2d), median_of(d2h), median_of(enqueue)});
  if (!(span > 0)) return std::nullopt;
  s.queries_per_ms = static_cast<double>(build.queries.size() - 1) / span;
  return s;
}

// A GPU that others use, too, does fewer queries than its slowest stage allows; a profiler costs
// something for every kernel.
void add_timing(const Build& base, const Build& candidate, std::vector<Difference>& list) {
  const auto b = stages_of(base);
  const auto c = stages_of(candidate);
  const auto busy = [](const std::optional<Stages>& s, const Build& build) {
    std::optional<double> share;
    if (s) {
      share = s->queries_per_ms * s->longest /
              static_cast<double>(std::max<std::int64_t>(1, build.inference.streams.value_or(1)));
    }
    return share;
  };
  const auto busy_b = busy(b, base);
  const auto busy_c = busy(c, candidate);
  const auto text = [](const std::optional<double>& share) {
    return share ? std::optional<std::string>(share_text(*share)) : std::nullopt;
  };
  if ((busy_b && *busy_b < kLeastBusy) || (busy_c && *busy_c < kLeastBusy)) {
    // Unknown on one side: worth a line, no known difference.
    add(list, "timing", "throughput, share of what is possible", text(busy_b), text(busy_c),
        busy_b && busy_c);
  }
  // Equal on both sides it is a caution all the same.
  const auto few = [](const Build& build) {
    return build.has_profile && build.profile_iterations &&
           *build.profile_iterations < kFewIterations;
  };
  if (few(base) || few(candidate)) {
    const auto iterations = [](const Build& build) {
      return build.profile_iterations
                 ? std::optional<std::string>(std::to_string(*build.profile_iterations))
                 : std::nullopt;
    };
    list.push_back({"timing", "profile iterations (few: layer times are uncertain)",
                    iterations(base), iterations(candidate), true});
  }
  const auto overhead = [](const std::optional<Stages>& s, const Build& build) {
    std::optional<double> share;
    if (s && s->compute > 0 && build.has_profile) share = build.profile_sum_ms / s->compute;
    return share;
  };
  const auto over_b = overhead(b, base);
  const auto over_c = overhead(c, candidate);
  if (over_b && over_c && std::fabs(*over_b - *over_c) > kOtherOverhead) {
    add(list, "timing", "profile sum over GPU compute", fmt::format("{:.2f} x", *over_b),
        fmt::format("{:.2f} x", *over_c), false);
  }
}

}  // namespace

// Flags of the timed run; all others say how the engine was built.
bool is_timing_option(const std::string& flag) {
  return is_one_of(flag,
                   {"useCudaGraph", "noCudaGraph", "useSpinWait", "noSpinWait", "noDataTransfers",
                    "includeDataTransfers", "exposeDMA", "streams", "infStreams", "threads"}) ||
         is_one_of(flag, {"shapes", "batch", "useProfile", "device", "useDLACore",
                          "persistentCacheRatio", "weightStreamingBudget"}) ||
         is_one_of(flag, {"duration", "warmUp", "iterations", "avgRuns", "sleepTime", "idleTime"});
}

bool tells_its_build(const Build& build) {
  const CommandOptions& options = build.options;
  return options.has("onnx") || options.has("model") || options.has("saveEngine") ||
         !build.allowed.labels.empty();
}

std::vector<Difference> differences_of(const Build& base, const Build& candidate) {
  std::vector<Difference> list;
  const auto version = [](const Build& b) {
    return b.tensorrt ? std::optional<std::string>(b.tensorrt->text()) : std::nullopt;
  };
  add(list, "version", "TensorRT", version(base), version(candidate), true);
  const Gpu none;
  const Gpu& gpu_b = base.gpu ? *base.gpu : none;
  const Gpu& gpu_c = candidate.gpu ? *candidate.gpu : none;
  add(list, "gpu", "GPU", text_or_none(gpu_b.name), text_or_none(gpu_c.name), true);
  add(list, "clock", "compute clock", clock_text(gpu_b.compute_clock_ghz),
      clock_text(gpu_c.compute_clock_ghz), true);
  add(list, "clock", "memory clock", clock_text(gpu_b.memory_clock_ghz),
      clock_text(gpu_c.memory_clock_ghz), true);
  // trtexec 11 turned these defaults round: CUDA graph on, spin-wait on, transfers off.
  if (base.tensorrt && candidate.tensorrt &&
      (base.tensorrt->major >= 11) != (candidate.tensorrt->major >= 11)) {
    add(list, "default", "trtexec's defaults for CUDA graph, spin-wait and data transfers",
        base.tensorrt->major >= 11 ? "of 11.x" : "before 11",
        candidate.tensorrt->major >= 11 ? "of 11.x" : "before 11", true);
  }
  const Flags flags_b = flags_of(base);
  const Flags flags_c = flags_of(candidate);
  // A side without a log has no flags to differ; one that only loaded an engine none of its build.
  if (!base.commands.empty() && !candidate.commands.empty()) {
    const bool both_built = built(base) && built(candidate);
    std::set<std::string> names;
    for (const auto& flag : flags_b) names.insert(flag.first);
    for (const auto& flag : flags_c) names.insert(flag.first);
    for (const std::string& name : names) {
      // What only the side that built says is no difference: how the other engine was built is not
      // known.
      const bool on_both = flags_b.count(name) != 0 && flags_c.count(name) != 0;
      if (!both_built && !is_timing_option(name) && !on_both) continue;
      add(list, "option", "--" + name, found(flags_b, name), found(flags_c, name), matters(name));
    }
  }
  add_defaults(base, candidate, list);
  add_network(base, candidate, list);
  add_timing(base, candidate, list);
  return list;
}

}  // namespace trtlens
