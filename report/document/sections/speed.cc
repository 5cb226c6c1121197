// How fast a query is: the figure, what it is of, and what else is known.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "report/document/parts.h"

namespace trtlens {
namespace {

std::string throughput_text(const Context& context) {
  const Performance& performance = context.build.performance;
  if (!performance.throughput_qps) return "";
  const double qps = *performance.throughput_qps;
  const std::optional<std::int64_t> batch = context.build.inference.batch;
  if (!batch || *batch <= 1) return fmt::format("{} queries/s", number_text(qps));
  return fmt::format("{} queries/s × batch {} = {} samples/s", number_text(qps), *batch,
                     number_text(qps * static_cast<double>(*batch)));
}

// Of the host, in ms.
struct Latency {
  double median_ms = 0;
  std::optional<double> p99_ms;
};

// trtexec's own summary before the samples of --exportTimes.
std::optional<Latency> latency_of(const Context& context) {
  const std::optional<LatencyStats>& stats = context.build.performance.latency;
  if (stats && stats->median_ms) {
    Latency latency = {*stats->median_ms, std::nullopt};
    const auto p99 = stats->percentiles_ms.find("99");
    if (p99 != stats->percentiles_ms.end()) latency.p99_ms = p99->second;
    return latency;
  }
  const std::optional<SampleStats>& samples = context.analysis.latency_samples;
  if (!samples || samples->n == 0) return std::nullopt;
  return Latency{samples->median_ms, samples->p99_ms};
}

std::string latency_text(const Context& context) {
  const std::optional<Latency> latency = latency_of(context);
  if (!latency) return "";
  std::string text = "latency median " + ms_text(latency->median_ms);
  if (latency->p99_ms) text += ", p99 " + ms_text(*latency->p99_ms);
  return text;
}

// "median of 2485, p99 0.819 ms"
std::string compute_words(const Context& context) {
  const std::optional<SampleStats>& samples = context.analysis.compute_samples;
  std::string text = context.gpu_compute_what;
  const std::optional<std::uint64_t> queries =
      samples ? samples->n : context.build.performance.queries;
  if (queries) text += fmt::format(" of {}", *queries);
  std::optional<double> p99_ms;
  if (const auto& stats = context.build.performance.gpu_compute) {
    const auto p99 = stats->percentiles_ms.find("99");
    if (p99 != stats->percentiles_ms.end()) p99_ms = p99->second;
  }
  if (!p99_ms && samples && samples->n > 0) p99_ms = samples->p99_ms;
  return p99_ms ? text + ", p99 " + ms_text(*p99_ms) : text;
}

}  // namespace

Tile speed_tile(const Context& context) {
  Tile tile;
  tile.label = "How fast";
  if (context.gpu_compute_ms) {
    tile.value = ms_text(*context.gpu_compute_ms);
    tile.unit = fmt::format("per query (GPU compute, {})", compute_words(context));
  } else if (context.profile_ms > 0) {
    tile.value = ms_text(context.profile_ms);
    tile.unit = "sum of the layer profile; time per query unknown";
  } else if (const auto latency = latency_of(context)) {
    tile.value = ms_text(latency->median_ms);
    tile.unit = "per query (host latency, median); GPU compute time unknown";
  } else if (const TuningIteration* const best = context.build.tuning.best();
             best != nullptr && best->time_ms()) {
    tile.value = ms_text(*best->time_ms());
    tile.unit = best->gpu_time_ms ? "GPU time of the best tuning iteration, as the tuner says"
                                  : "median GPU compute of the best tuning iteration";
    if (best->run) tile.lines.push_back(fmt::format("--run {} reports it", *best->run));
  } else if (profile_is_zero(context)) {
    tile.value = "unknown";
    tile.unit = "the profile holds nothing but zeros";
  } else {
    tile.value = "unknown";
    tile.unit = context.build.outcome != Outcome::failed ? "no timing in these inputs"
                                                         : failed_words(context.analysis).no_timing;
  }
  for (const std::string& line : {throughput_text(context), latency_text(context)}) {
    if (!line.empty()) tile.lines.push_back(sentence_start(line));
  }
  if (context.gpu_compute_ms && context.profile_ms > 0) {
    tile.lines.push_back(fmt::format("Profile sum {}, {:.2f} × GPU compute",
                                     ms_text(context.profile_ms),
                                     context.profile_ms / *context.gpu_compute_ms));
  }
  return tile;
}

}  // namespace trtlens
