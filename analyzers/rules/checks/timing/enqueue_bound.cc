// Enqueue time against GPU compute time; without them, trtexec's own hint.
#include <fmt/format.h>

#include <algorithm>

#include "analyzers/rules/rule.h"

namespace trtlens::checks::enqueue_bound {

// Without the medians that decide, trtexec's own verdict stands: it prints it from 0.8 on.
static void check_hint(const RuleContext& c, std::vector<Finding>& out) {
  const std::optional<SourcePos>& said = c.analysis.build.inference.enqueue_bound;
  if (!said) return;
  Finding finding = c.finding();
  finding.confidence = Confidence::inferred;
  finding.title = "Launches may bound the throughput, says trtexec";
  finding.evidence.push_back(c.line(*said, ""));
  out.push_back(std::move(finding));
}

// The GPU hardly waits between queries. What slow launches add to its own time shows only without.
static void temper(double busy, Finding& finding) {
  finding.severity = Severity::minor;
  const double left = std::max(0.0, 1 - busy);
  finding.title = "Launching a query takes as long as computing it";
  finding.why =
      "One hardly waits for the other: " +
      (left > 0 ? "at most " + share_text(left) : std::string("nothing")) +
      " is to be won between queries. Launches that come slowly may stretch the GPU's time as "
      "well; a run with --useCudaGraph tells, if its GPU time is shorter.";
}

// What queries lose that wait for launches: the slow ones against the fast ones.
static void add_gain(const SampleStats& compute, Finding& finding) {
  const MsRange query{compute.median_ms - compute.p10_ms, compute.median_ms - compute.min_ms};
  if (query.high_ms <= 0) return;
  finding.severity =
      std::max(finding.severity, severity_of_share(query.high_ms / compute.median_ms));
  finding.gain =
      Gain{0,
           0,
           "the median query (" + ms_text(compute.median_ms) + ") as fast as the fastest tenth (" +
               ms_text(compute.p10_ms) + ") or the fastest (" + ms_text(compute.min_ms) + ")",
           {},
           query};
}

// Where the GPU idles between queries: its kernels may wait for their launches inside of them as
// well, for all of a query that the layers do not take.
static void add_gain_of_launches(const RuleContext& c, double compute_ms, Finding& finding) {
  const double layers_ms = c.analysis.build.profile_sum_ms;
  if (c.analysis.build.inference.cuda_graph == true) {
    finding.gain_unknown = "a CUDA graph launches the kernels already";
  } else if (layers_ms > 0 && layers_ms < compute_ms) {
    finding.gain = Gain{0,
                        0,
                        "at best a query (" + ms_text(compute_ms) + ") takes what its layers do (" +
                            ms_text(layers_ms) + "); at worst nothing is won in GPU time",
                        {},
                        MsRange{0, compute_ms - layers_ms}};
  } else {
    finding.gain_unknown =
        "what its GPU time loses to launches, only a run with --useCudaGraph tells";
  }
}

// The GPU looks busy because its kernels wait for their launches: in every query, or in the slow
// ones alone, where the median query has little to win.
static void stretch(double correlation, const SampleStats& compute, Finding& finding) {
  const double lost = (compute.median_ms - compute.min_ms) / compute.median_ms;
  if (severity_of_share(lost) < Severity::moderate) {
    finding.title = "Slow launches make some queries slow";
    finding.why = fmt::format(
        "The median query hardly waits, but the slow ones do (99th percentile {}): enqueue and GPU "
        "compute time of the queries go together (correlation {:.2f}). Faster kernels and locked "
        "clocks do not help those.",
        ms_text(compute.p99_ms), correlation);
    return;
  }
  finding.title = "The engine is launch-bound";
  finding.why = fmt::format(
      "The GPU looks busy, but slow launches make slow queries: enqueue and GPU compute time of "
      "the queries go together (correlation {:.2f}). Its kernels wait for their launches inside a "
      "query, so neither faster kernels nor locked clocks help.",
      correlation);
}

// Of the time that the GPU computes.
static std::optional<double> busy_share(const Build& build, double compute_ms) {
  const auto& throughput = build.performance.throughput_qps;
  if (!throughput || build.inference.streams.value_or(1) != 1) return std::nullopt;
  return *throughput * compute_ms / 1000;
}

static void show_load(const std::optional<double>& busy, Finding& finding) {
  if (!busy) return;
  finding.evidence.push_back(
      {.note = "of the time that the GPU computes", .metric = "share", .value = busy});
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  std::optional<double> enqueue, compute;
  std::string source;
  SourcePos pos;
  if (a.enqueue_samples && a.compute_samples && a.enqueue_samples->median_ms > 0) {
    enqueue = a.enqueue_samples->median_ms;
    compute = a.compute_samples->median_ms;
    source = "medians of " + std::to_string(a.compute_samples->n) + " queries";
    pos = a.build.times_pos;
  } else if (a.build.performance.enqueue && a.build.performance.gpu_compute) {
    enqueue = a.build.performance.enqueue->median_ms;
    compute = a.build.performance.gpu_compute->median_ms;
    source = "medians of the performance summary";
    pos = a.build.performance.enqueue->pos;
  }
  if (!enqueue || !compute || *compute <= 0) return check_hint(c, out);
  // The GPU that computes nearly all the time waits for nobody, however long enqueueing takes.
  const auto& throughput = a.build.performance.throughput_qps;
  const std::optional<double> busy = busy_share(a.build, *compute);
  // A host that is slower than the GPU is what bounds: its launches stretch the time of the GPU.
  const bool host_is_slower = *enqueue >= c.threshold("host_slower") * *compute;
  const bool is_busy = busy && *busy >= c.threshold("max_busy");
  const bool is_stretched = a.launch_correlation.value_or(0) >= c.threshold("min_correlation");
  if (is_busy && !host_is_slower && !is_stretched) return;
  if (*enqueue <= c.threshold("min_ratio") * *compute) return;
  // Where a copy takes as long as queries are apart, it is the copy that they wait for:
  // h2d-d2h-bound.
  for (const auto* copy : {&a.build.performance.h2d, &a.build.performance.d2h}) {
    const double copy_ms = *copy ? (**copy).median_ms.value_or(0) : 0;
    if (throughput && *throughput > 0 && copy_ms >= 0.9 * 1000 / *throughput) return;
  }
  Finding finding = c.finding();
  finding.title =
      "Launching a query takes " + share_text(*enqueue / *compute) + " of its compute time";
  if (is_busy && host_is_slower) {
    temper(*busy, finding);
  } else if (is_busy) {
    stretch(*a.launch_correlation, *a.compute_samples, finding);
    add_gain(*a.compute_samples, finding);
  } else {
    add_gain_of_launches(c, *compute, finding);
  }
  finding.evidence.push_back(c.line(pos, "enqueue " + ms_text(*enqueue) + ", GPU compute " +
                                             ms_text(*compute) + " (" + source + ")"));
  show_load(busy, finding);
  if (is_busy && host_is_slower && *enqueue < *compute && a.build.inference.cuda_graph != true) {
    finding.confidence = Confidence::guessed;
    finding.why =
        "Both take the same time, and the GPU looks busy: either its launches come so slowly that "
        "they stretch its time, or enqueueing waits for the GPU (shapes that depend on data, "
        "copies to the host inside the engine). A run with --useCudaGraph tells which: if the GPU "
        "time falls, it was the launches.";
  }
  if (a.build.inference.cuda_graph == true) {
    finding.remedies = {"CUDA graph is on already: use fewer, larger kernels or a larger batch."};
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"enqueue-bound", Pass::note, check};

}  // namespace trtlens::checks::enqueue_bound
