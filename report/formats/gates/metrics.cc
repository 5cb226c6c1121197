// The numbers of a report as metrics. Base units: seconds, bytes, ratios. What is not known has no
// sample.
#include <array>
#include <set>
#include <utility>

#include "report/facts/facts.h"
#include "report/formats/gates/gate_report.h"

namespace trtlens {
namespace {

constexpr double kSecondsPerMs = 1e-3;
using Labels = std::vector<std::pair<std::string, std::string>>;

class Metrics {
 public:
  explicit Metrics(std::string subject) : subject_(std::move(subject)) {}

  // A family; samples go to the last one begun.
  void gauge(const char* name, const char* unit, const char* help) {
    all_.push_back({name, unit, help, {}});
  }
  void sample(const Labels& labels, const std::optional<double>& value) {
    if (!value) return;
    Labels all{{"subject", subject_}};
    all.insert(all.end(), labels.begin(), labels.end());
    all_.back().samples.push_back({std::move(all), *value});
  }
  void sample_ms(const Labels& labels, const std::optional<double>& ms) {
    if (ms) sample(labels, *ms * kSecondsPerMs);
  }
  // A set of states of which one holds. No `stateset` and no `info`: node_exporter's textfile
  // collector knows the types of the older format only, and drops the whole file.
  void states(const char* name, const char* help, const std::vector<const char*>& states,
              const std::string& holds) {
    gauge(name, "", help);
    for (const char* state : states) sample({{"state", state}}, holds == state ? 1 : 0);
  }
  // Families without a sample say nothing.
  std::vector<MetricFamily> take() {
    std::vector<MetricFamily> some;
    for (MetricFamily& family : all_) {
      if (!family.samples.empty()) some.push_back(std::move(family));
    }
    return some;
  }

