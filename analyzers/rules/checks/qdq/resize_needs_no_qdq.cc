// Resizes in floating point behind a DQ.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::resize_needs_no_qdq {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> resizes, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::resize || layer.inputs.empty() ||
        !is_float(layer.inputs[0].type)) {
      continue;
    }
    const Walk before = walk(c, i, Direction::backward, is_conversion);
    const Walk after = walk(c, i, Direction::forward, is_conversion);
    if (!any_of_role(c, before.between, LayerRole::dequantize) ||
        !any_computes_narrow(c, after.ends) || after.between.empty()) {
      continue;
    }
    resizes.push_back(i);
    all = together({all, {i}, before.between, after.between});
  }
  resizes = unclaimed(c, resizes);
  all = unclaimed(c, all);
  if (resizes.empty()) return;
  Finding finding = c.finding(all, {{"resizes", count_text(resizes.size(), "resize")},
                                    {"run", resizes.size() == 1 ? "runs" : "run"}});
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"resize-needs-no-qdq", Pass::placement, check};

}  // namespace trtlens::checks::resize_needs_no_qdq
