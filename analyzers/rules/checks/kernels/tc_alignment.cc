// Channels that are no multiple of what tensor cores take at a time.
#include <set>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::tc_alignment {

static std::int64_t multiple_of(const RuleContext& c, std::size_t i) {
  switch (c.verdict(i).compute) {
    case Precision::fp16:
    case Precision::bf16:
      return 8;
    case Precision::int8:
      return has_word(c.layer(i).inputs[0].format.str(), {"Thirty-two"}) ? 32 : 16;
    case Precision::fp8:
      return 16;
    default:
      return 1;
  }
}

static std::int64_t padded(std::int64_t channels, std::int64_t multiple) {
  return (channels + multiple - 1) / multiple * multiple;
}

// Merged convolutions write more than the tensor of one of them has.
static std::int64_t channels_to(const Layer& layer) {
  constexpr std::int64_t kMax = std::int64_t{1} << 30U;  // hostile numbers are no channels
  const std::int64_t maps = layer.out_maps.value_or(0);
  return maps > 0 && maps <= kMax ? maps : channels_of(layer.outputs[0]);
}

// Share of the multiplications that are made with zeros; 0 when nothing is padded or known.
static double padding_of(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (layer.inputs.empty() || layer.outputs.empty() || layer.groups.value_or(1) != 1 ||
      avoids_tensor_cores(layer.tactic_name)) {
    return 0;  // another unit, which packs 4 channels at most
  }
  const std::int64_t in = channels_of(layer.inputs[0]);
  const std::int64_t to = channels_to(layer);
  if (in < static_cast<std::int64_t>(c.threshold("min_channels")) || to <= 0) return 0;
  const std::int64_t multiple = multiple_of(c, i);
  return 1 - static_cast<double>(in) * static_cast<double>(to) /
                 (static_cast<double>(padded(in, multiple)) *
                  static_cast<double>(padded(to, multiple)));
}

// Layers whose bytes take longer than their arithmetic, padding and all: padding costs them
// nothing.
static std::set<std::size_t> held_by_memory(const RuleContext& c) {
  std::set<std::size_t> layers;
  for (const LayerRoof& roof : c.analysis.roofline.layers) {
    if (roof.compute_ms <= roof.memory_ms * (1 - padding_of(c, roof.layer))) {
      layers.insert(roof.layer);
    }
  }
  return layers;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::set<std::size_t> by_memory = held_by_memory(c);
  const std::vector<std::size_t> layers = unclaimed(
      c, layers_where(c, [&](std::size_t i) {
        const LayerRole role = c.verdict(i).role;
        const bool convolves = role == LayerRole::convolution || role == LayerRole::deconvolution;
        return convolves && padding_of(c, i) >= c.threshold("min_padding") &&
               takes_share(c, {i}, c.threshold("min_layer_share")) && by_memory.count(i) == 0 &&
               // What only the outputs read has the channels that the task asks for.
               !ends_network(c, i);
      }));
  if (layers.empty()) return;
  Finding finding = c.finding(layers, {{"convolutions", count_text(layers.size(), "convolution")},
                                       {"have", layers.size() == 1 ? "has" : "have"}});
  if (finding.severity > Severity::moderate) finding.severity = Severity::moderate;
  show_layers(c, layers, finding, [&](std::size_t i) {
    return std::to_string(channels_of(c.layer(i).inputs[0])) + " channels to " +
           std::to_string(channels_to(c.layer(i))) + " in " + to_string(c.verdict(i).compute) +
           ": " + share_text(padding_of(c, i)) + " of the multiplications are padding";
  });
  out.push_back(std::move(finding));
}

extern const Rule rule{"tc-alignment", Pass::symptom, check};

}  // namespace trtlens::checks::tc_alignment
