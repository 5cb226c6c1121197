// Element-wise kernels that fused into nothing.
#include <algorithm>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/precision/precision.h"

namespace trtlens::checks::pointwise_alone {

// A loop's counter, an index, a mask: no arithmetic beside it could take it in.
static bool counts_or_compares(Precision precision) {
  return precision == Precision::int32 || precision == Precision::int64 ||
         precision == Precision::boolean;
}

static bool stands_alone(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  return c.verdict(i).role == LayerRole::pointwise && layer.time &&
         (!(layer.layer_type == "kgen") || is_elementwise_kernel(layer)) &&
         !counts_or_compares(c.verdict(i).compute);
}

// Fused into the layer in front a kernel no longer reads that layer's output and writes its own; it
// still reads its other operands.
static Gain gain_of_fusing(const RuleContext& c, const std::vector<std::size_t>& kernels) {
  Gain gain;
  for (const std::size_t i : kernels) {
    const Layer& layer = c.layer(i);
    double others = 0, all = 0;
    for (const Tensor& tensor : layer.inputs) {
      const double bytes = static_cast<double>(tensor.bytes().value_or(0));
      all += bytes;
      if (&tensor != &layer.inputs.front()) others += bytes;
    }
    for (const Tensor& tensor : layer.outputs) {
      all += static_cast<double>(tensor.bytes().value_or(0));
    }
    const double ms = time_or_zero(layer);
    gain.high_ms += ms;
    gain.low_ms += all > 0 ? ms * (1 - others / all) : 0;
  }
  gain.basis = "fused into the layers in front; at worst these read the other operands";
  return gain;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (c.analysis.build.profile_sum_ms <= 0) return;
  const std::vector<std::size_t> kernels =
      unclaimed(c, layers_where(c, [&](std::size_t i) { return stands_alone(c, i); }));
  if (kernels.size() < static_cast<std::size_t>(c.threshold("min_count")) ||
      !takes_share(c, kernels, c.threshold("min_share"))) {
    return;
  }
  Finding finding =
      c.finding(kernels, {{"kernels", count_text(kernels.size(), "element-wise kernel")}});
  if (!is_explicitly_quantized(c)) {
    finding.remedies[0] = "Give neighbouring layers one precision.";
    const bool mixed = std::ranges::any_of(kernels, [&](std::size_t i) {
      const Layer& layer = c.layer(i);
      return !layer.inputs.empty() && !layer.outputs.empty() &&
             layer.inputs[0].type != layer.outputs[0].type;
    });
    if (!mixed) finding.remedies.erase(finding.remedies.begin());
  }
  finding.gain = gain_of_fusing(c, kernels);
  show_layers(c, kernels, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"pointwise-alone", Pass::symptom, check};

}  // namespace trtlens::checks::pointwise_alone
