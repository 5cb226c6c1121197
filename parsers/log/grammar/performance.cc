// The performance report. samples/common/sampleReporting.cpp: block form of 7.x, list form of 8.0+.
#include "parsers/log/runs/run_builder.h"
#include "parsers/model/limits.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

constexpr double kMaxRate = 1e12;  // queries a second, percent

std::optional<double> measured_ms(RunBuilder& b, std::string_view text, SourcePos pos) {
  return b.measured(text, kMaxTimeMs, pos);
}

std::optional<double> measured_s(RunBuilder& b, const Match& m) {
  return b.measured(m[0], kMaxTimeMs / 1000, m.pos);
}

// "99" or "99.9": it becomes the name of a statistic.
void add_percentile(RunBuilder& b, std::string_view percent, double ms, LatencyStats& stats) {
  const auto number = finite_number(percent);
  const bool plain = percent.find_first_not_of("0123456789.") == std::string_view::npos;
  if (number && plain && *number <= 100) {
    stats.percentiles_ms[std::string(percent)] = ms;
  } else {
    b.impossible_number(stats.pos);
  }
}

// "min = 0.04 ms, max = …, percentile(99%) = 0.05 ms"
void read_stats(RunBuilder& b, std::string_view text, LatencyStats& stats) {
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    const std::size_t equals = item.find(" = ");
    if (equals == std::string_view::npos) continue;
    const std::string_view key = item.substr(0, equals);
    std::string_view value = item.substr(equals + 3);
    value = value.substr(0, value.find(' '));
    const auto number = measured_ms(b, value, stats.pos);
    if (!number) continue;
    if (key == "min") stats.min_ms = number;
    if (key == "max") stats.max_ms = number;
    if (key == "mean") stats.mean_ms = number;
    if (key == "median") stats.median_ms = number;
    if (key.substr(0, 11) == "percentile(") {
      add_percentile(b, key.substr(11, key.find('%') - 11), *number, stats);
    }
  }
}

std::optional<LatencyStats>& metric(Performance& p, std::string_view name) {
  if (name == "Latency" || name == "Host Latency" || name == "Host latency") return p.latency;
  if (name == "GPU Compute Time" || name == "GPU Compute") return p.gpu_compute;
  if (name == "Enqueue Time") return p.enqueue;
  if (name == "H2D Latency") return p.h2d;
  if (name == "D2H Latency") return p.d2h;
  return p.end_to_end;
}

void on_metric(RunBuilder& b, const Match& m) {
  LatencyStats stats;
  stats.pos = m.pos;
  read_stats(b, m[1], stats);
  metric(b.build.performance, m[0]) = stats;
}

void on_block(RunBuilder& b, const Match& m) {
  if (b.section == LogSection::options) b.section = LogSection::none;
  b.perf_block = m[0];
}

// 7.x: "min: 1.64 ms (end to end 1.66 ms)" below the line "Host Latency".
void on_block_value(RunBuilder& b, const Match& m) {
  if (b.perf_block.empty()) return;
  std::optional<LatencyStats>& slot = metric(b.build.performance, b.perf_block);
  if (!slot) slot.emplace();
  if (slot->pos.line == 0) slot->pos = m.pos;
  const auto value = measured_ms(b, m[1], m.pos);
  if (m[0] == "min") slot->min_ms = value;
  if (m[0] == "max") slot->max_ms = value;
  if (m[0] == "mean") slot->mean_ms = value;
  if (m[0] == "median") slot->median_ms = value;
  if (m[0] == "percentile" && value && !m[2].empty()) add_percentile(b, m[2], *value, *slot);
}

void on_window(RunBuilder& b, const Match& m) {
  const auto gpu_ms = measured_ms(b, m[0], m.pos);
  const auto host_ms = measured_ms(b, m[1], m.pos);
  const auto enqueue_ms = measured_ms(b, m[2], m.pos);
  if (!gpu_ms || !host_ms) return;
  TraceWindow window;
  window.gpu_ms = static_cast<float>(*gpu_ms);
  if (enqueue_ms) window.enqueue_ms = static_cast<float>(*enqueue_ms);
  b.build.trace.push_back(window);
}

void on_throughput(RunBuilder& b, const Match& m) {
  // 7.0 and 7.1 print "throughput: 0 qps" for explicit batch: not a measurement.
  const auto qps = b.measured(m[0], kMaxRate, m.pos);
  if (qps && *qps > 0) b.build.performance.throughput_qps = qps;
}

void on_queries(RunBuilder& b, const Match& m) {
  if (const auto n = count_of(m[0]); n && *n > 0) b.build.performance.queries = n;
}

void on_unstable(RunBuilder& b, const Match& m) {
  if (const auto percent = b.measured(m[0], kMaxRate, m.pos))
    b.build.performance.coeff_var = *percent / 100;
}

void on_enqueue_bound(RunBuilder& b, const Match& m) {
  std::optional<SourcePos>& first = b.build.inference.enqueue_bound;
  if (!first) first = m.pos;
}

