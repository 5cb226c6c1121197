// Q/DQ in front of layers that are computed in floating point anyway.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::layernorm_splits_int8_fusion {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> norms, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const LayerRole role = c.verdict(i).role;
    if (role != LayerRole::softmax && role != LayerRole::normalisation) continue;
    if (!c.graph.takes_part(i)) continue;
    const Walk back = walk(c, i, Direction::backward, is_conversion);
    if (!any_of_role(c, back.between, LayerRole::dequantize)) continue;
    norms.push_back(i);
    all.insert(all.end(), back.between.begin(), back.between.end());
  }
  all = unclaimed(c, all);
  if (all.empty()) return;
  Finding finding =
      c.finding(all, {{"inputs", norms.size() == 1 ? "input" : "inputs"},
                      {"layers", count_text(norms.size(), "normalisation or softmax layer")},
                      {"are", norms.size() == 1 ? "is" : "are"}});
  show_layers(c, all, finding);
  show_first(c, norms, 4, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"layernorm-splits-int8-fusion", Pass::placement, check};

}  // namespace trtlens::checks::layernorm_splits_int8_fusion
