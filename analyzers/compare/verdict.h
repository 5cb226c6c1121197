// Whether the candidate is slower, as a whole and layer by layer.
#pragma once

#include <vector>

#include "analyzers/compare/comparison.h"

namespace trtlens {

// The engine's figures over runs. No exclusion by the comparability guard.
[[nodiscard]] EngineVerdict engine_verdict(const std::vector<Analysis>& base,
                                           const std::vector<Analysis>& candidate,
                                           const CompareOptions& options);
// The same of figures that are at hand: one a run, in ms. For tests and simulations.
struct RunTime;
[[nodiscard]] EngineVerdict verdict_of_runs(const std::vector<RunTime>& base,
                                            const std::vector<RunTime>& candidate,
                                            const CompareOptions& options);

// Times and verdicts of the groups. `base_at` and `candidate_at`: the run of each side that the
// groups' indices are of.
void judge_groups(const std::vector<Analysis>& base, std::size_t base_at,
                  const std::vector<Analysis>& candidate, std::size_t candidate_at,
                  const CompareOptions& options, std::vector<LayerGroup>& groups);

}  // namespace trtlens
