#include <algorithm>
#include <optional>
#include <set>

#include "analyzers/graph.h"
#include "analyzers/precision.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

struct Residuals {
  std::vector<std::size_t> adds;     // INT8 convolutions that add a float residual
  std::set<std::size_t> quantizers;  // Q kernels on the float block outputs and residual inputs
  std::set<std::size_t> islands;     // float layers and their conversions upstream of a residual
};

bool narrow_compute(const RuleContext& c, std::size_t i) {
  const int width = width_of(c.verdict(i).compute);
  return is_arithmetic(c.verdict(i).role) && width > 0 && width <= 8;
}

// The float tensors that a narrow convolution adds to its result.
std::vector<const Tensor*> residual_inputs(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  std::vector<const Tensor*> residuals;
  if (!c.graph.takes_part(i) || !narrow_compute(c, i) || layer.inputs.size() < 2 ||
      layer.outputs.empty() || !is_narrow(layer.inputs[0].type) ||
      !is_float(layer.outputs[0].type)) {
    return residuals;
  }
  for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
    if (is_float(layer.inputs[k].type)) residuals.push_back(&layer.inputs[k]);
  }
  return residuals;
}

void add_quantizers(const RuleContext& c, const std::string& tensor, Residuals& found) {
  for (const std::size_t i : c.graph.readers(tensor)) {
    if (c.verdict(i).role == LayerRole::quantize) found.quantizers.insert(i);
  }
}

// Upstream of a residual tensor through pooling, activations and conversions up to the narrow
// convolution that had to write float: with INT8 on the residual these would be one kernel.
void add_island(const RuleContext& c, const std::string& tensor, Residuals& found) {
  std::vector<std::size_t> chain;
  const Places writers = c.graph.writers(tensor);
  std::vector<std::size_t> stack(writers.begin(), writers.end());
  std::set<std::size_t> seen;
  bool pools = false;
  while (!stack.empty()) {
    const std::size_t i = stack.back();
    stack.pop_back();
    if (!seen.insert(i).second) continue;
    const LayerRole role = c.verdict(i).role;
    if (narrow_compute(c, i)) {
      if (!residual_inputs(c, i).empty() || !pools) return;  // a block of its own
      chain.push_back(i);
      for (const std::size_t p : c.graph.before(i)) {
        if (!is_conversion(c.verdict(p).role)) continue;
        chain.push_back(p);
        for (const std::size_t q : c.graph.before(p)) {
          if (is_conversion(c.verdict(q).role)) chain.push_back(q);
        }
      }
      found.islands.insert(chain.begin(), chain.end());
      return;
    }
    if (role != LayerRole::pooling && role != LayerRole::pointwise && !is_conversion(role)) return;
    pools = pools || role == LayerRole::pooling;
    chain.push_back(i);
    for (const std::size_t p : c.graph.before(i)) stack.push_back(p);
  }
}

Residuals residuals_of(const RuleContext& c) {
  Residuals found;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const std::vector<const Tensor*> residuals = residual_inputs(c, i);
    if (residuals.empty()) continue;
    found.adds.push_back(i);
    for (const Tensor* t : residuals) {
      add_quantizers(c, t->name, found);
      add_island(c, t->name, found);
    }
    for (const Tensor& t : c.layer(i).outputs) add_quantizers(c, t.name, found);
  }
  return found;
}

std::string title_of(const RuleContext& c, const Residuals& found) {
  const bool one = found.adds.size() == 1;
  std::string title = std::string(one ? "The residual input of " : "The residual inputs of ") +
                      count_text(found.adds.size(), "Add") + (one ? " has" : " have") +
                      " no Q/DQ, so block outputs stay " +
                      to_string(precision_of(c.layer(found.adds[0]).outputs[0].type)) + ": " +
                      count_text(found.quantizers.size(), "extra QuantizeLinear kernel");
  if (!c.analysis.build.has_profile) return title;
  const std::vector<std::size_t> quantizers(found.quantizers.begin(), found.quantizers.end());
  title += " (" + ms_text(c.time_ms(quantizers)) + ")";
  if (!found.islands.empty()) {
    std::set<std::size_t> island = found.islands;
    // The Q behind the pool belongs to the chain that one fused kernel would replace.
    for (const std::size_t q : found.quantizers) {
      for (const std::size_t p : c.graph.before(q)) {
        if (found.islands.count(p) != 0) island.insert(q);
      }
    }
    const auto shared =
        static_cast<std::size_t>(std::count_if(island.begin(), island.end(), [&](std::size_t i) {
          return found.quantizers.count(i) != 0;
        }));
    const std::vector<std::size_t> members(island.begin(), island.end());
    title +=
        ", and convolution, activation and pool in front of them do not fuse into one INT8 "
        "kernel (" +
        ms_text(c.time_ms(members)) + " with the conversions around them";
    if (shared > 0) {
      title += ", " + std::to_string(shared) + " of the " +
               std::to_string(found.quantizers.size()) + " among them";
    }
    title += ")";
  }
  return title;
}

