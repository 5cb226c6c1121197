#include "parsers/log/run_retention.h"

#include <cstddef>
#include <utility>

namespace trtlens {
namespace {

// What a Build holds, roughly.
std::size_t held_bytes(const Build& build) {
  constexpr std::size_t kLayer = 2400, kNode = 1000, kRace = 500, kNote = 250;
  return build.layers.size() * kLayer + build.onnx_nodes.size() * kNode +
         build.autotuning.size() * kRace + build.trace.size() * sizeof(TraceWindow) +
         (build.messages.size() + build.fusions.size() + build.added_reformats.size() +
          build.missing_scales.size() + build.rejected_int8.size() + build.memory.steps.size()) *
             kNote;
}

void keep_outline(Build& build) {
  Build outline;
  outline.tensorrt = build.tensorrt;
  outline.producer = std::move(build.producer);
  outline.outcome = build.outcome;
  outline.gpu = std::move(build.gpu);
  outline.command = std::move(build.command);
  outline.commands = std::move(build.commands);
  outline.options = std::move(build.options);
  outline.runs = std::move(build.runs);
  outline.has_log = true;
  outline.closing_line = build.closing_line;
  outline.outline_only = true;
  build = std::move(outline);
}

}  // namespace

void forget_old_runs(std::vector<Build>& builds, int kept_run) {
  constexpr std::size_t kBudget = std::size_t{16} << 20;
  std::size_t held = 0;
  for (std::size_t i = builds.size(); i-- > 0;) {
    if (builds[i].outline_only) break;  // and so are those before it, but for the one asked for
    held += held_bytes(builds[i]);
    const bool newest = i + 2 >= builds.size();
    if (held > kBudget && !newest && static_cast<int>(i) + 1 != kept_run) keep_outline(builds[i]);
  }
}

}  // namespace trtlens
