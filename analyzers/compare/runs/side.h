// One side of a comparison: which of its runs count, and what they say together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/verdict/verdict.h"

namespace trtlens {

struct Side {
  std::vector<Analysis> runs;        // by name: the order of the arguments says nothing
  std::vector<std::size_t> counted;  // of `runs`; the others are in left_out or have no time
  std::vector<std::size_t> slow;     // of `runs`, left out by leave_slow_out()
  // Of `runs`, and not of `counted`: they tell their layers' times and no GPU compute time.
  std::vector<std::size_t> layers_only;
  std::vector<LeftOutRun> left_out;
  // Why its runs are no repetitions of one engine; "" when they are.
  std::string mixed;
  double inner_error = 0;  // RMS over the runs that count
};

// Sorts the runs, leaves out what failed or has no time when others have one, and looks whether the
// rest are one engine.
[[nodiscard]] Side side_of_runs(std::vector<Analysis> runs);
// Why two runs are not of one engine under one setting; "" when nothing says so.
[[nodiscard]] std::string unlike(const Analysis& a, const Analysis& b);
// What has a profile and no GPU compute time says nothing of the engine's speed when both sides
// have runs with one.
void set_profiles_aside(Side& base, Side& candidate);
// Slow processes, by the figure and by the sum of the layers' times.
void leave_slow_out(TimeSource source, Side& side);
// One build with the layers' times of all runs that count: means over those that name the same
// layers. Fills `layers` from them; these point to the result, which must not move.
void take_together(Side& side, const AnalyzeOptions& options, Analysis& together,
                   SideLayers& layers);

}  // namespace trtlens
