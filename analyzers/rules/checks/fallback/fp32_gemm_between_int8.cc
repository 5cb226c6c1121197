// One layer that was left out of the quantization of its neighbours.
#include <set>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::fp32_gemm_between_int8 {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  // What the build might have chosen narrower is fp32-fallback's.
  std::set<std::size_t> fallbacks;
  if (c.analysis.fallbacks) {
    for (const Fallback& fallback : *c.analysis.fallbacks) fallbacks.insert(fallback.layer);
  }
  std::vector<std::size_t> layers, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i) || !computes_in_32_bits(c, i) || fallbacks.count(i) != 0 ||
        c.claimed.count(i) != 0) {
      continue;
    }
    const Walk before = walk(c, i, Direction::backward, is_conversion);
    const Walk after = walk(c, i, Direction::forward, is_conversion);
    if (!any_computes_narrow(c, before.ends) || !any_computes_narrow(c, after.ends)) continue;
    layers.push_back(i);
    all = together({all, {i}, before.between, after.between});
  }
  if (layers.empty()) return;
  all = unclaimed(c, all);
  Finding finding = c.finding(all, {{"layers", arithmetic_text(c, layers)},
                                    {"compute", layers.size() == 1 ? "computes" : "compute"}});
  show_layers(c, all, finding);
  finding.gain = gain_of(c.analysis, c.graph, c.reasons, {layers, {}, {}, 8, true});
  out.push_back(std::move(finding));
}

extern const Rule rule{"fp32-gemm-between-int8", Pass::placement, check};

}  // namespace trtlens::checks::fp32_gemm_between_int8
