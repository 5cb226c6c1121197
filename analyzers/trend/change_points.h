// Where a series of figures, one a build, changed its level.
//
// E-Divisive with means: Matteson and James, "A Nonparametric Approach for Multiple Change Point
// Analysis of Multivariate Data", JASA 109 (2014), as MongoDB and Hunter use it for performance
// (Daly et al., ICPE 2020; Fleming et al., ICPE 2023). Splits are found by the energy statistic of
// the logarithms and judged by permutation, which asks nothing of how the noise is spread.
// docs/history.md has what that is worth.
#pragma once

#include <cstddef>
#include <vector>

namespace trtlens {

struct ChangeOptions {
  double margin = 0.02;  // the least shift between neighbouring levels: slower over faster, minus 1
  double level = 0.01;   // a series without a change shows one as often
  std::size_t permutations = 999;
  std::size_t least_stretch = 3;  // builds between two changes
};

// Figures of one level: those from `begin` up to `end`.
struct Stretch {
  std::size_t begin = 0, end = 0;
  double median = 0;
  double scatter = 0;  // standard deviation of a figure, as a share; by the median deviation
  double shift = 0;    // of the median, over that of the stretch before, minus 1; 0 of the first
  double p_value = 1;  // of no change at `begin`; 1 of the first
};

// At least one where there is a value; values are positive. The same values give the same answer.
[[nodiscard]] std::vector<Stretch> stretches_of(const std::vector<double>& values,
                                                const ChangeOptions& options = {});

}  // namespace trtlens
