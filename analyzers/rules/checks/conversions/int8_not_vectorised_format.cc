// INT8 convolutions with many channels whose input is linear.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::int8_not_vectorised_format {

static bool reads_linear(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (c.verdict(i).compute != Precision::int8 || !is_arithmetic(c.verdict(i).role) ||
      layer.inputs.empty()) {
    return false;
  }
  const Tensor& input = layer.inputs[0];
  return input.type == DataType::int8 && has_word(input.format.str(), {"Row major"}) &&
         !has_word(input.format.str(), {"vectorized"}) &&
         !has_word(layer.layer_type.str(), {"ConvActPool"}) &&
         channels_of(input) >= static_cast<std::int64_t>(c.threshold("min_channels"));
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers =
      unclaimed(c, layers_where(c, [&](std::size_t i) { return reads_linear(c, i); }));
  if (layers.empty()) return;
  Finding finding = c.finding(layers, {{"layers", count_text(layers.size(), "INT8 layer")},
                                       {"read", layers.size() == 1 ? "reads" : "read"}});
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"int8-not-vectorised-format", Pass::placement, check};

}  // namespace trtlens::checks::int8_not_vectorised_format
