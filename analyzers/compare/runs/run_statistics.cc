// The figure of a run from the best source that it has, its error, drift and second speed.
#include "analyzers/compare/runs/run_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "analyzers/compare/comparison.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// trtexec's own warm-up is 200 ms; measured, the first 100 queries behind it are still up to 5 %
// slower. A short run gives up a tenth at most.
constexpr std::size_t kWarmUpQueries = 100;
constexpr std::size_t kBatches = 20;
constexpr std::size_t kLeastPerBatch = 10;
constexpr double kLeastDrift = 0.01;      // of the run's figure
constexpr double kDriftErrors = 4;        // and so many standard errors
constexpr double kLeastModeGap = 0.02;    // slower mode over faster one
constexpr double kLeastModeShare = 0.05;  // of the queries, in either mode
constexpr double kModeSeparation = 4;     // Ashman's D; a uniform distribution cut in half has 3.5

double low_quantile(std::vector<double> values) {
  std::ranges::sort(values);
  return quantile_of_sorted(values, kRunQuantile);
}

std::vector<double> part(const std::vector<double>& v, std::size_t i, std::size_t parts) {
  const auto at = [&](std::size_t k) {
    return v.begin() + static_cast<std::ptrdiff_t>(v.size() * k / parts);
  };
  return {at(i), at(i + 1)};
}

// Standard error of the figure by batch means: independent of how neighbours are correlated as long
// as a batch is longer than the correlation.
std::optional<double> batch_error(const std::vector<double>& v) {
  const std::size_t batches = std::min(kBatches, v.size() / kLeastPerBatch);
  if (batches < 5) return std::nullopt;
  std::vector<double> logs;
  for (std::size_t i = 0; i < batches; ++i)
    logs.push_back(std::log(low_quantile(part(v, i, batches))));
  const double mean = mean_of(logs);
  double squares = 0;
  for (const double x : logs) squares += (x - mean) * (x - mean);
  const auto n = static_cast<double>(batches);
  return std::sqrt(squares / (n - 1) / n);
}

// Two clocks or a neighbour on the GPU leave two heaps of queries. The cut with the largest
// variance between the heaps (Otsu), accepted when Ashman's D says that they are apart.
void find_modes(const std::vector<double>& sorted, RunTime& run) {
  const std::size_t n = sorted.size();
  if (n < 100) return;
  std::vector<double> sums(n + 1, 0), squares(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = sorted[i] - sorted[0];
    sums[i + 1] = sums[i] + x;
    squares[i + 1] = squares[i] + x * x;
  }
  const auto least = static_cast<std::size_t>(kLeastModeShare * static_cast<double>(n));
  const auto mean = [&](std::size_t from, std::size_t to) {
    return (sums[to] - sums[from]) / static_cast<double>(to - from);
  };
  std::size_t cut = 0;
  double most = 0;
  for (std::size_t i = least; i + least <= n; ++i) {
    const double gap = mean(i, n) - mean(0, i);
    const double between = gap * gap * static_cast<double>(i) * static_cast<double>(n - i);
    if (between <= most) continue;
    most = between;
    cut = i;
  }
  if (cut == 0) return;
  const auto variance = [&](std::size_t from, std::size_t to) {
    const double m = mean(from, to);
    return std::max(0.0, (squares[to] - squares[from]) / static_cast<double>(to - from) - m * m);
  };
  const double fast = sorted[0] + mean(0, cut);
  const double slow = sorted[0] + mean(cut, n);
  const double apart = std::sqrt(2.0) * (slow - fast);
  const double wide = std::sqrt(variance(0, cut) + variance(cut, n));
  if (fast <= 0 || slow < fast * (1 + kLeastModeGap) || apart < kModeSeparation * wide) return;
  run.slow_share = static_cast<double>(n - cut) / static_cast<double>(n);
  run.slow_mode = slow / fast - 1;
}

void find_drift(const std::vector<double>& v, RunTime& run) {
  if (v.size() < 3 * kBatches || !run.relative_error) return;
  const double first = low_quantile(part(v, 0, 3));
  const double last = low_quantile(part(v, 2, 3));
  if (first <= 0) return;
  const double drift = last / first - 1;
  // Each third knows its quantile √3 times worse than the run does.
  const auto error = batch_error(part(v, 1, 3)).value_or(*run.relative_error * std::sqrt(3.0));
  if (std::fabs(drift) < kLeastDrift || std::fabs(drift) < kDriftErrors * error) return;
  run.drift = drift;
}

std::optional<RunTime> of_queries(const Analysis& run) {
  std::vector<double> compute;
  for (const Query& q : run.build.queries) {
    const auto ms = static_cast<double>(q.compute_ms);
    if (std::isfinite(ms) && ms > 0) compute.push_back(ms);
  }
  if (compute.empty()) return std::nullopt;
  return run_time_of_queries(compute);
}

std::optional<RunTime> plain(std::optional<double> ms, std::uint64_t queries) {
  if (!ms || !std::isfinite(*ms) || *ms <= 0) return std::nullopt;
  RunTime run;
  run.value_ms = *ms;
  run.queries = queries;
  return run;
}

std::optional<RunTime> of_summary(const Analysis& run, bool median) {
  const Performance& p = run.build.performance;
  if (!p.gpu_compute) return std::nullopt;
  return plain(median ? p.gpu_compute->median_ms : p.gpu_compute->mean_ms, p.queries.value_or(0));
}

std::vector<double> trace_of(const Analysis& run) {
  std::vector<double> windows;
  for (const TraceWindow& w : run.build.trace) {
    const auto ms = static_cast<double>(w.gpu_ms);
    if (std::isfinite(ms) && ms > 0) windows.push_back(ms);
  }
  return windows;
}

