// Kernels near the floor of a launch, by number and share.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::tiny_kernels {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const double total = c.analysis.build.profile_sum_ms;
  if (total <= 0) return;
  std::vector<std::size_t> tiny;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const double time = time_or_zero(c.layer(i));
    if (time > 0 && time < c.threshold("max_ms")) tiny.push_back(i);
  }
  const double sum = c.time_ms(tiny);
  if (static_cast<double>(tiny.size()) < c.threshold("min_count") ||
      sum / total < c.threshold("min_share")) {
    return;
  }
  Finding finding = c.finding({{"share", share_text(sum / total)}});
  show_sum(c, tiny, count_text(tiny.size(), "kernel") + " below " + ms_text(c.threshold("max_ms")),
           finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"tiny-kernels", Pass::note, check};

}  // namespace trtlens::checks::tiny_kernels
