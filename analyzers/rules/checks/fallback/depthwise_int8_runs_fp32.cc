// Depthwise convolutions between narrower neighbours.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::depthwise_int8_runs_fp32 {

// Neighbours that compute in INT8 or FP8, looked for through conversions and activations.
static bool near_narrow(const RuleContext& c, std::size_t i) {
  return any_computes_narrow(c, walk(c, i, Direction::forward, is_conversion_or_pointwise).ends) ||
         any_computes_narrow(c, walk(c, i, Direction::backward, is_conversion_or_pointwise).ends);
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers = layers_where(c, [&](std::size_t i) {
    return c.verdict(i).role == LayerRole::convolution && is_depthwise(c.layer(i)) &&
           computes_in_32_bits(c, i) &&
           // With a DQ in front the weights are the reason: conv-fp32-weight-qdq-missing.
           !any_of_role(c, c.graph.before(i), LayerRole::dequantize) && near_narrow(c, i);
  });
  if (layers.empty()) return;
  const Fence fence = fence_of(layers, c.graph, c.analysis);
  Finding finding = c.finding(together({layers, fence.before, fence.after}),
                              {{"convolutions", count_text(layers.size(), "depthwise convolution")},
                               {"run", layers.size() == 1 ? "runs" : "run"}});
  for (const std::size_t i : layers) finding.evidence.push_back(c.measured(i));
  out.push_back(std::move(finding));
}

extern const Rule rule{"depthwise-int8-runs-fp32", Pass::cause, check};

}  // namespace trtlens::checks::depthwise_int8_runs_fp32