// The kernels in `layers` that convert the network's own inputs and outputs stay in any case.
double border_ms(const RuleContext& c, const std::set<std::size_t>& layers) {
  double sum_ms = 0;
  for (const std::size_t i : layers) {
    const Layer& layer = c.layer(i);
    const bool border =
        (!layer.inputs.empty() && c.graph.is_network_input(layer.inputs[0].name)) ||
        (!layer.outputs.empty() && c.graph.is_network_output(layer.outputs[0].name));
    if (border && is_conversion(c.verdict(i).role)) sum_ms += time_or_zero(layer);
  }
  return sum_ms;
}

// Of the bytes that the island's convolution moves now, those that the fused kernel does: its
// narrow inputs and weights, and the narrow output of the pool.
double fused_share(const RuleContext& c, std::size_t convolution,
                   const std::set<std::size_t>& island) {
  const Layer& layer = c.layer(convolution);
  std::optional<std::int64_t> pooled;  // elements
  for (const std::size_t i : island) {
    if (c.verdict(i).role != LayerRole::pooling || c.layer(i).outputs.empty()) continue;
    pooled = c.layer(i).outputs[0].elements();
  }
  const std::optional<std::int64_t> in = layer.inputs[0].bytes();
  const std::optional<std::int64_t> out = layer.outputs[0].bytes();
  if (!pooled || !in || !out || *in + *out <= 0) return 1;
  return std::min(1.0, static_cast<double>(*in + *pooled) / static_cast<double>(*in + *out));
}

std::optional<Gain> gain_of_residuals(const RuleContext& c, const Residuals& found,
                                      const std::set<std::size_t>& stake) {
  if (!c.analysis.build.has_profile) return std::nullopt;
  double now_ms = 0, fused_ms = 0;
  for (const std::size_t i : found.islands) {
    if (!narrow_compute(c, i)) continue;
    now_ms += time_or_zero(c.layer(i));
    fused_ms += time_or_zero(c.layer(i)) * fused_share(c, i, found.islands);
  }
  const double stays_ms = border_ms(c, stake);
  const double all_ms = c.time_ms(std::vector<std::size_t>(stake.begin(), stake.end()));
  Gain gain;
  gain.low_ms = all_ms - stays_ms - now_ms;
  gain.high_ms = all_ms - stays_ms - fused_ms;
  if (gain.low_ms < 0 || gain.high_ms <= 0) return std::nullopt;
  gain.basis = "none of these conversions";
  if (stays_ms > 0) gain.basis += " but the network's border (" + ms_text(stays_ms) + ")";
  if (now_ms > 0) {
    gain.basis += "; one fused INT8 kernel takes between its share of the bytes and what its " +
                  std::string("convolution takes now: ") + ms_text(fused_ms) + " to " +
                  ms_text(now_ms);
  }
  return gain;
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Residuals found = residuals_of(c);
  if (found.adds.empty() || found.quantizers.empty()) return;
  std::set<std::size_t> stake = found.quantizers;
  stake.insert(found.islands.begin(), found.islands.end());
  Finding finding = c.finding(std::vector<std::size_t>(stake.begin(), stake.end()));
  finding.title = title_of(c, found);
  finding.gain = gain_of_residuals(c, found, stake);
  for (const std::size_t i : found.islands) finding.evidence.push_back(c.measured(i));
  for (const std::size_t i : found.quantizers) {
    if (found.islands.count(i) == 0) finding.evidence.push_back(c.measured(i));
  }
  for (const std::size_t i : found.adds) {
    Evidence evidence = c.measured(i);
    evidence.note = "reads INT8 and a float residual " + residual_inputs(c, i)[0]->name +
                    ", writes " + to_string(c.layer(i).outputs[0].type);
    finding.evidence.push_back(std::move(evidence));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_residual_add_not_quantised;
const Rule rule_residual_add_not_quantised{
    {"residual-add-not-quantised",
     "qdq-placement",
     Severity::major,
     Confidence::inferred,
     "INT8 convolutions that add a floating-point residual, write float, and are quantized again.",
     "The residual input decides the type that the fused Convolution + Add writes. Without Q/DQ on "
     "it the block's output stays float: the QuantizeLinear of the next block becomes a kernel of "
     "its own, the output costs two to four times the bandwidth, and a pool in front of the first "
     "block no longer fuses with its convolution.",
     {"Add Q/DQ on the residual input of each Add (pytorch-quantization: a residual_quantizer on "
      "the identity branch), the output of a MaxPool that feeds one included; one scale for all "
      "readers of that tensor.",
      "Do not also quantize the output of the convolution in front of the Add.",
      "Where INT8 is not worth it: strip all Q/DQ and build with --fp16."},
     "Quantize one block's residual, rebuild, and compare: trtlens compare BEFORE AFTER",
     "First and last blocks are sometimes left float for accuracy.",
     {"https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html#qdq-placement-recs",
      "https://github.com/NVIDIA/TensorRT/blob/release/10.0/tools/pytorch-quantization/docs/source/"
      "tutorials/quant_resnet50.rst"},
     {},
     "8.0 and later",
     {}},
    Pass::cause,
    check};

}  // namespace trtlens
