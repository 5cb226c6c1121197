// Short labels of layers that ledgers know by name.
#include "report/document/layer_names.h"

#include <algorithm>
#include <numeric>

#include "analyzers/labels.h"

namespace trtlens {

NameLabels::NameLabels(const Analysis& analysis) : analysis_(analysis) {
  const Build& build = analysis.build;
  engine_.resize(build.layers.size());
  std::iota(engine_.begin(), engine_.end(), 0U);
  std::ranges::sort(engine_, {},
                    [&](std::uint32_t i) -> const std::string& { return build.layers[i].name; });
  for (const LayerTuning& layer : analysis.build_time.layers) add(layer.layer);
  for (const LayerMemory& layer : build.memory.layers) add(layer.layer);
  for (const Placement& placement : build.placements) add(placement.layer);
  for (const MyelinRace& race : build.myelin_races) add(race.region);
}

std::span<const std::uint32_t> NameLabels::layers_of(const std::string& name) const {
  const std::vector<Layer>& layers = analysis_.build.layers;
  const auto first = std::lower_bound(
      engine_.begin(), engine_.end(), name,
      [&](std::uint32_t i, const std::string& wanted) { return layers[i].name.str() < wanted; });
  const auto last = std::upper_bound(
      first, engine_.end(), name,
      [&](const std::string& wanted, std::uint32_t i) { return wanted < layers[i].name.str(); });
  return {first, last};
}

void NameLabels::add(const std::string& name) {
  if (!layers_of(name).empty()) return;
  const std::string label = name_label(name);
  const auto [known, is_new] = names_.try_emplace(label, name);
  if (!is_new && known->second != name) shared_.insert(label);
}

std::string NameLabels::of(const std::string& name) const {
  const std::span<const std::uint32_t> layers = layers_of(name);
  if (layers.size() == 1) return label_of(analysis_, layers.front());
  const std::string label = name_label(name);
  return shared_.count(label) == 0 ? label : name;
}

const NameLabels& Context::name_labels() const {
  if (!name_labels_) name_labels_ = std::make_shared<NameLabels>(analysis);
  return *name_labels_;
}

std::string label_in(const Context& context, std::size_t layer) {
  return layer < context.build.layers.size() ? label_of(context.analysis, layer) : "unknown";
}

std::string label_in(const Context& context, const std::string& name) {
  return context.name_labels().of(name);
}

std::string name_behind(const Context& context, std::size_t layer) {
  if (layer >= context.build.layers.size()) return "";
  const std::string& name = context.build.layers[layer].name;
  return label_in(context, layer) == name ? "" : name;
}

std::string name_behind(const Context& context, const std::string& name) {
  return label_in(context, name) == name ? "" : name;
}

}  // namespace trtlens
