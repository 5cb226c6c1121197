// Layers on DLA or GPU, and layers on several streams.
#include <algorithm>
#include <map>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/ledgers.h"

namespace trtlens {

bool is_on_dla(const Layer& layer) {
  return layer.layer_type == "DLA" || layer.layer_type.str().rfind("Dla", 0) == 0;
}

namespace {

// The engine says which layers run on DLA where it names their implementation.
void count_layers(const Analysis& analysis, PlacementLedger& out) {
  const std::vector<Layer>& layers = analysis.build.layers;
  if (std::ranges::none_of(layers, is_on_dla)) return;
  std::optional<bool> last;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerRole role = analysis.verdicts[i].role;
    if (role == LayerRole::none || is_conversion(role)) continue;
    const bool dla = is_on_dla(layers[i]);
    ++(dla ? out.dla_layers : out.gpu_layers);
    (dla ? out.dla_ms : out.gpu_ms) += time_or_zero(layers[i]);
    if (last && *last != dla) ++out.transitions;
    last = dla;
  }
}

// The builder's lists: what is on DLA in groups, one "{ForeignNode[first...last]}" each.
void count_lists(const Build& build, PlacementLedger& out) {
  for (const Placement& placement : build.placements) {
    ++(placement.on_dla ? out.dla_layers : out.gpu_layers);
  }
  out.of_log = !build.placements.empty();
}

}  // namespace

void fill_placement(Analysis& analysis) {
  PlacementLedger& out = analysis.placement;
  count_layers(analysis, out);
  if (out.dla_layers == 0) {
    out = PlacementLedger();
    count_lists(analysis.build, out);
  }
  std::map<int, StreamTime> streams;
  for (const Layer& layer : analysis.build.layers) {
    if (!layer.stream_id || !layer.time) continue;
    StreamTime& row = streams[*layer.stream_id];
    row.stream = *layer.stream_id;
    ++row.layers;
    row.time_ms += layer.time->mean_ms;
  }
  if (streams.size() > 1) {
    for (const auto& [id, row] : streams) out.streams.push_back(row);
  }
  out.worker_streams = analysis.build.inference.worker_streams;
}

}  // namespace trtlens
