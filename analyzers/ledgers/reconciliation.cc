// Why the layers do not add up to a query: the two clocks, launches and transfers.
#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Of a query's time: what the profiler adds to each launch makes up 2 to 42 % in builds whose truth
// is known. Above it something else is going on.
constexpr double kMostByLaunches = 1.5;

std::optional<double> median_of(const std::optional<LatencyStats>& stats,
                                const std::optional<SampleStats>& samples) {
  if (stats && stats->median_ms) return stats->median_ms;
  if (samples && samples->n > 0) return samples->median_ms;
  return stats ? stats->mean_ms : std::nullopt;
}

std::size_t streams_in(const Build& build) {
  std::set<int> streams;
  for (const Layer& layer : build.layers) {
    if (layer.time && layer.stream_id) streams.insert(*layer.stream_id);
  }
  return streams.size();
}

bool is_held_by_enqueue(const Reconciliation& out) {
  constexpr double kAsLong = 0.9;
  return out.enqueue_ms && out.gpu_compute_ms && *out.enqueue_ms > *out.gpu_compute_ms * kAsLong;
}

// Queries follow each other so closely that the GPU hardly waits between them.
bool computes_all_the_time(const Build& build, const Reconciliation& out) {
  constexpr double kNearlyAll = 0.9;
  const std::optional<double>& throughput = build.performance.throughput_qps;
  return throughput && build.inference.streams.value_or(1) == 1 &&
         *throughput * *out.gpu_compute_ms / 1000 >= kNearlyAll;
}

// What the times of the layers themselves are worth, with a query to compare with or without.
void add_doubts(const Build& build, Reconciliation& out) {
  const std::int64_t streams = build.inference.streams.value_or(1);
  if (streams > 1) {
    out.reasons.push_back(std::to_string(streams) +
                          " inferences shared the GPU while the layers were timed (--streams=" +
                          std::to_string(streams) + "): shares hold, milliseconds do not");
  }
  if (build.inference.untimed_capture) {
    out.reasons.emplace_back(
        "the log says that layers are not timed while a CUDA graph is captured: the times are of "
        "inferences without it");
  }
}

void add_reasons(const Build& build, Reconciliation& out) {
  if (!out.gpu_compute_ms) return;
  const bool more = out.layers_ms > *out.gpu_compute_ms;
  if (build.inference.cuda_graph.value_or(false)) {
    out.reasons.emplace_back("queries run as one CUDA graph, the profile launches layer by layer");
  }
  if (is_held_by_enqueue(out)) {
    out.reasons.emplace_back(computes_all_the_time(build, out)
                                 ? "enqueueing takes as long as computing: slow launches may "
                                   "stretch a query, though the GPU hardly waits between two"
                                 : "enqueueing takes as long as computing: the GPU waits for "
                                   "launches");
  }
  if (more) {
    if (out.launches == 1) {
      out.reasons.emplace_back("a single record: what runs inside it is not known");
    } else if (out.layers_ms <= kMostByLaunches * *out.gpu_compute_ms) {
      out.reasons.emplace_back(
          "the profiler measures every layer alone: each carries its launch, and none starts "
          "before the one ahead of it has ended");
    } else {
      out.reasons.emplace_back(
          "the layers take more than 1.5 times as long as a query, which launches do not explain: "
          "other clocks, shapes or load while profiling, or the times of another engine; the input "
          "does not say which");
    }
    if (streams_in(build) > 1) {
      out.reasons.emplace_back("layers of several streams overlap in a query, not in the profile");
    }
  } else {
    if (build.inference.streams.value_or(1) > 1) {
      out.reasons.emplace_back("several queries run at a time: each takes longer than alone");
    }
    if (out.reasons.empty()) {
      out.reasons.emplace_back(
          "gaps between the layers, or other clocks than during the profile; the input does not "
          "say which");
    }
  }
}

void add_launches(const Build& build, Reconciliation& out) {
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const double ms = time_or_zero(build.layers[i]);
    if (ms <= 0) continue;
    ++out.launches;
    if (ms >= kLaunchFloorMs) continue;
    out.below_floor.push_back(i);
    out.below_floor_ms += ms;
  }
  std::ranges::stable_sort(out.below_floor, std::ranges::greater(),
                           [&](std::size_t a) { return time_or_zero(build.layers[a]); });
}

}  // namespace

void fill_reconciliation(Analysis& analysis) {
  const Build& build = analysis.build;
  if (!build.has_profile || build.profile_sum_ms <= 0) return;
  Reconciliation out;
  out.layers_ms = build.profile_sum_ms;
  add_launches(build, out);
  const Performance& performance = build.performance;
  out.gpu_compute_ms = median_of(performance.gpu_compute, analysis.compute_samples);
  out.latency_ms = median_of(performance.latency, analysis.latency_samples);
  out.enqueue_ms = median_of(performance.enqueue, analysis.enqueue_samples);
  out.h2d_ms = median_of(performance.h2d, analysis.h2d_samples);
  out.d2h_ms = median_of(performance.d2h, analysis.d2h_samples);
  if (out.gpu_compute_ms && out.launches > 1) {  // what one record launches is not known
    out.overhead_per_launch_ms =
        (out.layers_ms - *out.gpu_compute_ms) / static_cast<double>(out.launches);
  }
  if (out.latency_ms && *out.latency_ms > 0 && (out.h2d_ms || out.d2h_ms)) {
    out.transfer_share = (out.h2d_ms.value_or(0) + out.d2h_ms.value_or(0)) / *out.latency_ms;
  }
  add_reasons(build, out);
  add_doubts(build, out);
  analysis.reconciliation = std::move(out);
}

}  // namespace trtlens
