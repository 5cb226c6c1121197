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
  std::sort(values.begin(), values.end());
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
  constexpr double kNormalP90MinusP10 = 2.563;
  if (stats.median_ms > 0) {
    stats.spread = (percentile(0.90) - stats.p10_ms) / kNormalP90MinusP10 / stats.median_ms;
  }
  const auto slow = std::upper_bound(values.begin(), values.end(), 2 * stats.median_ms);
  stats.outliers = static_cast<std::uint64_t>(values.end() - slow);
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

}  // namespace

void fill_samples(Analysis& analysis) {
  const std::vector<Query>& queries = analysis.build.queries;
  if (queries.empty()) return;
  analysis.compute_samples = samples_of(queries, [](const Query& q) { return q.compute_ms; });
  analysis.latency_samples = samples_of(queries, [](const Query& q) { return q.latency_ms; });
  analysis.enqueue_samples = samples_of(queries, [](const Query& q) { return q.enqueue_ms; });
  analysis.h2d_samples = samples_of(queries, [](const Query& q) { return q.h2d_ms; });
  analysis.d2h_samples = samples_of(queries, [](const Query& q) { return q.d2h_ms; });
}

}  // namespace trtlens
