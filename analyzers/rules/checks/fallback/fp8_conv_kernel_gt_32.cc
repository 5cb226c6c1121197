// FP8 convolutions with more kernel elements than TensorRT has kernels for.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::fp8_conv_kernel_gt_32 {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers = layers_where(c, [&](std::size_t i) {
    // No kernel for its groups is the stronger reason.
    return c.verdict(i).role == LayerRole::convolution && c.layer(i).groups.value_or(1) == 1 &&
           kernel_elements(c.layer(i)) > static_cast<std::int64_t>(c.threshold("max_size")) &&
           reads_dequantized_fp8(c, i) && !computes_narrow(c, i);
  });
  if (layers.empty()) return;
  const std::vector<std::size_t> all = with_conversions(c, layers);
  Finding finding = c.finding(all, {{"convolutions", count_text(layers.size(), "convolution")},
                                    {"have", layers.size() == 1 ? "has" : "have"}});
  for (const std::size_t i : layers) {
    finding.evidence.push_back(c.measured(i, std::to_string(kernel_elements(c.layer(i))) +
                                                 " elements in its kernel, computes in " +
                                                 to_string(c.verdict(i).compute)));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"fp8-conv-kernel-gt-32", Pass::cause, check};

}  // namespace trtlens::checks::fp8_conv_kernel_gt_32
