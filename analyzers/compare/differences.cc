// What differs between the two runs besides their times: said before any number, never a reason to
// stop.
#include <map>
#include <set>

#include "analyzers/compare/comparison.h"

namespace trtlens {
namespace {

// Flags that name files or only ask for output: no reason for another time.
bool matters(const std::string& flag) {
  static const std::set<std::string> harmless = {"saveEngine",
                                                 "loadEngine",
                                                 "exportTimes",
                                                 "exportProfile",
                                                 "exportLayerInfo",
                                                 "exportOutput",
                                                 "dumpLayerInfo",
                                                 "dumpProfile",
                                                 "dumpOutput",
                                                 "verbose",
                                                 "profilingVerbosity",
                                                 "buildOnly",
                                                 "skipInference",
                                                 "timingCacheFile",
                                                 "separateProfileRun",
                                                 "duration",
                                                 "warmUp",
                                                 "iterations",
                                                 "avgRuns",
                                                 "percentile"};
  return harmless.count(flag) == 0;
}

bool built(const Build& build) {
  return build.options.has("onnx") || build.options.has("model") || build.options.has("saveEngine");
}

// Flags of the timed run; all others say how the engine was built.
bool of_timing(const std::string& flag) {
  static const std::set<std::string> timing = {"useCudaGraph",
                                               "noCudaGraph",
                                               "useSpinWait",
                                               "noSpinWait",
                                               "noDataTransfers",
                                               "includeDataTransfers",
                                               "streams",
                                               "infStreams",
                                               "threads",
                                               "shapes",
                                               "batch",
                                               "useProfile",
                                               "sleepTime",
                                               "idleTime",
                                               "exposeDMA",
                                               "persistentCacheRatio",
                                               "weightStreamingBudget",
                                               "device",
                                               "useDLACore"};
  return timing.count(flag) != 0;
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

}  // namespace

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
      if (!both_built && !of_timing(name)) continue;
      add(list, "option", "--" + name, found(flags_b, name), found(flags_c, name), matters(name));
    }
  }
  return list;
}

}  // namespace trtlens
