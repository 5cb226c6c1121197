// What the build spent its time on, and where it stood when its log ended.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analyzers/ledgers/ledgers.h"

namespace trtlens {
namespace {

std::optional<double> by_clock(const TuningTime& time, TuningClock clock) {
  if (clock == TuningClock::runners) return time.runners_s;
  return clock == TuningClock::stamps ? time.stamps_s : std::nullopt;
}

// Seconds of runners are exact; stamps count whole seconds.
TuningClock clock_of(const Build& build) {
  bool runners = build.reformat_tuning.time.runners_s.has_value();
  bool stamps = build.reformat_tuning.time.stamps_s.has_value();
  for (const Autotune& race : build.autotuning) {
    runners = runners || race.time.runners_s.has_value();
    stamps = stamps || race.time.stamps_s.has_value();
  }
  if (runners) return TuningClock::runners;
  return stamps ? TuningClock::stamps : TuningClock::none;
}

bool has_stage(const Build& build, const char* name) {
  return std::ranges::any_of(build.stages,
                             [&](const BuildStage& stage) { return stage.name == name; });
}

// A failed build stands where its error is, which the finding says better.
std::optional<BuildProgress> progress_of(const Analysis& analysis) {
  const Build& build = analysis.build;
  if (!build.has_log || build.closing_line || build.outcome == Outcome::passed) return std::nullopt;
  if (build.outcome == Outcome::unknown) return std::nullopt;
  BuildProgress progress;
  progress.stage = last_stage(build);
  // Neither pasted lines of an error nor a load are a build that ends.
  const bool is_build = !build.is_excerpt() && !build.options.has("loadEngine");
  if (!is_build && progress.stage == "starting") return std::nullopt;
  if (build.last_timed && progress.stage == "timing tactics") {
    progress.layer = build.last_timed->layer;
  }
  std::unordered_set<std::string> begun;
  for_each_layer(build.autotuning, [&](auto first, auto) { begun.insert(first->layer); });
  // A conversion is none of the graph's layers.
  if (!progress.layer.empty() && progress.layer.rfind("Optimizer Reformat(", 0) != 0) {
    begun.insert(progress.layer);
  }
  if (!begun.empty()) progress.layers_done = begun.size();
  progress.layers = build.graph_layers;
  for (const Run& run : analysis.reading->runs) {
    const bool is_own = std::ranges::find(build.runs, run.n) != build.runs.end();
    if (!is_own) continue;
    progress.last_line.file = run.file;
    progress.last_line.line = run.last_line;
  }
  return progress;
}

}  // namespace

const char* last_stage(const Build& build) {
  const bool timed = build.performance.throughput_qps || build.performance.latency;
  if (timed) return "reporting";
  if (!build.trace.empty()) return "timing the engine";
  if (build.engine_was_built()) {
    return "after the engine was built";
  }
  if (has_stage(build, "engine generation") || has_stage(build, "autotuning")) {
    return "finishing the engine";
  }
  if (!build.autotuning.empty() || build.tactics_timed > 0 || build.last_timed) {
    return "timing tactics";
  }
  if (build.graph_layers || !build.placements.empty()) return "optimizing the graph";
  if (!build.onnx_nodes.empty()) return "parsing the network";
  return "starting";
}

void fill_build_time(Analysis& analysis) {
  const Build& build = analysis.build;
  BuildTime& out = analysis.build_time;
  out.clock = clock_of(build);
  std::unordered_map<std::string, std::size_t> places;
  for_each_layer(build.autotuning, [&](auto first, auto last) {
    const auto [place, is_new] = places.try_emplace(first->layer, out.layers.size());
    if (is_new) out.layers.emplace_back().layer = first->layer;
    LayerTuning& row = out.layers[place->second];
    for (; first != last; ++first) {
      const Autotune& race = *first;
      ++row.combinations;
      row.timed += race.timed;
      row.skipped += race.skipped;
      row.from_cache += race.from_cache ? 1 : 0;
      row.timed_ms += race.timed_ms;
      if (const auto s = by_clock(race.time, out.clock)) row.s = row.s.value_or(0) + *s;
    }
  });
  for (const LayerTuning& row : out.layers) {
    out.from_cache += row.from_cache;
    if (row.s) out.layers_s = out.layers_s.value_or(0) + *row.s;
  }
  out.reformat_races = build.reformat_tuning.races;
  out.reformats_s = by_clock(build.reformat_tuning.time, out.clock);
  std::ranges::stable_sort(out.layers, [](const LayerTuning& a, const LayerTuning& b) {
    const double a_s = a.s.value_or(0), b_s = b.s.value_or(0);
    if (a_s != b_s) return a_s > b_s;
    return a.timed_ms > b.timed_ms;
  });
  out.progress = progress_of(analysis);
}

}  // namespace trtlens
