// Q and DQ that no neighbour took in; what other findings name of them is told apart.
#include "analyzers/graph/neighbours.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::qdq_unfused_standalone {
namespace {

bool at_border(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  return (!layer.inputs.empty() && c.graph.is_at_input(layer.inputs[0].name)) ||
         (!layer.outputs.empty() && c.graph.is_at_output(layer.outputs[0].name));
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> open;
  std::size_t quantize = 0, dequantize = 0;
  double quantize_ms = 0, dequantize_ms = 0;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const LayerRole role = c.verdict(i).role;
    if (role != LayerRole::quantize && role != LayerRole::dequantize) continue;
    if (at_border(c, i) || !c.graph.takes_part(i)) continue;
    const double time = time_or_zero(c.layer(i));
    (role == LayerRole::quantize ? quantize : dequantize) += 1;
    (role == LayerRole::quantize ? quantize_ms : dequantize_ms) += time;
    if (c.claimed.count(i) == 0) open.push_back(i);
  }
  if (open.size() < static_cast<std::size_t>(c.threshold("min_count"))) return;
  Finding finding = c.finding(open);
  const auto part = [](std::size_t n, const char* op, double ms) {
    return n == 0 ? std::string() : std::to_string(n) + " " + op + " (" + ms_text(ms) + ")";
  };
  const std::string q = part(quantize, "QuantizeLinear", quantize_ms);
  const std::string dq = part(dequantize, "DequantizeLinear", dequantize_ms);
  finding.title = q + (q.empty() || dq.empty() ? "" : " and ") + dq + " fused into no layer";
  const double open_ms = c.time_ms(open);
  if (open_ms < quantize_ms + dequantize_ms) {
    finding.title += "; " + ms_text(quantize_ms + dequantize_ms - open_ms) +
                     " of that stands in other findings, " + count_text(open.size(), "kernel") +
                     " of " + ms_text(open_ms) + " in none";
  }
  show_first(c, open, 8, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"qdq-unfused-standalone",
     "qdq-placement",
     Severity::moderate,
     Confidence::measured,
     "QuantizeLinear or DequantizeLinear nodes that run as kernels of their own.",
     "Well-placed Q and DQ disappear into the layers beside them. One that stays converts a whole "
     "tensor, and shows that a neighbour could not take the type.",
     {"Quantize what stands between: the residual input of an Add, average pooling on both sides, "
      "all inputs of a concatenation with one scale.",
      "Remove Q/DQ in front of layers that gain nothing (resize, softmax, layer normalisation)."},
     "The layer table names what writes and reads these kernels; why they did not fuse stands in "
     "the log of trtexec --onnx=MODEL.onnx --verbose (\"QuantizeDoubleInputNodes\", \"Fusing\").",
     "The Q and DQ at the network's border are not counted.",
     {"https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html#qdq-placement-recs"},
     {{"min_count", 2, "count", "of kernels away from the network's border"}},
     "8.0 and later",
     "none: rules of the causes have b_r18_q_conv and b_mob_q_dwnow_i8"},
    Pass::symptom,
    check};

}  // namespace trtlens::checks::qdq_unfused_standalone
