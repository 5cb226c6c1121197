// What one run (process) says of its engine's speed: one figure that a warm-up, slow modes and
// outliers inside the run move little, and how far it can be trusted. The unit of every verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

// Where a run's figure comes from, best first. Runs are compared by one that all of them have.
enum class TimeSource : std::uint8_t { queries, summary_median, summary_mean, trace, profile };

struct RunTime {
  double value_ms = 0;
  // Standard error of log(value_ms) from inside the run, by batches of neighbouring queries so that
  // their correlation counts; none when the run has too few of them. Like drift and modes it is the
  // run's, whatever its figure is taken from.
  std::optional<double> relative_error;
  std::uint64_t queries = 0;
  std::size_t warm_up = 0;           // leading queries that were left out
  std::optional<double> drift;       // last third over first third, minus 1, when it is real
  std::optional<double> slow_share;  // of the slower of two modes, when there are two
  std::optional<double> slow_mode;   // its time over the faster one's, minus 1
};

// Of a quantile of the queries: low, because what disturbs a run only ever makes queries slower.
inline constexpr double kRunQuantile = 0.10;
// A query or a layer differs by that from the next one (inside runs of ours: 1.3 to 4.4 %); what a
// profile of few iterations cannot average out.
inline constexpr double kQueryScatter = 0.03;

// How far the run's figure can be trusted, from inside it: its standard error, or half its drift.
[[nodiscard]] std::optional<double> inner_error_of(const RunTime& run);
[[nodiscard]] RunTime run_time_of_queries(const std::vector<double>& compute_ms);
// None when the run does not have that source.
[[nodiscard]] std::optional<RunTime> run_time(const Analysis& run, TimeSource source);
[[nodiscard]] bool has_time(const Analysis& run, TimeSource source);
[[nodiscard]] bool has_compute_time(const Analysis& run);  // by any source but the profile
[[nodiscard]] bool has_any_time(const Analysis& run);
// The best source that every one of these runs has.
[[nodiscard]] std::optional<TimeSource> common_source(const std::vector<const Analysis*>& runs);
[[nodiscard]] const char* method_of(TimeSource source);  // "10th percentile of the queries"

[[nodiscard]] double mean_of(const std::vector<double>& v);
// The q-quantile of sorted values, by linear interpolation.
[[nodiscard]] double quantile_of_sorted(const std::vector<double>& sorted, double q);

// The figures of one side's runs, one a run, and what is known of their scatter.
struct SideFigures {
  std::vector<RunTime> runs;     // that count
  std::vector<double> logs;      // of their figures
  std::vector<double> left_out;  // the same of runs that were left out as slow
  double inner_error = 0;  // standard error of a run's logarithm from inside it, RMS over runs
};

[[nodiscard]] SideFigures figures_of(const std::vector<RunTime>& runs,
                                     const std::vector<std::size_t>& left_out);

}  // namespace trtlens
