// Layers that move bytes and compute nothing.
#include <algorithm>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/rows.h"

namespace trtlens::checks::shuffle_dominates {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const double total = c.analysis.build.profile_sum_ms;
  if (total <= 0) return;
  std::vector<std::size_t> layout;
  double largest = 0;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const double time = time_or_zero(c.layer(i));
    if (c.verdict(i).role != LayerRole::shuffle || time == 0) continue;
    layout.push_back(i);
    largest = std::max(largest, time);
  }
  const double sum = c.time_ms(layout);
  if (sum / total < c.threshold("min_share") && largest / total < c.threshold("min_single_share")) {
    return;
  }
  Finding finding = c.finding(layout);
  // What one launch takes at least is a large share of a tiny network only.
  if (sum / total < c.threshold("min_share") && largest < 2 * kLaunchFloorMs) {
    finding.severity = std::min(finding.severity, Severity::minor);
  }
  finding.gain_unknown = "which of these the model can do without, the inputs do not say";
  show_layers(c, layout, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"shuffle-dominates", Pass::symptom, check};

}  // namespace trtlens::checks::shuffle_dominates
