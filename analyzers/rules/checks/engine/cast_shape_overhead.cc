// Kernels that compute sizes of tensors at run time.
#include <algorithm>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::cast_shape_overhead {

static bool is_integer(DataType type) {
  return type == DataType::int32 || type == DataType::int64 || type == DataType::boolean;
}

// The counter of a loop reads what it wrote in the turn before.
static bool counts_turns(const Layer& layer) {
  return std::ranges::any_of(layer.outputs, [&](const Tensor& out) {
    return std::ranges::any_of(layer.inputs, [&](const Tensor& in) { return in.name == out.name; });
  });
}

static bool is_shape_work(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (time_or_zero(layer) == 0) return false;
  if (layer.layer_type == "shape_call") return true;
  if (layer.inputs.empty() || layer.outputs.empty() || is_conversion(c.verdict(i).role) ||
      counts_turns(layer)) {
    return false;
  }
  for (const auto* side : {&layer.inputs, &layer.outputs}) {
    for (const Tensor& t : *side) {
      if (!is_integer(t.type) || c.graph.is_network_output(t.name)) return false;
    }
  }
  return true;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (c.analysis.build.profile_sum_ms <= 0) return;
  const std::vector<std::size_t> kernels =
      unclaimed(c, layers_where(c, [&](std::size_t i) { return is_shape_work(c, i); }));
  if (kernels.empty() || !takes_share(c, kernels, c.threshold("min_share"))) return;
  Finding finding = c.finding(kernels, {{"kernels", count_text(kernels.size(), "kernel")}});
  show_layers(c, kernels, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"cast-shape-overhead", Pass::symptom, check};

}  // namespace trtlens::checks::cast_shape_overhead
