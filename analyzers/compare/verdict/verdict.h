// Whether the sides may be compared, whether the candidate is slower, as a whole and layer by
// layer, and why.
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
// Between processes of one engine medians spread by up to 13 %: what is slower by much more is not
// one unlucky process.
inline constexpr double kLargestOfOneProcess = 0.25;
// The same of figures that are at hand: one a run, in ms. For contracts, tests and simulations.
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

// Shapes of the inputs, and the batch where it is none of their dimensions: "32x3x224x224"; "" when
// not known. Times at others say nothing of each other.
[[nodiscard]] std::string timed_shapes(const Build& build);
// Sets `comparable` and the reasons against it, from the sides and the aligned shares.
void check_comparable(Comparison& c);

// One more timing of the engine, with the timing options of its run; "" when none were recorded.
[[nodiscard]] std::string timing_command(const Build& build);

// Fills `why` of every group. Groups have their times.
void explain_groups(Comparison& c);
// What the shift of the profile time consists of, largest part first; none without profiles.
[[nodiscard]] std::vector<ShiftPart> parts_of_shift(const Comparison& c);
// Findings of the slower side that explain it, largest first; counts of layers that changed with
// it.
[[nodiscard]] std::vector<ShiftFinding> findings_of_shift(const Comparison& c);
[[nodiscard]] std::vector<std::string> writers_of_shift(const Comparison& c);
// That queries and layers shifted in opposite directions, in a sentence; "" when they did not.
[[nodiscard]] std::string odds_of_shift(const Comparison& c);
// All of that in sentences, of a comparison that has it; "" when the shift is small.
[[nodiscard]] std::string cause_of_shift(const Comparison& c);

// The layer that a group's side is about: its slowest arithmetic, else its slowest work; kNoLayer
// when it has conversions only.
[[nodiscard]] std::size_t lead_of(const Analysis& side, const std::vector<std::size_t>& layers);
inline constexpr std::size_t kNoLayer = static_cast<std::size_t>(-1);
struct Kernels {
  std::size_t reformats = 0, quantizers = 0, work = 0;  // with a time
  double conversion_ms = 0, work_ms = 0;
};
[[nodiscard]] Kernels kernels_of(const Analysis& side, const std::vector<std::size_t>& layers);
// "INT8 instead of FP32"; "" when the types are equal or one is not known.
[[nodiscard]] std::string changed_type(const std::vector<Tensor>& was,
                                       const std::vector<Tensor>& is);
[[nodiscard]] bool known_precision(const LayerGroup& group);
// Output type of a group's lead, else its input's, when it is another one: "write FP32 instead of
// FP16". A kernel for other types is another kernel: no race that fell the other way.
[[nodiscard]] std::string type_change(const Comparison& c, const LayerGroup& group);
// The group's kernels run other tactics although they compute, read and write the same types.
[[nodiscard]] bool tactic_changed(const Comparison& c, const LayerGroup& group);

}  // namespace trtlens
