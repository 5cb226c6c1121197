// Tensors reported without scale: which layers that concerns, and what it costs.
#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

bool is_fallback(const Analysis& analysis, std::size_t layer) {
  const Precision p = analysis.verdicts[layer].compute;
  return is_arithmetic(analysis.verdicts[layer].role) && width_of(p) > 8;
}

// Layers that TensorRT itself says it could not make INT8, by the tensor that it names.
using Rejected = std::unordered_map<std::string_view, std::vector<std::size_t>>;

Rejected rejected_layers(const Build& build, const Graph& graph) {
  Rejected rejected;
  for (const RejectedInt8& said : build.rejected_int8) {
    const std::size_t i = graph.find(said.layer);
    if (i != Graph::kNone) rejected[said.tensor].push_back(i);
  }
  return rejected;
}

std::set<std::size_t> layers_of(const Analysis& analysis, const Graph& graph,
                                const Rejected& rejected, const std::string& tensor) {
  std::set<std::size_t> layers = layers_at(analysis, graph, tensor);
  const auto said = rejected.find(tensor);
  if (said != rejected.end()) layers.insert(said->second.begin(), said->second.end());
  return layers;
}

// `counted`: layers whose time stands with an earlier tensor.
void add_cost(const Analysis& analysis, const Graph& graph, const std::vector<std::size_t>& fallen,
              std::set<std::size_t>& counted, MissingScaleCost& cost) {
  const Fence fence = fence_of(fallen, graph, analysis);
  std::set<std::size_t> reformats(fence.before.begin(), fence.before.end());
  reformats.insert(fence.after.begin(), fence.after.end());
  cost.reformats.assign(reformats.begin(), reformats.end());
  double sum = 0;
  bool timed = false;
  for (const auto* members : {&fallen, &std::as_const(cost.reformats)}) {
    for (const std::size_t i : *members) {
      if (!analysis.build.layers[i].time) continue;
      timed = true;
      if (counted.insert(i).second) sum += analysis.build.layers[i].time->mean_ms;
    }
  }
  if (timed) cost.time_ms = sum;
}

}  // namespace

bool needs_no_scale(const std::string& tensor) {
  return has_word(tensor, {"[Constant]", "[Shuffle]", "[Shape]", "[Gather]", "[Slice]", "[Cast]"});
}

void fill_missing_scales(Analysis& analysis, const Graph& graph) {
  const Rejected rejected = rejected_layers(analysis.build, graph);
  std::set<std::size_t> counted;
  const bool knows_layers = analysis.build.knows_layers();
  // A log may name a million tensors: no room to spare for growth, none for sorting what is sorted.
  analysis.missing_scales.reserve(analysis.build.missing_scales.size());
  for (const MissingScale& missing : analysis.build.missing_scales) {
    MissingScaleCost cost;
    cost.tensor = missing.tensor;
    cost.pos = missing.pos;
    std::vector<std::size_t> fallen;
    for (const std::size_t i : layers_of(analysis, graph, rejected, missing.tensor)) {
      if (is_conversion(analysis.verdicts[i].role)) continue;
      cost.layers.push_back(i);
      if (is_fallback(analysis, i)) fallen.push_back(i);
    }
    const bool harmless = needs_no_scale(missing.tensor);
    if (knows_layers || harmless) cost.matters = !fallen.empty() && !harmless;
    if (cost.matters.value_or(false)) add_cost(analysis, graph, fallen, counted, cost);
    analysis.missing_scales.push_back(std::move(cost));
  }
  const auto costs_more = [](const MissingScaleCost& a, const MissingScaleCost& b) {
    return a.time_ms.value_or(0) > b.time_ms.value_or(0);
  };
  std::vector<MissingScaleCost>& costs = analysis.missing_scales;
  if (std::is_sorted(costs.begin(), costs.end(), costs_more)) return;
  std::ranges::stable_sort(costs, costs_more);
}

}  // namespace trtlens
