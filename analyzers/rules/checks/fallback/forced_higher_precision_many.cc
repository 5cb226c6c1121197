// Layers that the command itself holds at a wide type.
#include <set>
#include <string_view>
#include <unordered_set>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::forced_higher_precision_many {

// Layers of which a node is named by "Set layer X to precision fp32" or "Set output 0 of layer X to
// type fp32".
static std::vector<std::size_t> forced_layers(const RuleContext& c) {
  std::unordered_set<std::string_view> names;
  for (const LayerNote& note : c.analysis.build.forced_precision) {
    if (has_word(note.text, {"fp32"})) names.insert(note.layer);
  }
  std::vector<std::size_t> layers;
  if (names.empty()) return layers;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || is_conversion(c.verdict(i).role)) continue;
    bool named = names.count(layer.name.str()) != 0;
    for (const SharedText& node : layer.onnx_nodes) named = named || names.count(node.str()) != 0;
    if (named && c.verdict(i).compute != Precision::none) layers.push_back(i);
  }
  return layers;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!c.analysis.build.has_profile) return;
  const std::vector<std::size_t> layers = forced_layers(c);
  if (layers.size() < static_cast<std::size_t>(c.threshold("min_count")) ||
      !takes_share(c, layers, c.threshold("min_share"))) {
    return;
  }
  const Fence fence = fence_of(layers, c.graph, c.analysis);
  const std::vector<std::size_t> around = together({fence.before, fence.after});
  const std::vector<std::size_t> all = unclaimed(c, together({layers, around}));
  Finding finding = c.finding(all, {{"layers", count_text(layers.size(), "layer")}});
  finding.gain = gain_of(c.analysis, c.graph, c.reasons, {layers, around, {}, 16, false});
  const std::vector<LayerNote>& notes = c.analysis.build.forced_precision;
  if (!notes.empty()) {
    finding.evidence.push_back(
        c.line(notes.front().pos, notes.front().layer + ": " + notes.front().text));
  }
  if (!around.empty()) show_sum(c, around, "the conversions around them", finding);
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"forced-higher-precision-many", Pass::cause, check};

}  // namespace trtlens::checks::forced_higher_precision_many
