// The figures of one side's runs, one a run, and what is known of their scatter.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzers/compare/runs/run_statistics.h"

namespace trtlens {

struct SideFigures {
  std::vector<RunTime> runs;     // that count
  std::vector<double> logs;      // of their figures
  std::vector<double> left_out;  // the same of runs that were left out as slow
  double inner_error = 0;  // standard error of a run's logarithm from inside it, RMS over runs
};

[[nodiscard]] SideFigures figures_of(const std::vector<RunTime>& runs,
                                     const std::vector<std::size_t>& left_out);

}  // namespace trtlens
