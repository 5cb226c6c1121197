// Transposed convolutions whose INT8 ends in front of an unfused normalisation.
#include <algorithm>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::convtranspose_bn_unfused_int8_float {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> deconvolutions, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::deconvolution ||
        !computes_narrow(c, i) || layer.outputs.empty() || !is_float(layer.outputs[0].type)) {
      continue;
    }
    const Walk behind = walk(c, i, Direction::forward, is_conversion_or_pointwise);
    std::vector<std::size_t> kernels = unclaimed(c, behind.between);
    const bool unfused = std::ranges::any_of(kernels, [&](std::size_t n) {
      return c.verdict(n).role == LayerRole::pointwise && c.layer(n).inputs.size() == 1;
    });
    if (!unfused) continue;
    deconvolutions.push_back(i);
    all.insert(all.end(), kernels.begin(), kernels.end());
  }
  all = unclaimed(c, all);
  if (all.empty()) return;
  Finding finding = c.finding(all, {{"kernels", count_text(all.size(), "kernel")}});
  for (const std::size_t i : deconvolutions) {
    finding.evidence.push_back(
        c.measured(i, std::string("reads INT8, writes ") + to_string(c.layer(i).outputs[0].type)));
  }
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"convtranspose-bn-unfused-int8-float", Pass::placement, check};

}  // namespace trtlens::checks::convtranspose_bn_unfused_int8_float