constexpr LineKind kPerformanceKinds[] = {
    {"trace-average",
     "Average on \\d+ runs - GPU latency: (\\S+) ms - Host latency: (\\S+) ms(?: \\((?:end to end "
     "\\S+ ms)?(?:, )?(?:enqueue (\\S+) ms)?\\))?",
     on_window,
     "Average on 10 runs - GPU latency: 0.0357 ms - Host latency: 0.0438 ms (enqueue 0.0270 ms)",
     "Average on ten runs - GPU latency: 1 ms - Host latency: 1 ms", kProgress},
    // 5 and 6, of trtexec and samples: the mean of what ran before the line.
    {"trace-average-6", "Average over \\d+ runs is (\\S+) ms(?: \\(.+\\))?\\.", nullptr,
     "Average over 10 runs is 55.2518 ms (host walltime is 55.3944 ms, 99% percentile time is "
     "59.9569).",
     "Average over 10 runs is 55.2518 ms (host walltime", kKeep},
    {"trace-omitted", "\\.\\.\\. Omitting (\\d+) lines", nullptr, "... Omitting 42125 lines",
     "... Omitting 42125", kNoise},
    {"warmup", "Warmup completed (\\d+) queries over (\\S+) ms",
     [](RunBuilder& b, const Match& m) {
       if (const auto n = count_of(m[0])) b.build.performance.warmup_queries = n;
     },
     "Warmup completed 340 queries over 200 ms", "Warmup completed many queries over 200 ms",
     kProgress},
    {"queries", "Timing trace has (\\d+) queries over (\\S+) s", on_queries,
     "Timing trace has 3762 queries over 2.00122 s", "Timing trace has 46125 queries", kProgress},
    {"trace-section", "=== Trace details ===", nullptr,
     "=== Trace details ===", "=== Trace details === and more", kNoise},
    {"trace-heading", "Trace averages of \\d+ runs:", nullptr,
     "Trace averages of 10 runs:", "Trace averages of 10", kNoise},
    {"performance-section", "=== Performance summary ===",
     [](RunBuilder& b, const Match&) { b.section = LogSection::performance; },
     "=== Performance summary ===", "=== Performance summary === and more", kNoise},
    {"explanations-hint", Gate::prefix, "Explanations of the performance metrics",
     "Explanations of the performance metrics are printed (.+)", nullptr,
     "Explanations of the performance metrics are printed in the verbose logs.",
     "Explanations of the performance metrics: see below", kNoise},
    {"explanations-section", "=== Explanations of the performance metrics ===",
     [](RunBuilder& b, const Match&) { b.section = LogSection::explanations; },
     "=== Explanations of the performance metrics ===",
     "=== Explanations of the performance metrics === and more", kNoise},
    // Printed at [V]; they begin like the results, so they come first and need the section.
    {"explanation", Gate::prefix, "", "[A-Z][A-Za-z0-9 -]+: the .*", nullptr,
     "Throughput: the observed throughput computed by dividing the number of queries by the Total "
     "Host Walltime.",
     "Throughput: 6182.1 qps", kNoise, LogSection::explanations},
    // The same where the head of the section is cut off.
    {"explained-throughput", "Throughput: the .+", nullptr,
     "Throughput: the observed throughput computed by dividing the number of queries by the Total "
     "Host Walltime.",
     "Throughput: the ", kNoise},
    {"explained-walltime", "Total Host Walltime: the .+", nullptr,
     "Total Host Walltime: the host walltime from when the first query is enqueued.",
     "Total Host Walltime: the ", kNoise},
    {"explained-compute-total", "Total GPU Compute Time: the .+", nullptr,
     "Total GPU Compute Time: the summation of the GPU Compute Time of all the queries.",
     "Total GPU Compute Time: the ", kNoise},
    {"explained-compute", "GPU Compute Time: the .+", nullptr,
     "GPU Compute Time: the GPU latency to execute the kernels for a query.",
     "GPU Compute Time: the ", kNoise},
    {"explained-enqueue", "Enqueue Time: the .+", nullptr,
     "Enqueue Time: the host latency to enqueue a query.", "Enqueue Time: the ", kNoise},
    {"explained-h2d", "H2D Latency: the .+", nullptr,
     "H2D Latency: the latency for host-to-device data transfers for input tensors of a single "
     "query.",
     "H2D Latency: the ", kNoise},
    {"explained-d2h", "D2H Latency: the .+", nullptr,
     "D2H Latency: the latency for device-to-host data transfers for output tensors of a single "
     "query.",
     "D2H Latency: the ", kNoise},
    {"explained-end-to-end", "End-to-End Host Latency: the .+", nullptr,
     "End-to-End Host Latency: the duration from when the H2D of a query is called to when the D2H "
     "of the same query is completed.",
     "End-to-End Host Latency: the ", kNoise},
    {"explained-latency", "Latency: the .+", nullptr,
     "Latency: the summation of H2D Latency, GPU Compute Time, and D2H Latency.", "Latency: the ",
     kNoise},
    {"throughput", "Throughput: (\\S+) qps", on_throughput, "Throughput: 15374.3 qps",
     "Throughput: the observed throughput computed by dividing the number of queries", kProgress},
    {"metric", Gate::infix, ": min = ",
     "(Latency|End-to-End Host Latency|Enqueue Time|H2D Latency|GPU Compute Time|D2H Latency): "
     "(min = .*)",
     on_metric,
     "Latency: min = 0.0410156 ms, max = 0.14917 ms, mean = 0.0441053 ms, median = 0.0440674 ms, "
     "percentile(99%) = 0.0512695 ms",
     "Host to host Latency: min = 1 ms"},
    {"host-walltime", "Total Host Walltime: (\\S+) s",
     [](RunBuilder& b, const Match& m) { b.build.performance.host_walltime_s = measured_s(b, m); },
     "Total Host Walltime: 3.00013 s",
     "Total Host Walltime: the host walltime from when the first query (after warmups)"},
    {"gpu-compute-total", "Total GPU Compute Time: (\\S+) s",
     [](RunBuilder& b, const Match& m) {
       b.build.performance.gpu_compute_total_s = measured_s(b, m);
     },
     "Total GPU Compute Time: 1.6586 s",
     "Total GPU Compute Time: the summation of the GPU Compute Time of all the queries."},
    // 7.x: the same keys stand three times, below these heads.
    {"block-host", Gate::prefix, "Host ", "(Host [Ll]atency)", on_block, "Host Latency",
     "Host Latency: min = 1 ms"},
    {"block-enqueue", Gate::prefix, "Enqueue Time", "(Enqueue Time)", on_block, "Enqueue Time",
     "Enqueue Time: min = 0.5 ms, max = 1 ms"},
    {"block-compute", Gate::prefix, "GPU Compute", "(GPU Compute)", on_block, "GPU Compute",
     "GPU Compute Time: min = 0.5 ms, max = 1 ms"},
    {"block-value", Gate::prefix, "m", "(min|max|mean|median): (\\S+) ms(?: \\(end to end .*\\))?",
     on_block_value, "min: 1.64058 ms (end to end 1.66368 ms)", "min = 0.92 ms"},
    {"block-percentile", Gate::prefix, "percentile: ",
     "(percentile): (\\S+) ms at ([0-9.]+)%(?: \\(end to end .*\\))?", on_block_value,
     "percentile: 1.67065 ms at 99% (end to end 3.03931 ms at 99%)", "percentile: 1.67065 ms"},
    {"block-throughput", "throughput: (\\S+) qps", on_throughput, "throughput: 602.3 qps",
     "throughput: 602.3"},
    {"block-walltime", "walltime: (\\S+) s",
     [](RunBuilder& b, const Match& m) { b.build.performance.host_walltime_s = measured_s(b, m); },
     "walltime: 3.00461 s", "walltime: 3.00461"},
    {"block-compute-total", "total compute time: (\\S+) s",
     [](RunBuilder& b, const Match& m) {
       b.build.performance.gpu_compute_total_s = measured_s(b, m);
     },
     "total compute time: 2.97 s", "total compute time: 2.97"},
    {"unstable", Gate::prefix, "* GPU compute time is unstable",
     "\\* GPU compute time is unstable, with coefficient of variance = (\\S+)%\\.", on_unstable,
     "* GPU compute time is unstable, with coefficient of variance = 6.58751%.",
     "* GPU compute time is unstable", kKeep},
    {"hint-enqueue", Gate::prefix, "* Throughput may be bound by Enqueue Time",
     "\\* Throughput may be bound by Enqueue Time rather .+", on_enqueue_bound,
     "* Throughput may be bound by Enqueue Time rather than GPU Compute and the GPU may be "
     "under-utilized.",
     "* Throughput may be bound by Enqueue Time", kKeep},
    {"hint", "\\* (?:Throughput may be bound|Multiple inference streams).*", nullptr,
     "* Throughput may be bound by host-to-device transfers for the inputs rather than GPU Compute "
     "and the GPU may be under-utilized.",
     "* Something else altogether", kKeep},
    {"hint-advice", "  (?:If |Add |Consider ).*", nullptr,
     "  Add --noDataTransfers flag to disable data transfers.", "  prose behind two blanks",
     kNoise},
    {"not-reported", Gate::prefix, "The e2e network timing is not reported",
     "The e2e network timing is not reported since (.+)", nullptr,
     "The e2e network timing is not reported since it is inaccurate due to the extra "
     "synchronizations when the profiler is enabled.",
     "The e2e network timing is not reported", kKeep},
    {"not-reported-advice", Gate::prefix, "To show e2e network timing report",
     "To show e2e network timing report, add (.+)", nullptr,
     "To show e2e network timing report, add --separateProfileRun to profile layer timing in a "
     "separate run or remove --dumpProfile to disable the profiler.",
     "To show e2e network timing report", kNoise},
};

}  // namespace

LineKinds kinds_of_performance() {
  return kPerformanceKinds;
}

}  // namespace trtlens