 private:
  std::string subject_;
  std::vector<MetricFamily> all_;
};

template <typename T>
std::optional<double> number(const std::optional<T>& value) {
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

void add_gate(const GateResult& gate, Metrics& out) {
  static constexpr std::array<Severity, 5> kSeverities = {
      Severity::fatal, Severity::major, Severity::moderate, Severity::minor, Severity::info};
  out.gauge("trtlens_findings", "", "Findings and regressions by severity.");
  for (const auto& [accepted, items] :
       {std::pair("no", &gate.items), std::pair("yes", &gate.accepted)}) {
    for (const Severity severity : kSeverities) {
      double count = 0;
      for (const GateItem& item : *items) count += item.finding->severity == severity ? 1 : 0;
      out.sample({{"severity", to_string(severity)}, {"accepted", accepted}}, count);
    }
  }
  out.gauge("trtlens_finding_stake_seconds", "seconds",
            "Profile time in question; a layer may stand in several findings.");
  std::set<std::string> once;
  for (const auto* items : {&gate.items, &gate.accepted}) {
    for (const GateItem& item : *items) {
      if (!item.finding->stake_ms || !once.insert(item.fingerprint).second) continue;
      out.sample_ms({{"rule", item.finding->rule}, {"fingerprint", item.fingerprint}},
                    item.finding->stake_ms);
    }
  }
  out.gauge(kGateFailedMetric, "", "1 when something reaches --fail-on.");
  out.sample({}, gate.fails() ? 1 : 0);
}

void add_stats(const char* name, const char* help, const std::optional<LatencyStats>& stats,
               Metrics& out) {
  if (!stats) return;
  out.gauge(name, "seconds", help);
  out.sample_ms({{"statistic", "min"}}, stats->min_ms);
  out.sample_ms({{"statistic", "max"}}, stats->max_ms);
  out.sample_ms({{"statistic", "mean"}}, stats->mean_ms);
  out.sample_ms({{"statistic", "median"}}, stats->median_ms);
  for (const auto& [percent, ms] : stats->percentiles_ms) {
    out.sample_ms({{"statistic", "p" + percent}}, ms);
  }
}

void add_memory(const Memory& memory, Metrics& out) {
  out.gauge("trtlens_memory_bytes", "bytes", "Memory that the log reports.");
  const std::vector<std::pair<const char*, std::optional<std::int64_t>>> kinds = {
      {"engine", memory.engine_bytes},         {"weights", memory.weights_bytes},
      {"activation", memory.activation_bytes}, {"scratch", memory.scratch_bytes},
      {"context", memory.context_bytes},       {"peak_gpu", memory.peak_gpu_bytes},
      {"peak_cpu", memory.peak_cpu_bytes}};
  for (const auto& [kind, bytes] : kinds) out.sample({{"kind", kind}}, number(bytes));
}

void add_layers(const Analysis& a, Metrics& out) {
  out.gauge("trtlens_layers", "", "Layers by the precision that they compute in.");
  for (const ShareRow& row : a.by_precision) out.sample({{"precision", row.label}}, row.layers);
  if (!a.build.has_profile) return;
  out.gauge("trtlens_precision_time_seconds", "seconds", "Profile time by precision.");
  for (const ShareRow& row : a.by_precision) {
    if (row.timed > 0) out.sample_ms({{"precision", row.label}}, row.time_ms);
  }
  out.gauge("trtlens_profile_seconds", "seconds", "Sum of the profile's average times.");
  out.sample_ms({}, a.build.profile_sum_ms);
}

void add_log(const Analysis& a, Metrics& out) {
  if (!a.build.has_log) return;
  out.gauge("trtlens_log_lines", "", "Lines of the logs by class.");
  for (const auto& [line_class, n] : lines_by_class(a.reading->coverage)) {
    out.sample({{"class", line_class.name}}, static_cast<double>(n));
  }
  out.gauge("trtlens_missing_scale_tensors", "", "Tensors reported without scale.");
  out.sample({}, static_cast<double>(a.missing_scales.size()));
}

std::string subject_of(const Analysis& a) {
  return a.name;
}

}  // namespace

std::vector<MetricFamily> metrics_of(const Analysis& a, const GateResult& gate) {
  Metrics out(subject_of(a));
  const Build& build = a.build;
  const Performance& performance = build.performance;
  out.gauge("trtlens_build_info", "", "What was built, and on what.");
  Labels identity{{"producer", build.producer}};
  if (build.tensorrt) identity.emplace_back("tensorrt", build.tensorrt->text());
  if (build.gpu && !build.gpu->name.empty()) identity.emplace_back("gpu", build.gpu->name);
  out.sample(identity, 1);
  out.states("trtlens_outcome", "How the build ended.",
             {"passed", "failed", "truncated", "unknown"}, to_string(build.outcome));
  add_gate(gate, out);
  add_stats("trtlens_gpu_compute_seconds", "GPU compute time of a query.",
            printed_or_sampled(performance.gpu_compute, a.compute_samples), out);
  add_stats("trtlens_latency_seconds", "Latency of a query.",
            printed_or_sampled(performance.latency, a.latency_samples), out);
  out.gauge("trtlens_throughput_queries_per_second", "", "Queries per second.");
  out.sample({}, performance.throughput_qps);
  out.gauge("trtlens_engine_build_seconds", "seconds", "Time to build the engine.");
  out.sample({}, build.engine_build_s);
  add_memory(build.memory, out);
  add_layers(a, out);
  add_log(a, out);
  return out.take();
}

std::vector<MetricFamily> metrics_of(const Comparison& c, const GateResult& gate) {
  Metrics out(subject_of(c.base) + " against " + subject_of(c.candidate));
  out.states("trtlens_comparison_verdict", "Whether the candidate is slower than the base.",
             {"regressed", "improved", "no_change", "cannot_tell"}, to_string(c.engine.verdict));
  out.gauge("trtlens_comparable", "", "1 when the two sides are comparable.");
  out.sample({}, c.comparable ? 1 : 0);
  add_gate(gate, out);
  // Compared by the profile there is no GPU compute time; its sums follow below.
  if (c.engine.metric != "profile_sum_ms") {
    out.gauge("trtlens_comparison_gpu_compute_seconds", "seconds", "GPU compute time of a query.");
    out.sample_ms({{"side", "base"}}, c.engine.base_ms);
    out.sample_ms({{"side", "candidate"}}, c.engine.candidate_ms);
    out.gauge("trtlens_comparison_gpu_compute_ratio", "ratio", "Candidate over base.");
    out.sample({}, c.engine.ratio);
  }
  out.gauge("trtlens_comparison_aligned_ratio", "ratio",
            "Share of profile time in layers that both sides have.");
  if (c.base.build.has_profile) out.sample({{"side", "base"}}, c.aligned_share_base);
  if (c.candidate.build.has_profile) out.sample({{"side", "candidate"}}, c.aligned_share_candidate);
  out.gauge("trtlens_comparison_profile_seconds", "seconds", "Sum of the profile's average times.");
  for (const auto& [name, side] :
       {std::pair("base", &c.base), std::pair("candidate", &c.candidate)}) {
    if (side->build.has_profile) out.sample_ms({{"side", name}}, side->build.profile_sum_ms);
  }
  return out.take();
}

}  // namespace trtlens
