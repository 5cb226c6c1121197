// The spread of the queries, by their samples or by trtexec's warning.
#include <algorithm>
#include <optional>

#include "analyzers/rules/rule.h"

namespace trtlens::checks::gpu_time_unstable {

static void add(const RuleContext& c, const SourcePos& pos, std::string title, std::string evidence,
                std::vector<Finding>& out) {
  Finding finding = c.finding();
  finding.title = std::move(title);
  finding.evidence.push_back(c.line(pos, std::move(evidence)));
  out.push_back(std::move(finding));
}

// The launches vary, and the GPU with them: enqueue-bound, which runs before, says so. Without the
// times of single queries only an engine that is bound by them tells.
static bool launches_explain_it(const RuleContext& c) {
  const std::optional<double>& correlation = c.analysis.launch_correlation;
  if (!correlation) return std::ranges::any_of(c.analysis.findings, says_launch_bound);
  return *correlation >= c.threshold("max_correlation") &&
         std::ranges::any_of(c.analysis.findings, [](const Finding& finding) {
           return finding.rule == "enqueue-bound";
         });
}

// Clocks make queries slower by a share, not twice as slow: another process had the GPU.
static void blame_another_process(Finding& finding) {
  finding.severity = Severity::major;
  finding.confidence = Confidence::inferred;
  finding.why =
      "So many queries that take more than twice as long mean that another process had the GPU in "
      "between; clocks do not do that. No time of this run tells how fast the engine is.";
  finding.remedies = {"Free the GPU (`nvidia-smi` lists its processes) and time again."};
}

// The bulk is steady; only a few queries waited.
static void blame_the_tail(Finding& finding) {
  finding.severity = Severity::info;
  finding.why =
      "A few queries waited: for another process, the display, clocks that ramp up, or a host that "
      "was late. Medians do not show it, and deadlines are missed by it.";
}

static std::string evidence_of(const SampleStats& s) {
  std::string text = "the middle 80 % of the queries spread over " + share_text(s.spread) +
                     " of the median; coefficient of variation " + share_text(s.coeff_var) +
                     "; slowest " + ms_text(s.max_ms);
  if (s.p999_ms) text += ", 99.9 % within " + ms_text(*s.p999_ms);
  text += "; " + std::to_string(s.outliers) + " of " + std::to_string(s.n) +
          " queries took more than twice the median";
  const double longer = s.outliers_ms / static_cast<double>(s.n);
  if (s.outliers > 0) text += ", which adds " + ms_text(longer) + " to the mean";
  return text;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  const Performance& p = a.build.performance;
  if (!a.compute_samples || a.compute_samples->n < 30) {
    // Without samples trtexec's own figure is all there is, outliers included.
    if (!p.coeff_var || *p.coeff_var < c.threshold("min_coeff_var")) return;
    if (launches_explain_it(c)) return;
    add(c, p.gpu_compute ? p.gpu_compute->pos : SourcePos(),
        "GPU compute time is unstable: it varies by " + share_text(*p.coeff_var),
        "coefficient of variance = " + share_text(*p.coeff_var) + " (trtexec's own warning)", out);
    return;
  }
  const SampleStats& s = *a.compute_samples;
  const double slow = static_cast<double>(s.outliers) / static_cast<double>(s.n);
  const bool spread = s.spread >= c.threshold("min_spread");
  const bool tail = s.p999_ms && *s.p999_ms >= c.threshold("min_tail") * s.median_ms;
  const bool frequent = slow >= c.threshold("min_outliers");
  if (!spread && !frequent && !tail) return;
  const bool is_shared = slow >= c.threshold("shared");
  if (!is_shared && launches_explain_it(c)) return;
  // Jitter shows by the spread, another process by the share of the queries that waited for it.
  add(c, a.build.times_pos,
      spread && !is_shared ? "GPU compute time is unstable: it spreads over " +
                                 share_text(s.spread) + " of the median"
                           : share_text(slow) + " of the queries take more than twice the median",
      evidence_of(s), out);
  if (is_shared) blame_another_process(out.back());
  if (!spread && !frequent) blame_the_tail(out.back());
}

extern const Rule rule{"gpu-time-unstable", Pass::note, check};

}  // namespace trtlens::checks::gpu_time_unstable
