// How fast the engine ran, and how it was timed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parsers/model/diagnostic.h"

namespace trtlens {

struct BuildStage {
  std::string name;
  double s = 0;
};

struct LatencyStats {
  std::optional<double> min_ms, max_ms, mean_ms, median_ms;
  std::map<std::string, double> percentiles_ms;  // "99" -> ms
  SourcePos pos;
};

struct Performance {
  std::optional<double> throughput_qps;
  std::optional<LatencyStats> latency, gpu_compute, enqueue, h2d, d2h, end_to_end;
  std::optional<double> host_walltime_s, gpu_compute_total_s;
  std::optional<std::uint64_t> queries, warmup_queries;
  std::optional<double> coeff_var;  // fraction, of trtexec's warning
};

// "Average on N runs": one line of the trace.
struct TraceWindow {
  float gpu_ms = 0;
  std::optional<float> enqueue_ms;
};

// One query of --exportTimes. Durations in ms, start in ms since the run began.
struct Query {
  float start_ms = 0, compute_ms = 0, latency_ms = 0;
  std::optional<float> h2d_ms, d2h_ms, enqueue_ms;  // 7.0 does not say when it was enqueued
};

// What --timeDeserialize measures.
struct Deserialization {
  std::optional<double> first_ms, average_ms, bandwidth_gb_per_s;
  std::optional<std::int64_t> iterations;  // that the average is of; old versions do not say
};

struct Inference {
  std::optional<std::int64_t> batch, streams, opt_profile;
  // Streams that one query of the engine runs on, the caller's included; those beside it.
  std::optional<std::int64_t> engine_streams, aux_streams;
  std::optional<std::int64_t> worker_streams;  // engine_streams where 8.6 and later say it
  std::optional<bool> cuda_graph, data_transfers, spin_wait;
  std::optional<Deserialization> deserialization;
  // Where trtexec says that enqueueing may bound the throughput, and where TensorRT says that
  // layers are not timed while a CUDA graph is captured.
  std::optional<SourcePos> enqueue_bound, untimed_capture;
  // Where Nsight Compute says that it took over the process: it runs every kernel many times.
  std::optional<SourcePos> replayed;
};

}  // namespace trtlens
