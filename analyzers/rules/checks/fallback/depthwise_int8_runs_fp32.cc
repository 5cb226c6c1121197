// Depthwise convolutions between narrower neighbours.
#include <algorithm>

#include "analyzers/graph/graph.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::depthwise_int8_runs_fp32 {
namespace {

bool is_depthwise(const Layer& layer) {
  return layer.groups && *layer.groups > 1 && layer.out_maps && *layer.groups == *layer.out_maps;
}

// Neighbours that compute in INT8 or FP8, looked for through conversions and activations.
bool near_narrow(const RuleContext& c, std::size_t i) {
  for (const bool forward : {true, false}) {
    std::vector<std::size_t> stack{i};
    std::set<std::size_t> seen{i};
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      for (const std::size_t n : forward ? c.graph.after(at) : c.graph.before(at)) {
        if (!seen.insert(n).second) continue;
        const LayerRole role = c.verdict(n).role;
        const int width = width_of(c.verdict(n).compute);
        if (is_arithmetic(role) && width > 0 && width <= 8) return true;
        if (is_conversion(role) || role == LayerRole::pointwise) stack.push_back(n);
      }
    }
  }
  return false;
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const LayerVerdict& verdict = c.verdict(i);
    if (!c.graph.takes_part(i) || verdict.role != LayerRole::convolution ||
        !is_depthwise(c.layer(i)))
      continue;
    const bool wide = verdict.compute == Precision::fp32 || verdict.compute == Precision::tf32;
    // With a DQ in front the weights are the reason: conv-fp32-weight-qdq-missing.
    const Places before = c.graph.before(i);
    const bool dequantized = std::any_of(before.begin(), before.end(), [&](std::size_t p) {
      return c.verdict(p).role == LayerRole::dequantize;
    });
    if (wide && !dequantized && near_narrow(c, i)) layers.push_back(i);
  }
  if (layers.empty()) return;
  const Fence fence = fence_of(layers, c.graph, c.analysis);
  std::vector<std::size_t> all = layers;
  for (const auto* more : {&fence.before, &fence.after})
    all.insert(all.end(), more->begin(), more->end());
  Finding finding = c.finding(all);
  finding.title = count_text(layers.size(), "depthwise convolution") +
                  " between INT8 or FP8 layers " + (layers.size() == 1 ? "runs" : "run") +
                  " in FP32 or TF32";
  if (c.analysis.build.has_profile) finding.title += ": " + ms_text(c.time_ms(layers));
  for (const std::size_t i : layers) finding.evidence.push_back(c.measured(i));
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule;
const Rule rule{
    {"depthwise-int8-runs-fp32",
     "precision-fallback",
     Severity::major,
     Confidence::inferred,
     "Depthwise convolutions in FP32 although their neighbours compute in INT8 or FP8.",
     "There is no INT8 kernel for the shape on this GPU, or the layer is not quantized; FP8 has no "
     "depthwise kernels at all.",
     {"Make the total number of channels a multiple of 4 (better 32) and keep Q/DQ on activations "
      "and weights.",
      "Otherwise leave the layer unquantized on both sides and allow FP16, so that it falls back "
      "to "
      "FP16.",
      "Fold batch normalisation before quantizing."},
     "trtexec --onnx=MODEL --int8 --fp16 --verbose: which runners say `has no valid tactics` for "
     "it",
     "A depthwise convolution bound by memory may be no faster in INT8.",
     {"https://github.com/NVIDIA/TensorRT/issues/4060",
      "https://github.com/NVIDIA/TensorRT/issues/4524"},
     {},
     "",
     "none: in b_mob_q_dwnow_i8 the weights have no Q/DQ, which "
     "conv-fp32-weight-qdq-missing names"},
    Pass::cause,
    check};

}  // namespace trtlens::checks::depthwise_int8_runs_fp32
