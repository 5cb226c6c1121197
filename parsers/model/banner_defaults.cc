// Which rows of trtexec's banner are its defaults. samples/common/sampleOptions.cpp, 6.0 to 11.1.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "parsers/model/build.h"

namespace trtlens {
namespace {

// Of rows that are on or off, empty or "default" by default, nothing need be said. Not of those
// that have a default of their own below.
constexpr std::array<std::string_view, 6> kAnyDefault = {"",      "Disabled", "default",
                                                         "model", "0",        "-1"};

struct Default {
  std::string_view row, value;
};
constexpr Default kDefaults[] = {
    {"Build Options/Max batch", "explicit batch"},
    {"Build Options/Max batch", "explicit"},
    {"Build Options/Max batch", "1"},
    {"Build Options/Workspace", "16 MiB"},
    {"Build Options/Workspace", "16 MB"},
    {"Build Options/minTiming", "1"},
    {"Build Options/avgTiming", "8"},
    // --int8 without --calib: trtexec sets dynamic ranges.
    {"Build Options/Calibration", "Dynamic"},
    {"Build Options/Calibration", ""},
    {"Build Options/Tactic sources", "Using default tactic sources"},
    {"Build Options/timingCacheMode", "local"},
    {"Build Options/Preview Features", "Use default preview flags."},
    // 0 is the lowest level there, none and the first core here.
    {"Build Options/BuilderOptimizationLevel", "3"},
    {"Build Options/BuilderOptimizationLevel", "-1"},
    {"Build Options/MaxAuxStreams", "-1"},
    {"System Options/DLACore", ""},
    {"Build Options/Input(s)s format", "fp32:CHW"},
    {"Build Options/Output(s)s format", "fp32:CHW"},
    {"Build Options/Tempfile Controls", "{ in_memory: allow, temporary: allow }"},
    {"Build Options/TensorRT runtime", "full"},
    {"Build Options/Runtime Platform", "Same As Build"},
    {"Build Options/Enable Compilation Cache", "Enabled"},
    {"Inference Options/Iterations", "10"},
    {"Inference Options/Duration", "3s (+ 200ms warm up)"},
    {"Inference Options/Sleep time", "0ms"},
    {"Inference Options/Idle time", "0ms"},
    {"Inference Options/Weight Streaming Budget", "100.000000%"},
    {"Inference Options/Weight Streaming Budget", "Disabled"},
};

// Fields of their own say it better, or it is a file or the kind of run.
constexpr std::array<std::string_view, 14> kElsewhere = {
    "Build Options/Precision",
    "Build Options/Save engine",
    "Build Options/Load engine",
    "Build Options/Build only",
    "Build Options/Skip inference",
    "Inference Options/Skip inference",
    "Inference Options/Batch",
    "Inference Options/Streams",
    "Inference Options/Inference Streams",
    "Inference Options/CUDA Graph",
    "Inference Options/Data transfers",
    "Inference Options/Spin-wait",
    "Inference Options/Optimization Profile Index",
    "Inference Options/Inputs"};
constexpr std::array<std::string_view, 3> kSections = {"Build Options/", "System Options/",
                                                       "Inference Options/"};
constexpr std::string_view kProfileShape = "Build Options/Input build shape";
constexpr std::string_view kMemoryPools = "Build Options/Memory Pools";

// "workspace: default, dlaSRAM: default": every pool's size is behind its colon.
bool all_pools_default(std::string_view pools) {
  while (!pools.empty()) {
    const std::size_t comma = pools.find(',');
    const std::string_view pool = pools.substr(0, comma);
    const std::size_t colon = pool.find(": ");
    if (colon == std::string_view::npos || pool.substr(colon + 2) != "default") return false;
    pools = comma == std::string_view::npos ? std::string_view() : pools.substr(comma + 1);
  }
  return true;
}

bool is_default(std::string_view row, std::string_view value) {
  if (row == kMemoryPools) return all_pools_default(value);
  bool has_own = false;
  for (const Default& one : kDefaults) {
    if (one.row != row) continue;
    if (one.value == value) return true;
    has_own = true;
  }
  return !has_own && std::find(kAnyDefault.begin(), kAnyDefault.end(), value) != kAnyDefault.end();
}

}  // namespace

std::map<std::string, std::string> changed_options(const Build& build) {
  std::map<std::string, std::string> changed;
  for (const auto& [row, value] : build.banner) {
    const bool listed = std::any_of(kSections.begin(), kSections.end(), [&row = row](auto section) {
      return row.starts_with(section);
    });
    const bool elsewhere =
        std::find(kElsewhere.begin(), kElsewhere.end(), row) != kElsewhere.end() ||
        row.starts_with(kProfileShape);
    if (listed && !elsewhere && !is_default(row, value)) changed.emplace(row, value);
  }
  return changed;
}

}  // namespace trtlens
