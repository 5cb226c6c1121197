// INT8 convolutions with a quantizing kernel behind them.
#include "analyzers/graph/graph.h"
#include "analyzers/graph/neighbours.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::conv_int8_in_float_out {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
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
  Finding finding = c.finding(conversions);
  const bool one = convolutions.size() == 1;
  finding.title = count_text(convolutions.size(), "quantized convolution") +
                  (one ? " writes" : " write") + " float that is quantized again, in " +
                  count_text(conversions.size(), "kernel") + cost_text(c, conversions);
  show_layers(c, conversions, finding);
  for (std::size_t k = 0; k < convolutions.size() && k < 4; ++k) {
    const std::size_t i = convolutions[k];
    finding.evidence.push_back(
        c.measured(i, std::string("reads ") + to_string(c.layer(i).inputs[0].type) + ", writes " +
                          to_string(c.layer(i).outputs[0].type)));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"conv-int8-in-float-out",
     "qdq-placement",
     Severity::moderate,
     Confidence::measured,
     "INT8 convolutions that write float, which is quantized again behind them.",
     "The Q behind the convolution did not fuse into it, so its output goes to memory in two or "
     "four times the bytes and is read once more only to be rounded.",
     {"Put the Q/DQ of the reader directly on the output that it reads, with one scale for all "
      "readers of the tensor.",
      "Quantize the operation in between (pooling, Add, Resize), or take the Q/DQ off around "
      "it."},
     "Export again, then trtexec --onnx=MODEL --int8 --fp16 --profilingVerbosity=detailed "
     "--exportLayerInfo=layers.json --exportProfile=profile.json, and trtlens compare BEFORE "
     "AFTER",
     "An output that is wanted in float for accuracy; the last convolution.",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.0/tools/experimental/trt-engine-explorer/"
      "trex/lint.py"},
     {},
     "8.0 and later",
     "none: in engine 11 and b_mob_q_dwnow_i8 residual-add-not-quantised has the residual "
     "Adds"},
    Pass::symptom,
    check};

}  // namespace trtlens::checks::conv_int8_in_float_out
