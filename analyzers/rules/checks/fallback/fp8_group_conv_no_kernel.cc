// FP8 convolutions with groups, which no kernel computes.
#include "analyzers/graph/neighbours.h"
#include "analyzers/precision/precision.h"

namespace trtlens::checks::fp8_group_conv_no_kernel {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers = layers_where(c, [&](std::size_t i) {
    return c.verdict(i).role == LayerRole::convolution && c.layer(i).groups.value_or(1) > 1 &&
           reads_dequantized_fp8(c, i) && !computes_narrow(c, i);
  });
  if (layers.empty()) return;
  const std::vector<std::size_t> all = with_conversions(c, layers);
  Finding finding =
      c.finding(all, {{"convolutions", count_text(layers.size(), "grouped convolution")},
                      {"have", layers.size() == 1 ? "has" : "have"}});
  for (const std::size_t i : layers) {
    finding.evidence.push_back(c.measured(i, std::to_string(c.layer(i).groups.value_or(1)) +
                                                 " groups, computes in " +
                                                 to_string(c.verdict(i).compute)));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"fp8-group-conv-no-kernel", Pass::cause, check};

}  // namespace trtlens::checks::fp8_group_conv_no_kernel
