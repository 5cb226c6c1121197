// The tuning loop of 11.1 over build routes (--tuneBuildRoutes).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "parsers/model/engine.h"

namespace trtlens {

// One build of 11.1's tuning loop (--tuneBuildRoutes): a line of its cache, its result file, or
// what the log says of it.
struct TuningIteration {
  std::optional<std::int64_t> iteration;
  std::string build_route, error_message;
  std::optional<bool> crashed;  // as the cache says; TASK_ABORT of the log
  Outcome outcome = Outcome::unknown;
  std::optional<double> gpu_time_ms;     // as the tuner says
  std::optional<double> gpu_compute_ms;  // median of the summary that its own run printed
  // Of the output that is farthest off, and of each when they are named.
  std::optional<double> accuracy_loss;
  std::vector<std::pair<std::string, double>> accuracy_losses;
  std::optional<bool> accuracy_failed;
  std::optional<int> run;  // in the logs
  SourcePos pos;

  // The best that is known of how long a query takes.
  [[nodiscard]] std::optional<double> time_ms() const {
    return gpu_time_ms ? gpu_time_ms : gpu_compute_ms;
  }
};

struct Tuning {
  std::vector<TuningIteration> iterations;
  std::optional<std::uint64_t> routes;  // that the expression expands to
  std::optional<std::uint64_t> succeeded,
      attempted;           // "Tuning summary: 2 / 3 iterations succeeded."
  std::string best_route;  // as the tuner says
  std::optional<double> best_gpu_time_ms;
  std::optional<double> timeout_s;  // "Tuning timeout reached (60s); stopping early."
  // Of the cache's header.
  std::string expression, search, accuracy_algorithm, command;

  [[nodiscard]] bool empty() const { return iterations.empty() && !attempted && !routes; }
  // The one that the tuner calls the best, else the fastest that did not fail; null when none is.
  [[nodiscard]] const TuningIteration* best() const;
};

}  // namespace trtlens
