// INT8 convolutions with many channels whose input is linear.
#include "analyzers/graph/neighbours.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::int8_not_vectorised_format {
namespace {

bool reads_linear(const RuleContext& c, std::size_t i) {
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

void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers =
      unclaimed(c, layers_where(c, [&](std::size_t i) { return reads_linear(c, i); }));
  if (layers.empty()) return;
  Finding finding = c.finding(layers);
  finding.title = count_text(layers.size(), "INT8 layer") +
                  (layers.size() == 1 ? " reads" : " read") + " a tensor that is not vectorized" +
                  cost_text(c, layers);
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"int8-not-vectorised-format",
     "reformat-overhead",
     Severity::moderate,
     Confidence::inferred,
     "INT8 convolutions that read a linear INT8 tensor.",
     "The INT8 tensor cores read 4, 16 or 32 channels side by side. From a linear tensor, which "
     "a border format, a plugin or a few channels can force, only slower kernels read.",
     {"Allow a vectorized layout at the border (--inputIOFormats=int8:chw32, int8:chw4, "
      "int8:hwc16) or in the plugin in front.",
      "Pad the channels to a multiple of 4 (better 32).",
      "Quantize behind the first convolution when its input has three channels."},
     "trtexec --onnx=MODEL --int8 --fp16 --verbose 2>&1 | grep \"Autotuning format combination: "
     "Int8\" shows the layouts that were tried",
     "The first layer of a network, of three or four channels, and the fused convolution, "
     "activation and pooling read linear tensors by design.",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.0/tools/experimental/trt-engine-explorer/"
      "trex/activations.py"},
     {{"min_channels", 5, "count", "of input channels from which on it is reported"}},
     "",
     "none: in engines 4, 5, 52 linear only in front of ConvActPool"},
    Pass::placement,
    check};

}  // namespace trtlens::checks::int8_not_vectorised_format
