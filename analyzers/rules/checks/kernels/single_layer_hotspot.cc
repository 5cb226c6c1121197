// A layer whose share of the profile alone is worth a look.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::single_layer_hotspot {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const double total = c.analysis.build.profile_sum_ms;
  if (total <= 0 || c.analysis.timed_layers < 2) return;
  std::vector<std::size_t> hot;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (time_or_zero(c.layer(i)) / total >= c.threshold("min_share")) hot.push_back(i);
  }
  if (hot.empty()) return;
  hot = slowest_first(c, hot);
  const Layer& first = c.layer(hot[0]);
  Finding finding =
      c.finding({{"share", share_text(time_or_zero(first) / total)},
                 {"slowest", hot.size() == 1 ? "One layer takes" : "The slowest layers take up to"},
                 {"each", hot.size() == 1 ? "" : "each"}});
  for (const std::size_t i : hot) {
    finding.evidence.push_back(c.measured(i, std::string(to_string(c.verdict(i).role)) +
                                                 ", computes in " +
                                                 to_string(c.verdict(i).compute)));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"single-layer-hotspot", Pass::note, check};

}  // namespace trtlens::checks::single_layer_hotspot
