// Narrow weights with wide arithmetic, which is what weight-only quantization means.
#include "analyzers/graph/neighbours.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::checks::woq_compute_high_precision {

// The type of the weights when the layer multiplies wider than they are; else unknown.
static DataType widened_weights(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  const int width = width_of(c.verdict(i).compute);
  if (!is_arithmetic(c.verdict(i).role) || layer.inputs.empty() ||
      !is_float(layer.inputs[0].type) || width <= 8) {
    return DataType::unknown;
  }
  if (layer.weights && is_narrow(layer.weights->type)) return layer.weights->type;
  for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
    if (is_narrow(layer.inputs[k].type)) return layer.inputs[k].type;
  }
  return DataType::unknown;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers =
      layers_where(c, [&](std::size_t i) { return widened_weights(c, i) != DataType::unknown; });
  if (layers.empty()) return;
  Finding finding = c.finding({{"layers", count_text(layers.size(), "layer")},
                               {"weights", to_string(widened_weights(c, layers.back()))},
                               {"compute", layers.size() == 1 ? "computes" : "compute"},
                               {"precision", to_string(c.verdict(layers[0]).compute)}});
  show_layers(c, layers, finding);
  finding.next_check =
      "Build the model as it was before its weights were quantized, and compare: " +
      rebuild_command(c.analysis.build, "FP16_WEIGHTS.onnx") + "; `trtlens compare BEFORE AFTER`." +
      lacking_text("build at hand", c.analysis.build);
  out.push_back(std::move(finding));
}

extern const Rule rule{"woq-compute-high-precision", Pass::note, check};

}  // namespace trtlens::checks::woq_compute_high_precision
