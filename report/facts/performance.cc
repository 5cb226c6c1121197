// Facts on how fast the engine ran, and how it was timed.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

// trtexec's own summary; where it printed none, what the exported samples give.
std::optional<LatencyStats> printed_or_sampled(const std::optional<LatencyStats>& printed,
                                               const std::optional<SampleStats>& samples) {
  if (printed || !samples) return printed;
  return LatencyStats{samples->min_ms,    samples->max_ms,           samples->mean_ms,
                      samples->median_ms, {{"99", samples->p99_ms}}, {}};
}

template <auto Printed, auto Samples>
constexpr auto kStatsOf =
    [](const Analysis& a) { return printed_or_sampled(a.build.performance.*Printed, a.*Samples); };
template <auto Member>
constexpr auto kPrinted = [](const Analysis& a) { return a.build.performance.*Member; };

const FactsOf<LatencyStats> kStatsFacts{
    "stats",
    {{"min", kMs.or_null(), "ms", kFrom<&LatencyStats::min_ms>},
     {"max", kMs.or_null(), "ms", kFrom<&LatencyStats::max_ms>},
     {"mean", kMs.or_null(), "ms", kFrom<&LatencyStats::mean_ms>},
     {"median", kMs.or_null(), "ms", kFrom<&LatencyStats::median_ms>},
     {"percentiles", kNumbersByName, "ms, by percentile", [](const LatencyStats& stats) {
        return NamedNumbers(stats.percentiles_ms.begin(), stats.percentiles_ms.end());
      }}}};

const FactsOf<Deserialization> kDeserializationFacts{
    "deserialization",
    {{"first_ms", kMs.or_null(), "the first time", kFrom<&Deserialization::first_ms>},
     {"average_ms", kMs.or_null(), "of the iterations", kFrom<&Deserialization::average_ms>},
     {"iterations", kInteger.or_null(), "that the average is of",
      kFrom<&Deserialization::iterations>},
     {"bandwidth_gb_per_s", kNumber.or_null(), "as trtexec says",
      kFrom<&Deserialization::bandwidth_gb_per_s>}}};

FactValue samples_per_s(const Analysis& a) {
  const std::optional<double>& queries_per_s = a.build.performance.throughput_qps;
  const std::optional<std::int64_t>& batch = a.build.inference.batch;
  if (!queries_per_s || !batch) return {};
  return *queries_per_s * static_cast<double>(*batch);
}

FactValue queries(const Analysis& a) {
  if (a.build.performance.queries) return fact_value(a.build.performance.queries);
  return a.compute_samples ? fact_value(a.compute_samples->n) : FactValue();
}

}  // namespace

const FactsOf<Inference> kInferenceFacts{
    "inference",
    {{"batch", kInteger.or_null(), "samples a query", kFrom<&Inference::batch>, as_number("Batch")},
     {"streams", kInteger.or_null(), "that queries run on side by side", kFrom<&Inference::streams>,
      as_number("Streams")},
     {"engine_streams", kInteger.or_null(),
      "streams that a query of the engine runs on, the caller's included",
      kFrom<&Inference::engine_streams>, as_number("Streams of the engine")},
     {"aux_streams", kInteger.or_null(), "those beside the caller's",
      kFrom<&Inference::aux_streams>, as_number("Auxiliary streams")},
     {"cuda_graph", kFlag.or_null(), "--useCudaGraph", kFrom<&Inference::cuda_graph>,
      as_label("CUDA graph")},
     {"data_transfers", kFlag.or_null(), "not --noDataTransfers", kFrom<&Inference::data_transfers>,
      as_label("Data transfers")},
     {"spin_wait", kFlag.or_null(), "--useSpinWait", kFrom<&Inference::spin_wait>,
      as_label("Spin wait")},
     {"opt_profile", kInteger.or_null(), "optimization profile that was timed",
      kFrom<&Inference::opt_profile>},
     {"deserialization", kDeserializationFacts, "what --timeDeserialize measured",
      kFrom<&Inference::deserialization>}}};

const FactsOf<Analysis> kPerformanceFacts{
    "performance",
    {{"throughput_qps", kNumber.or_null(), "queries a second",
      kPrinted<&Performance::throughput_qps>},
     {"samples_per_s", kNumber.or_null(), "throughput_qps times the batch", kFrom<samples_per_s>},
     {"latency_ms", kStatsFacts, "H2D, GPU compute and D2H of a query",
      kStatsOf<&Performance::latency, &Analysis::latency_samples>},
     {"gpu_compute_ms", kStatsFacts, "what a query takes",
      kStatsOf<&Performance::gpu_compute, &Analysis::compute_samples>},
     {"enqueue_ms", kStatsFacts, "until a query is enqueued",
      kStatsOf<&Performance::enqueue, &Analysis::enqueue_samples>},
     {"h2d_ms", kStatsFacts, "inputs to the GPU",
      kStatsOf<&Performance::h2d, &Analysis::h2d_samples>},
     {"d2h_ms", kStatsFacts, "outputs from the GPU",
      kStatsOf<&Performance::d2h, &Analysis::d2h_samples>},
     {"queries", kCount.or_null(), "that were timed", kFrom<queries>},
     {"warmup_queries", kCount.or_null(), "before these", kPrinted<&Performance::warmup_queries>},
     {"host_walltime_s", kSeconds.or_null(), "as trtexec says",
      kPrinted<&Performance::host_walltime_s>},
     {"gpu_compute_total_s", kSeconds.or_null(), "as trtexec says",
      kPrinted<&Performance::gpu_compute_total_s>}}};

}  // namespace trtlens
