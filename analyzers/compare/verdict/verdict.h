// Whether the candidate is slower, as a whole and layer by layer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"

namespace trtlens {

struct RunTime;
struct Side;

// Finds the source that all runs have, leaves slow runs of both sides out, and judges the rest. No
// exclusion by the comparability guard.
[[nodiscard]] EngineVerdict engine_verdict(Side& base, Side& candidate,
                                           const CompareOptions& options);
// The same of figures that are at hand: one a run, in ms. For tests and simulations.
[[nodiscard]] EngineVerdict verdict_of_runs(const std::vector<RunTime>& base,
                                            const std::vector<RunTime>& candidate,
                                            const CompareOptions& options);

// Times of the layers of one run, in the order of the layers that groups count in.
using LayerTimes = std::vector<std::optional<LayerTime>>;

// The layers of one side: their times over its runs, and each run's own.
struct SideLayers {
  const Analysis* side = nullptr;  // the groups' indices are of its layers
  std::vector<LayerTimes> runs;
  std::vector<std::string> other_names;  // runs whose profiles name other layers, and do not count
  double inner_error = 0;  // as SideFigures::inner_error, and of a profile of few iterations
};

// The tick of the timer, when all times of the profile are multiples of one.
[[nodiscard]] std::optional<double> timer_tick_ms(const Build& build);

// Times and verdicts of the groups. `judged`: false gives no verdicts.
void judge_groups(const SideLayers& base, const SideLayers& candidate,
                  const CompareOptions& options, bool judged, std::vector<LayerGroup>& groups);

}  // namespace trtlens
