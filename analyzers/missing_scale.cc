// Tensors reported without scale: which layers that concerns, and what it costs.
#include <algorithm>
#include <set>

#include "analyzers/ledgers.h"
#include "analyzers/precision.h"

namespace trtlens {
namespace {

bool is_fallback(const Analysis& analysis, std::size_t layer) {
  const Precision p = analysis.verdicts[layer].compute;
  return is_arithmetic(analysis.verdicts[layer].role) && width_of(p) > 8;
}

// Constants and shape arithmetic: "(Unnamed Layer* 48) [Constant]_output".
bool named_harmless(const std::string& tensor) {
  for (const char* kind : {"[Constant]", "[Shuffle]", "[Shape]", "[Gather]", "[Slice]", "[Cast]"}) {
    if (tensor.find(kind) != std::string::npos) return true;
  }
  return false;
}

// Layers that TensorRT itself says it could not make INT8 because of this tensor.
void add_rejected(const Analysis& analysis, const Graph& graph, const std::string& tensor,
                  std::set<std::size_t>& layers) {
  for (const RejectedInt8& rejected : analysis.build.rejected_int8) {
    if (rejected.tensor != tensor) continue;
    const std::size_t i = graph.find(rejected.layer);
    if (i != Graph::kNone) layers.insert(i);
  }
}

}  // namespace

void fill_missing_scales(Analysis& analysis, const Graph& graph) {
  std::set<std::size_t> counted;  // a layer's time stands with the first tensor that concerns it
  for (const MissingScale& missing : analysis.build.missing_scales) {
    MissingScaleCost cost;
    cost.tensor = missing.tensor;
    cost.pos = missing.pos;
    std::set<std::size_t> layers;
    for (const std::size_t i : graph.writers(missing.tensor)) layers.insert(i);
    for (const std::size_t i : graph.readers(missing.tensor)) {
      // A reformat between the tensor and its reader is not the reader.
      if (is_conversion(analysis.verdicts[i].role) ||
          analysis.verdicts[i].role == LayerRole::none) {
        for (const std::size_t next : graph.after(i)) layers.insert(next);
      } else {
        layers.insert(i);
      }
    }
    add_rejected(analysis, graph, missing.tensor, layers);
    std::vector<std::size_t> fallen;
    for (const std::size_t i : layers) {
      if (is_conversion(analysis.verdicts[i].role)) continue;
      cost.layers.push_back(i);
      if (is_fallback(analysis, i)) fallen.push_back(i);
    }
    cost.matters = !fallen.empty() && !named_harmless(missing.tensor);
    if (cost.matters) {
      const Fence fence = fence_of(fallen, graph, analysis);
      std::set<std::size_t> reformats(fence.before.begin(), fence.before.end());
      reformats.insert(fence.after.begin(), fence.after.end());
      cost.reformats.assign(reformats.begin(), reformats.end());
      double sum = 0;
      bool timed = false;
      for (const auto* members : {&fallen, &cost.reformats}) {
        for (const std::size_t i : *members) {
          if (!analysis.build.layers[i].time) continue;
          timed = true;
          if (counted.insert(i).second) sum += analysis.build.layers[i].time->mean_ms;
        }
      }
      if (timed) cost.time_ms = sum;
    }
    analysis.missing_scales.push_back(std::move(cost));
  }
  std::stable_sort(analysis.missing_scales.begin(), analysis.missing_scales.end(),
                   [](const MissingScaleCost& a, const MissingScaleCost& b) {
                     return a.time_ms.value_or(0) > b.time_ms.value_or(0);
                   });
}

}  // namespace trtlens
