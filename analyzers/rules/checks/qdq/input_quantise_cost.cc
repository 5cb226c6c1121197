// Kernels that only round the network's input to INT8.
#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::input_quantise_cost {

// How --inputIOFormats words it: a layout of 32 channels pads the three of an image tenfold.
static std::string format_word(const RuleContext& c, std::size_t kernel) {
  const std::vector<std::int64_t>& dims = c.layer(kernel).inputs[0].dims;
  if (dims.size() != 4) return "int8:chw";
  return dims[1] <= 4 ? "int8:chw4" : "int8:chw32";
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (c.analysis.build.profile_sum_ms <= 0) return;
  const std::vector<std::size_t> kernels =
      unclaimed(c, layers_where(c, [&](std::size_t i) {
                  return c.verdict(i).role == LayerRole::quantize && reads_network_input(c, i);
                }));
  if (kernels.empty() || !takes_share(c, kernels, c.threshold("min_share"))) return;
  Finding finding = c.finding(kernels, {{"format", format_word(c, kernels[0])}});
  // It has to be done somewhere: on the GPU it is dear, not wrong.
  if (finding.severity > Severity::moderate) finding.severity = Severity::moderate;
  finding.gain = gain_without(c.analysis, kernels);
  show_layers(c, kernels, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"input-quantise-cost", Pass::placement, check};

}  // namespace trtlens::checks::input_quantise_cost
