// Q/DQ in the network, and no arithmetic in INT8 or FP8.
#include <algorithm>
#include <iterator>
#include <optional>

#include "analyzers/graph/neighbours.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::checks::qdq_graph_no_int8_compute {

// A float build needs conversions of its own: where the network begins and ends, and around what is
// no convolution (pooling, matrix products) and wants another layout.
static bool may_stay(const RuleContext& c, std::size_t conversion) {
  if (reads_network_input(c, conversion) || writes_network_output(c, conversion)) return true;
  for (const Places& side : {c.graph.before(conversion), c.graph.after(conversion)}) {
    for (const std::size_t i : side) {
      const LayerRole role = c.verdict(i).role;
      if (role != LayerRole::convolution && !is_conversion(role)) return true;
    }
  }
  return false;
}

static std::optional<Gain> gain_of_stripping(const RuleContext& c,
                                             const std::vector<std::size_t>& conversions) {
  if (!c.analysis.build.has_profile) return std::nullopt;
  std::vector<std::size_t> going;
  std::ranges::copy_if(conversions, std::back_inserter(going),
                       [&](std::size_t i) { return !may_stay(c, i); });
  Gain gain;
  gain.low_ms = c.time_ms(going);
  gain.high_ms = c.time_ms(conversions);
  if (gain.high_ms <= 0) return std::nullopt;
  gain.basis =
      "stripped of Q/DQ and built with --fp16: none of these kernels; at worst a reformat as long "
      "in place of the " +
      count_text(conversions.size() - going.size(), "one") +
      " at the network's border and around layers other than convolutions";
  return gain;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> quantizers, dequantizers;
  bool has_arithmetic = false;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i)) continue;
    const LayerVerdict& verdict = c.verdict(i);
    // INT8 may well be computed inside a region.
    if (verdict.role == LayerRole::region) return;
    if (verdict.role == LayerRole::quantize) quantizers.push_back(i);
    if (verdict.role == LayerRole::dequantize) dequantizers.push_back(i);
    if (!is_arithmetic(verdict.role)) continue;
    if (verdict.compute == Precision::unknown) return;
    if (width_of(verdict.compute) <= 8) return;
    has_arithmetic = true;
  }
  // Weight-only quantization has DequantizeLinear alone, and computes in float by design.
  if (quantizers.empty() || !has_arithmetic) return;
  const std::vector<std::size_t> conversions = sorted_once(together({quantizers, dequantizers}));
  Finding finding = c.finding(conversions);
  show_sum(c, quantizers, count_text(quantizers.size(), "QuantizeLinear kernel"), finding);
  if (!dequantizers.empty()) {
    show_sum(c, dequantizers, count_text(dequantizers.size(), "DequantizeLinear kernel"), finding);
  }
  finding.gain = gain_of_stripping(c, conversions);
  finding.next_check = "Build the model without Q/DQ, and compare: " +
                       rebuild_command(c.analysis.build, "WITHOUT_QDQ.onnx", {"--fp16"},
                                       {"int8", "fp8", "int4", "best"}) +
                       "; `trtlens compare BEFORE AFTER`." +
                       lacking_text("build at hand", c.analysis.build);
  const auto elsewhere = static_cast<std::size_t>(
      std::ranges::count_if(conversions, [&](std::size_t i) { return c.claimed.count(i) != 0; }));
  if (elsewhere > 0) {
    finding.why += (elsewhere == 1 ? " One of these kernels stands"
                                   : " " + std::to_string(elsewhere) + " of these kernels stand") +
                   std::string(
                       " in another finding as well: mend that or strip the Q/DQ, for the "
                       "two gains do not add up.");
  }
  show_layers(c, conversions, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"qdq-graph-no-int8-compute", Pass::cause, check};

}  // namespace trtlens::checks::qdq_graph_no_int8_compute
