// How many runs a side would settle a question that the runs at hand leave open.
#pragma once

#include <cstddef>
#include <optional>

#include "analyzers/compare/comparison.h"

namespace trtlens {

struct SideFigures;

// What is known before more runs are made; shifts and scatters are of logarithms.
struct Outlook {
  double estimate = 0;   // of the shift
  double error = 0;      // its standard error; 0: the shift is known
  double scatter = 0;    // standard deviation of a run
  double margin = 0;     // the least shift that matters
  std::size_t from = 2;  // fewer runs a side are no answer
};

// Runs a side that give the verdict in four of five cases: both when the shift is the estimate, and
// on average over the shifts that the estimate leaves open. None beyond 50.
[[nodiscard]] std::optional<std::size_t> runs_to_settle(const Outlook& outlook);
// Chance that n runs a side give the verdict that a true shift of that size should get.
[[nodiscard]] double chance_to_settle(std::size_t n, double shift, double scatter, double margin);

// For a verdict that cannot tell; adds to its notes what the number rests on.
void advise(const SideFigures& base, const SideFigures& candidate, EngineVerdict& e);
// Runs a side that would confirm a verdict of single runs.
[[nodiscard]] std::optional<std::size_t> runs_to_confirm(const SideFigures& base,
                                                         const SideFigures& candidate,
                                                         double margin);

}  // namespace trtlens
