#include <algorithm>

#include "analyzers/graph.h"
#include "analyzers/neighbours.h"
#include "analyzers/precision.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

bool is_layout(LayerRole role) {
  return role == LayerRole::shuffle || role == LayerRole::reformat;
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> products, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i) || !is_arithmetic(c.verdict(i).role) ||
        width_of(c.verdict(i).compute) <= 8) {
      continue;
    }
    const Walk back = walk(c, i, Direction::backward, is_layout);
    const bool moves = std::any_of(back.between.begin(), back.between.end(), [&](std::size_t n) {
      return c.verdict(n).role == LayerRole::shuffle;
    });
    std::vector<std::size_t> dequantize;
    for (const std::size_t n : back.ends) {
      if (c.verdict(n).role == LayerRole::dequantize) dequantize.push_back(n);
    }
    if (!moves || dequantize.empty()) continue;
    // A DQ directly in front of it is another fault: conv-fp32-weight-qdq-missing.
    const Places before = c.graph.before(i);
    if (std::any_of(before.begin(), before.end(),
                    [&](std::size_t n) { return c.verdict(n).role == LayerRole::dequantize; })) {
      continue;
    }
    products.push_back(i);
    all.push_back(i);
    all.insert(all.end(), back.between.begin(), back.between.end());
    all.insert(all.end(), dequantize.begin(), dequantize.end());
  }
  products = unclaimed(c, products);
  all = unclaimed(c, all);
  if (products.empty()) return;
  Finding finding = c.finding(all);
  finding.title = count_text(products.size(), "layer") +
                  " of arithmetic with layout work between DequantizeLinear and " +
                  (products.size() == 1 ? "it computes" : "them compute") + " wider than INT8" +
                  cost_text(c, all);
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_qdq_before_transpose;
const Rule rule_qdq_before_transpose{
    {"qdq-before-transpose",
     "qdq-placement",
     Severity::moderate,
     Confidence::inferred,
     "A transpose, reshape or cast between DequantizeLinear and the layer that should be "
     "quantized.",
     "A weighted layer is quantized only when it sees the DQ directly. With layout work in "
     "between, the DQ runs by itself and the layer computes in floating point.",
     {"Fold the transpose of a weight into the stored weight, in front of its Q.",
      "Put the Q/DQ of an activation behind the transpose or reshape.",
      "For Linear layers of PyTorch quantize weights along axis 0 and use Gemm with transB=1; "
      "of TensorFlow along axis 1."},
     "trtexec --onnx=MODEL --int8 --fp16 --profilingVerbosity=detailed "
     "--exportLayerInfo=layers.json --exportProfile=profile.json, and look whether Weights.Type "
     "of the layer is Int8 after the change",
     "Later versions move a DQ behind some transposes by themselves.",
     {"https://github.com/NVIDIA/TensorRT/issues/1604",
      "https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html#qat-models-work"},
     {},
     "8.0 and later",
     {}},
    Pass::placement,
    check};

}  // namespace trtlens
