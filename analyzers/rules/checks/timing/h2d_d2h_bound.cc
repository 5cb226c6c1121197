// Time of transfers against time of computation.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::h2d_d2h_bound {

// Of trtexec's summary, else of the exported times.
static double median_or_zero(const std::optional<LatencyStats>& stats,
                             const std::optional<SampleStats>& samples) {
  if (stats && stats->median_ms) return *stats->median_ms;
  return samples ? samples->median_ms : 0;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  const Performance& p = a.build.performance;
  const double compute = median_or_zero(p.gpu_compute, a.compute_samples);
  const double h2d = median_or_zero(p.h2d, a.h2d_samples);
  const double d2h = median_or_zero(p.d2h, a.d2h_samples);
  if (compute <= 0 || (h2d < compute && d2h < compute)) return;
  const bool input = h2d >= d2h;
  Finding finding = c.finding(
      {{"copying", input ? "Copying the inputs to the GPU" : "Copying the outputs back"}});
  finding.evidence.push_back(c.line(
      (input ? p.h2d : p.d2h) ? (input ? p.h2d : p.d2h)->pos : a.build.times_pos,
      std::string(input ? "H2D" : "D2H") + " Latency: median = " + ms_text(input ? h2d : d2h) +
          ", GPU compute " + ms_text(compute)));
  out.push_back(std::move(finding));
}

extern const Rule rule{"h2d-d2h-bound", Pass::note, check};

}  // namespace trtlens::checks::h2d_d2h_bound
