// Quantized activations meet weights that were left in floating point.
#include <algorithm>
#include <map>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/precision/precision.h"

namespace trtlens::checks::conv_fp32_weight_qdq_missing {

// Float weights behind a DQ of the activations.
static bool lacks_weight_quantizer(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (!is_arithmetic(c.verdict(i).role) || !layer.weights || !is_float(layer.weights->type)) {
    return false;
  }
  // Grouped and large kernels have no FP8 implementation, whatever their weights carry:
  // fp8-group-conv-no-kernel, fp8-conv-kernel-gt-32.
  constexpr std::int64_t kMaxFp8Kernel = 32;
  const bool no_fp8_kernel =
      reads_dequantized_fp8(c, i) &&
      (layer.groups.value_or(1) > 1 || kernel_elements(layer) > kMaxFp8Kernel);
  return any_of_role(c, c.graph.before(i), LayerRole::dequantize) && !no_fp8_kernel;
}

struct Parts {
  std::vector<std::size_t> layers, dequantize, behind, activations;
  std::size_t depthwise = 0;
};

static Parts parts_of(const RuleContext& c, const std::vector<std::size_t>& layers) {
  Parts parts;
  parts.layers = layers;
  for (const std::size_t i : layers) parts.depthwise += is_depthwise(c.layer(i)) ? 1 : 0;
  Fence fence = fence_of(layers, c.graph, c.analysis);
  parts.dequantize = std::move(fence.before);
  // The DQ of the network's input belongs to them as well: nothing needs it once they are INT8.
  for (const std::size_t i : layers) {
    for (const std::size_t p : c.graph.before(i)) {
      if (c.verdict(p).role == LayerRole::dequantize) parts.dequantize.push_back(p);
    }
  }
  parts.dequantize = sorted_once(std::move(parts.dequantize));
  std::ranges::set_difference(fence.after, parts.dequantize, std::back_inserter(parts.behind));
  parts.activations = fence.activations;
  return parts;
}

static std::string title_of(const Parts& parts) {
  const bool all_depthwise = parts.depthwise == parts.layers.size();
  return "The weights of " +
         count_text(parts.layers.size(), all_depthwise ? "depthwise convolution" : "layer") +
         " lack Q/DQ";
}

// What the layers take by their precision, and what stands around them, by kind.
static void show_parts(const RuleContext& c, const Parts& parts, Finding& finding) {
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (const std::size_t i : parts.layers) {
    kinds[std::string("in ") + to_string(c.verdict(i).compute)].push_back(i);
  }
  for (const auto& [kind, members] : kinds) {
    show_sum(c, members, std::to_string(members.size()) + " " + kind, finding);
  }
  const auto show = [&](const std::vector<std::size_t>& part, const char* what) {
    if (!part.empty()) show_sum(c, part, count_text(part.size(), what), finding);
  };
  std::vector<std::size_t> quantizers, reformats;
  for (const std::size_t i : parts.behind) {
    (c.verdict(i).role == LayerRole::quantize ? quantizers : reformats).push_back(i);
  }
  show(parts.dequantize, "DequantizeLinear kernel");
  show(quantizers, "QuantizeLinear kernel");
  show(reformats, "reformat");
  show(parts.activations, "unfused activation");
}

// The layer that costs most together with its own fence.
static void add_worst(const RuleContext& c, const Parts& parts, Finding& finding) {
  std::size_t worst = parts.layers[0];
  double most = -1;
  Fence of_worst;
  for (const std::size_t i : parts.layers) {
    const Fence fence = fence_of({i}, c.graph, c.analysis);
    const double sum = time_or_zero(c.layer(i)) + c.time_ms(fence.before) + c.time_ms(fence.after) +
                       c.time_ms(fence.activations);
    if (sum > most) {
      most = sum;
      worst = i;
      of_worst = fence;
    }
  }
  finding.evidence.push_back(c.measured(worst));
  for (const auto* members : {&of_worst.before, &of_worst.after, &of_worst.activations}) {
    for (const std::size_t i : *members) finding.evidence.push_back(c.measured(i));
  }
  for (const std::size_t i : parts.layers) {
    if (i != worst) finding.evidence.push_back(c.measured(i));
  }
}

// Convolutions that also add a tensor which nobody dequantizes: once their weights are INT8 they
// still write float, for the sum's other operand is.
static std::size_t float_residuals(const RuleContext& c, const std::vector<std::size_t>& layers) {
  return static_cast<std::size_t>(std::ranges::count_if(layers, [&](std::size_t i) {
    const Layer& layer = c.layer(i);
    for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
      const Places writers = c.graph.writers(layer.inputs[k].name);
      if (is_float(layer.inputs[k].type) && !any_of_role(c, writers, LayerRole::dequantize)) {
        return true;
      }
    }
    return false;
  }));
}

static void add_next_step(const RuleContext& c, const std::vector<std::size_t>& layers,
                          Finding& finding) {
  const std::size_t adds = float_residuals(c, layers);
  if (adds == 0) return;
  finding.remedies[0] =
      "Put per-channel Q/DQ on the weights of these layers, and Q/DQ on the residual " +
      std::string(adds == 1 ? "input" : "inputs") + " of the " + count_text(adds, "Add") + ".";
  finding.remedies.insert(finding.remedies.begin() + 1,
                          "Do both: with the weights alone block outputs stay float, and most of "
                          "the gain stays away.");
  if (finding.remedies.size() > kMostActions) finding.remedies.resize(kMostActions);
  if (!finding.gain) return;
  // How much of it the weights win without the residual inputs only a build tells.
  finding.gain->first_step = FirstStep{"the weights alone", 0, finding.gain->high_ms};
  finding.gain->basis += "; of both steps: the weights alone may win nothing, while the residual " +
                         std::string(adds == 1 ? "input" : "inputs") + " of " +
                         count_text(adds, "Add") + (adds == 1 ? " has" : " have") + " no Q/DQ";
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers =
      layers_where(c, [&](std::size_t i) { return lacks_weight_quantizer(c, i); });
  if (layers.empty()) return;
  const Parts parts = parts_of(c, layers);
  const std::vector<std::size_t> around = together({parts.dequantize, parts.behind});
  Finding finding = c.finding(together({layers, around, parts.activations}));
  finding.title = title_of(parts);
  show_parts(c, parts, finding);
  add_worst(c, parts, finding);
  finding.gain =
      gain_of(c.analysis, c.graph, c.reasons, {layers, around, parts.activations, 8, false});
  add_next_step(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"conv-fp32-weight-qdq-missing", Pass::cause, check};

}  // namespace trtlens::checks::conv_fp32_weight_qdq_missing
