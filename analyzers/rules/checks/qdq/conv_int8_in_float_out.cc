// INT8 convolutions with a quantizing kernel behind them.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::conv_int8_in_float_out {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> convolutions, conversions;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || !computes_narrow(c, i) || layer.inputs.empty() ||
        layer.outputs.empty() || !is_narrow(layer.inputs[0].type) ||
        !is_float(layer.outputs[0].type)) {
      continue;
    }
    std::vector<std::size_t> behind;
    for (const std::size_t n :
         unclaimed(c, walk(c, i, Direction::forward, is_conversion).between)) {
      if (c.verdict(n).role == LayerRole::quantize) behind.push_back(n);
    }
    if (behind.empty()) continue;
    convolutions.push_back(i);
    conversions.insert(conversions.end(), behind.begin(), behind.end());
  }
  conversions = unclaimed(c, conversions);
  if (conversions.empty()) return;
  Finding finding = c.finding(
      conversions, {{"convolutions", count_text(convolutions.size(), "quantized convolution")},
                    {"write", convolutions.size() == 1 ? "writes" : "write"}});
  show_layers(c, conversions, finding);
  for (const std::size_t i : first_of(convolutions, 4)) {
    finding.evidence.push_back(
        c.measured(i, std::string("reads ") + to_string(c.layer(i).inputs[0].type) + ", writes " +
                          to_string(c.layer(i).outputs[0].type)));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"conv-int8-in-float-out", Pass::symptom, check};

}  // namespace trtlens::checks::conv_int8_in_float_out
