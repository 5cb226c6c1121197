#include "analyzers/gain.h"

#include <algorithm>
#include <set>
#include <string>

#include "analyzers/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

bool same_work(const Layer& a, const Layer& b) {
  if (a.inputs.empty() || b.inputs.empty() || a.outputs.empty() || b.outputs.empty()) return false;
  if (!a.inputs[0].has_dims || !a.outputs[0].has_dims || !a.weights || !b.weights) return false;
  return a.inputs[0].dims == b.inputs[0].dims && a.outputs[0].dims == b.outputs[0].dims &&
         a.weights->count == b.weights->count && a.kernel == b.kernel && a.stride == b.stride &&
         a.groups == b.groups;
}

struct Twins {
  double fastest_ms = 0, slowest_ms = 0;
  std::set<std::string> precisions;
};

std::optional<Twins> twins_of(const Analysis& analysis, const Graph& graph, std::size_t layer) {
  const std::vector<Layer>& layers = analysis.build.layers;
  const LayerVerdict& wide = analysis.verdicts[layer];
  std::optional<Twins> twins;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerVerdict& verdict = analysis.verdicts[i];
    const int width = width_of(verdict.compute);
    if (verdict.role != wide.role || width == 0 || width >= width_of(wide.compute)) continue;
    if (!graph.takes_part(i) || !layers[i].time || !same_work(layers[i], layers[layer])) continue;
    const double ms = layers[i].time->mean_ms;
    if (!twins) twins = Twins{ms, ms, {}};
    twins->fastest_ms = std::min(twins->fastest_ms, ms);
    twins->slowest_ms = std::max(twins->slowest_ms, ms);
    twins->precisions.insert(to_string(verdict.compute));
  }
  return twins;
}

}  // namespace

std::optional<Gain> gain_by_twins(const Analysis& analysis, const Graph& graph,
                                  const std::vector<std::size_t>& layers,
                                  const std::vector<std::size_t>& conversions) {
  if (layers.empty()) return std::nullopt;
  const double saved_ms = Fence::time_ms(analysis.build, conversions);
  Gain gain;
  gain.low_ms = gain.high_ms = saved_ms;
  double fastest_ms = 0, slowest_ms = 0;
  std::set<std::string> precisions;
  for (const std::size_t i : layers) {
    const Layer& layer = analysis.build.layers[i];
    const std::optional<Twins> twins = twins_of(analysis, graph, i);
    if (!twins || !layer.time) return std::nullopt;
    gain.low_ms += layer.time->mean_ms - twins->slowest_ms;
    gain.high_ms += layer.time->mean_ms - twins->fastest_ms;
    fastest_ms += twins->fastest_ms;
    slowest_ms += twins->slowest_ms;
    precisions.insert(twins->precisions.begin(), twins->precisions.end());
  }
  if (gain.high_ms <= 0) return std::nullopt;
  gain.low_ms = std::max(gain.low_ms, 0.0);
  std::string names;
  for (const std::string& p : precisions) names += (names.empty() ? "" : " or ") + p;
  gain.basis = "the same shapes in " + names + " elsewhere in this engine: " + ms_text(fastest_ms) +
               " to " + ms_text(slowest_ms) + " in place of these layers";
  if (saved_ms > 0) gain.basis += ", and no conversions around them";
  return gain;
}

}  // namespace trtlens
