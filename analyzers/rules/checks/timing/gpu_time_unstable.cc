// The spread of the queries, by their samples or by trtexec's warning.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::gpu_time_unstable {
namespace {

void add(const RuleContext& c, const SourcePos& pos, std::string title, std::string evidence,
         std::vector<Finding>& out) {
  Finding finding = c.finding();
  finding.title = std::move(title);
  finding.evidence.push_back(c.line(pos, std::move(evidence)));
  out.push_back(std::move(finding));
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  const Performance& p = a.build.performance;
  if (!a.compute_samples || a.compute_samples->n < 30) {
    // Without samples trtexec's own figure is all there is, outliers included.
    if (!p.coeff_var || *p.coeff_var < c.threshold("min_spread")) return;
    add(c, p.gpu_compute ? p.gpu_compute->pos : SourcePos(),
        "GPU compute time varies by " + share_text(*p.coeff_var) + " of its mean",
        "coefficient of variance = " + share_text(*p.coeff_var) + " (trtexec's own warning)", out);
    return;
  }
  const SampleStats& s = *a.compute_samples;
  const double slow = static_cast<double>(s.outliers) / static_cast<double>(s.n);
  const bool spread = s.spread >= c.threshold("min_spread");
  if (!spread && slow < c.threshold("min_outliers")) return;
  std::string title = "GPU compute time of equal queries varies by " + share_text(s.spread);
  if (s.outliers > 0) {
    title += "; " + std::to_string(s.outliers) + " of " + std::to_string(s.n) +
             " queries took more than twice the median";
  }
  add(c, a.build.times_pos, title,
      "spread of the middle 80 % " + share_text(s.spread) + ", coefficient of variation " +
          share_text(s.coeff_var) + ", slowest " + ms_text(s.max_ms),
      out);
}

}  // namespace

extern const Rule rule{"gpu-time-unstable", Pass::note, check};

}  // namespace trtlens::checks::gpu_time_unstable
