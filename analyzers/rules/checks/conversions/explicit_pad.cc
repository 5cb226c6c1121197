// Paddings that did not fold into the convolution or pooling behind them.
#include <algorithm>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::explicit_pad {

static bool grows(const Tensor& from, const Tensor& to) {
  const auto before = from.elements(), after = to.elements();
  return from.dims.size() == to.dims.size() && before && after && *after > *before;
}

// A kernel of its own that writes its only input with a border: TensorRT calls it Padding or, from
// 8.x on, Slice, which other than a slice of a tensor makes it larger.
static bool is_pad(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (c.verdict(i).role != LayerRole::shuffle || time_or_zero(layer) <= 0 || layer.inputs.empty() ||
      layer.outputs.size() != 1) {
    return false;
  }
  const bool is_named = layer.parameter_type == "Padding" || layer.layer_type == "Padding" ||
                        layer.parameter_type == "Slice" || layer.layer_type == "Slice";
  return is_named && grows(layer.inputs[0], layer.outputs[0]);
}

// A transposition: one tensor of as many elements.
static bool only_moves(const Layer& layer) {
  return layer.inputs.size() == 1 && layer.outputs.size() == 1 && layer.inputs[0].elements() &&
         layer.inputs[0].elements() == layer.outputs[0].elements();
}

// Convolutions and poolings pad by themselves; what a network of another layout feeds them with is
// transposed first.
static bool could_take_pad(const RuleContext& c, std::size_t i, bool may_be_moved) {
  const Walk behind = walk(c, i, Direction::forward, is_conversion);
  return !behind.ends.empty() && std::ranges::all_of(behind.ends, [&](std::size_t end) {
    const LayerRole role = c.verdict(end).role;
    if (role == LayerRole::convolution || role == LayerRole::pooling) return true;
    return may_be_moved && role == LayerRole::shuffle && only_moves(c.layer(end)) &&
           could_take_pad(c, end, false);
  });
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers = unclaimed(
      c,
      layers_where(c, [&](std::size_t i) { return is_pad(c, i) && could_take_pad(c, i, true); }));
  // Without a profile nothing says that it matters.
  if (layers.empty() || c.analysis.build.profile_sum_ms <= 0 ||
      !takes_share(c, layers, c.threshold("min_share"))) {
    return;
  }
  Finding finding = c.finding(layers, {{"pads", count_text(layers.size(), "Pad")},
                                       {"run", layers.size() == 1 ? "runs" : "run"}});
  finding.severity = Severity::moderate;  // whatever it takes, computing starts behind it
  Gain gain;
  gain.high_ms = c.time_ms(layers);
  gain.basis = "the time of the padding kernels, at most";
  finding.gain = gain;
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"explicit-pad", Pass::placement, check};

}  // namespace trtlens::checks::explicit_pad
