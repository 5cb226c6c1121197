// FP8 convolutions with more kernel elements than TensorRT has kernels for.
#include "analyzers/graph/neighbours.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::fp8_conv_kernel_gt_32 {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers = layers_where(c, [&](std::size_t i) {
    // No kernel for its groups is the stronger reason.
    return c.verdict(i).role == LayerRole::convolution && c.layer(i).groups.value_or(1) == 1 &&
           kernel_elements(c.layer(i)) > static_cast<std::int64_t>(c.threshold("max_size")) &&
           reads_dequantized_fp8(c, i) && !computes_narrow(c, i);
  });
  if (layers.empty()) return;
  const std::vector<std::size_t> all = with_conversions(c, layers);
  Finding finding = c.finding(all);
  finding.title = count_text(layers.size(), "convolution") + " with FP8 Q/DQ and more than " +
                  std::to_string(static_cast<int>(c.threshold("max_size"))) + " kernel elements " +
                  (layers.size() == 1 ? "computes" : "compute") + " wider" + cost_text(c, all);
  for (const std::size_t i : layers) {
    finding.evidence.push_back(c.measured(i, std::to_string(kernel_elements(c.layer(i))) +
                                                 " elements in its kernel, computes in " +
                                                 to_string(c.verdict(i).compute)));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"fp8-conv-kernel-gt-32",
     "precision-fallback",
     Severity::moderate,
     Confidence::inferred,
     "Convolutions with a large kernel (7x7) that are quantized to FP8 and compute wider.",
     "FP8 convolutions stop at 32 kernel elements: a larger one falls back to FP16 or FP32, and "
     "the conversions that its Q/DQ ask for are paid on top.",
     {"Put no FP8 Q/DQ in front of this convolution.",
      "Replace the large kernel by a chain of 3x3 convolutions where the model may be trained "
      "again."},
     "Export the ONNX without Q/DQ on it, build with trtexec --stronglyTyped "
     "--profilingVerbosity=detailed --exportLayerInfo=layers.json, and compare",
     "Known for compute capability 8.9, 9.0 and 12.x; other GPUs are not named.",
     {"https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes.html"},
     {{"max_size", 32, "count", "of kernel elements that FP8 kernels support"}},
     "10.0 and later"},
    Pass::cause,
    check};

}  // namespace trtlens::checks::fp8_conv_kernel_gt_32