// Averages of the trace are over a few queries each and still know modes and outliers.
std::optional<RunTime> of_trace(const Analysis& run) {
  std::vector<double> windows = trace_of(run);
  if (windows.empty()) return std::nullopt;
  std::ranges::sort(windows);
  return plain(quantile_of_sorted(windows, kRunQuantile), 0);
}

}  // namespace

double mean_of(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double quantile_of_sorted(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

RunTime run_time_of_queries(const std::vector<double>& compute_ms) {
  RunTime run;
  run.warm_up = std::min(kWarmUpQueries, compute_ms.size() / 10);
  const std::vector<double> steady(compute_ms.begin() + static_cast<std::ptrdiff_t>(run.warm_up),
                                   compute_ms.end());
  std::vector<double> sorted = steady;
  std::ranges::sort(sorted);
  run.queries = compute_ms.size();
  run.value_ms = quantile_of_sorted(sorted, kRunQuantile);
  run.relative_error = batch_error(steady);
  find_modes(sorted, run);
  find_drift(steady, run);
  return run;
}

namespace {

// The figure alone.
std::optional<RunTime> figure_of(const Analysis& run, TimeSource source) {
  switch (source) {
    case TimeSource::queries:
      return of_queries(run);
    case TimeSource::summary_median:
      // A run with the queries and no log has the same median.
      if (auto summary = of_summary(run, true)) return summary;
      return run.compute_samples ? plain(run.compute_samples->median_ms, run.compute_samples->n)
                                 : std::nullopt;
    case TimeSource::summary_mean:
      if (auto summary = of_summary(run, false)) return summary;
      return run.compute_samples ? plain(run.compute_samples->mean_ms, run.compute_samples->n)
                                 : std::nullopt;
    case TimeSource::trace:
      return of_trace(run);
    case TimeSource::profile:
      break;
  }
  if (!run.build.has_profile) return std::nullopt;
  return plain(run.build.profile_sum_ms, run.build.profile_iterations.value_or(0));
}

// What the queries of the run, else its trace, say of its steadiness.
void add_steadiness(const Analysis& run, RunTime& time) {
  std::optional<RunTime> steadiness = of_queries(run);
  if (!steadiness) {
    const std::vector<double> windows = trace_of(run);
    if (!windows.empty()) steadiness = run_time_of_queries(windows);
  }
  if (!steadiness) return;
  time.relative_error = steadiness->relative_error;
  time.drift = steadiness->drift;
  time.slow_share = steadiness->slow_share;
  time.slow_mode = steadiness->slow_mode;
}

constexpr TimeSource kSources[] = {TimeSource::queries, TimeSource::summary_median,
                                   TimeSource::summary_mean, TimeSource::trace,
                                   TimeSource::profile};

}  // namespace

std::optional<RunTime> run_time(const Analysis& run, TimeSource source) {
  std::optional<RunTime> time = figure_of(run, source);
  if (!time || source == TimeSource::queries) return time;
  add_steadiness(run, *time);
  if (source == TimeSource::profile && time->queries > 0) {
    const double error = kQueryScatter / std::sqrt(static_cast<double>(time->queries));
    time->relative_error = std::max(time->relative_error.value_or(0), error);
  }
  return time;
}

bool has_time(const Analysis& run, TimeSource source) {
  if (source == TimeSource::queries) {
    return std::ranges::any_of(run.build.queries, [](const Query& q) {
      return std::isfinite(q.compute_ms) && q.compute_ms > 0;
    });
  }
  return figure_of(run, source).has_value();
}

bool has_compute_time(const Analysis& run) {
  return std::any_of(std::begin(kSources), std::end(kSources), [&](TimeSource source) {
    return source != TimeSource::profile && has_time(run, source);
  });
}

bool has_any_time(const Analysis& run) {
  return has_compute_time(run) || has_time(run, TimeSource::profile);
}

std::optional<TimeSource> common_source(const std::vector<const Analysis*>& runs) {
  for (const TimeSource source : kSources) {
    if (std::ranges::all_of(runs,
                            [source](const Analysis* run) { return has_time(*run, source); })) {
      return source;
    }
  }
  return std::nullopt;
}

std::optional<double> inner_error_of(const RunTime& run) {
  if (!run.drift) return run.relative_error;
  return std::max(run.relative_error.value_or(0), std::log1p(std::fabs(*run.drift)) / 2);
}

RunSpeed speed_of(const Analysis& run) {
  RunSpeed speed;
  speed.name = run.name;
  for (const TimeSource source : kSources) {
    const std::optional<RunTime> time = run_time(run, source);
    if (!time || !std::isfinite(time->value_ms) || time->value_ms <= 0) continue;
    speed.ms.at(static_cast<std::size_t>(source)) = time->value_ms;
    if (source == TimeSource::profile) {  // the queries say more, and its iterations are none
      if (!speed.error) speed.error = inner_error_of(*time);
      continue;
    }
    speed.error = inner_error_of(*time);
    speed.queries = std::max(speed.queries, time->queries);
  }
  return speed;
}

std::optional<std::size_t> common_figure(const std::vector<RunSpeed>& runs) {
  for (std::size_t i = 0; !runs.empty() && i < runs[0].ms.size(); ++i) {
    const auto has = [i](const RunSpeed& run) { return run.ms.at(i).has_value(); };
    if (std::ranges::all_of(runs, has)) return i;
  }
  return std::nullopt;
}

const char* method_of(TimeSource source) {
  return name_of<TimeSource::profile>(
      source, {"10th percentile of a run's queries", "median of the performance summary",
               "mean of the performance summary", "10th percentile of the trace averages",
               "sum of the layers' profile times"});
}

}  // namespace trtlens
