// Adds that Q/DQ keeps apart from their convolution.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::qdq_overplaced_on_conv_output {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!is_explicitly_quantized(c)) return;
  std::vector<std::size_t> adds, convolutions, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!is_lone_add(c, i) || c.claimed.count(i) != 0) continue;
    for (const std::size_t p : walk(c, i, Direction::backward, is_conversion).ends) {
      if (!could_take_add(c, p)) continue;
      adds.push_back(i);
      convolutions.push_back(p);
      all.push_back(i);
      for (const std::size_t dq : c.graph.after(p)) {
        if (is_conversion(c.verdict(dq).role)) all.push_back(dq);
      }
      break;
    }
  }
  all = unclaimed(c, all);
  if (adds.empty()) return;
  Finding finding = c.finding(all, {{"adds", count_text(adds.size(), "Add")}});
  show_layers(c, all, finding);
  for (const std::size_t i : first_of(convolutions, 4)) {
    finding.evidence.push_back(c.measured(i, "writes INT8 for an Add alone"));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"qdq-overplaced-on-conv-output", Pass::placement, check};

}  // namespace trtlens::checks::qdq_overplaced_on_conv_output
