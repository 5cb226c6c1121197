// Statistics of the queries of --exportTimes.
#include <algorithm>
#include <cmath>

#include "analyzers/ledgers/ledgers.h"

namespace trtlens {
namespace {

SampleStats stats_of(std::vector<double> values) {
  SampleStats stats;
  stats.n = values.size();
  double sum = 0;
  for (const double v : values) sum += v;
  stats.mean_ms = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - stats.mean_ms) * (v - stats.mean_ms);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size()));
  stats.coeff_var = stats.mean_ms > 0 ? deviation / stats.mean_ms : 0;
  std::ranges::sort(values);
  const std::size_t n = values.size();
  // As trtexec's findMedian and findPercentile: sorted[max(n - 1 - int((1 - p) * n), 0)].
  const auto percentile = [&](double p) {
    const auto excluded = static_cast<std::size_t>((1 - p) * static_cast<double>(n));
    return values[n - 1 - std::min(excluded, n - 1)];
  };
  stats.min_ms = values.front();
  stats.max_ms = values.back();
  stats.median_ms = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  stats.p10_ms = percentile(0.10);
  stats.p99_ms = percentile(0.99);
  if (stats.median_ms > 0) stats.spread = (percentile(0.90) - stats.p10_ms) / stats.median_ms;
  const auto slow = std::upper_bound(values.begin(), values.end(), 2 * stats.median_ms);
  stats.outliers = static_cast<std::uint64_t>(values.end() - slow);
  for (auto at = slow; at != values.end(); ++at) stats.outliers_ms += *at - stats.median_ms;
  if (n >= 1000) stats.p999_ms = percentile(0.999);
  return stats;
}

// None when a query lacks it. One list at a time: there may be millions of queries.
template <typename Get>
std::optional<SampleStats> samples_of(const std::vector<Query>& queries, Get get) {
  std::vector<double> ms;
  ms.reserve(queries.size());
  for (const Query& query : queries) {
    const std::optional<float> one = get(query);
    if (!one) return std::nullopt;
    ms.push_back(static_cast<double>(*one));
  }
  return stats_of(std::move(ms));
}

// Where launches bound a query, a slow one makes a slow query; a few outliers prove nothing.
std::optional<double> correlation_of(const Analysis& analysis) {
  constexpr std::uint64_t kLeastQueries = 30;
  if (!analysis.enqueue_samples || !analysis.compute_samples ||
      analysis.compute_samples->n < kLeastQueries) {
    return std::nullopt;
  }
  const double most_enqueue = analysis.enqueue_samples->p99_ms;
  const double most_compute = analysis.compute_samples->p99_ms;
  const auto n = static_cast<double>(analysis.build.queries.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;  // sums, of differences from the medians
  for (const Query& query : analysis.build.queries) {
    const double a = std::min(static_cast<double>(*query.enqueue_ms), most_enqueue) -
                     analysis.enqueue_samples->median_ms;
    const double b = std::min(static_cast<double>(query.compute_ms), most_compute) -
                     analysis.compute_samples->median_ms;
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  const double squares = (xx - x * x / n) * (yy - y * y / n);
  if (squares <= 0) return std::nullopt;
  return (xy - x * y / n) / std::sqrt(squares);
}

}  // namespace

std::optional<QueryTime> query_time(const Analysis& analysis) {
  const std::optional<LatencyStats>& printed = analysis.build.performance.gpu_compute;
  if (printed && printed->median_ms) return QueryTime{*printed->median_ms, "median"};
  const std::optional<SampleStats>& samples = analysis.compute_samples;
  if (samples && samples->n > 0) return QueryTime{samples->median_ms, "median"};
  if (printed && printed->mean_ms) return QueryTime{*printed->mean_ms, "mean"};
  return std::nullopt;
}

void fill_samples(Analysis& analysis) {
  const std::vector<Query>& queries = analysis.build.queries;
  if (queries.empty()) return;
  analysis.compute_samples = samples_of(queries, [](const Query& q) { return q.compute_ms; });
  analysis.latency_samples = samples_of(queries, [](const Query& q) { return q.latency_ms; });
  analysis.enqueue_samples = samples_of(queries, [](const Query& q) { return q.enqueue_ms; });
  analysis.launch_correlation = correlation_of(analysis);
  analysis.h2d_samples = samples_of(queries, [](const Query& q) { return q.h2d_ms; });
  analysis.d2h_samples = samples_of(queries, [](const Query& q) { return q.d2h_ms; });
}

}  // namespace trtlens
