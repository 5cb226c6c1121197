// Short labels of layers that ledgers know by name.
#include "report/document/layer_names.h"

#include <limits>

#include "analyzers/labels.h"

namespace trtlens {
namespace {

constexpr std::size_t kSeveral = std::numeric_limits<std::size_t>::max();

}  // namespace

NameLabels::NameLabels(const Analysis& analysis) : analysis_(analysis) {
  const Build& build = analysis.build;
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const auto [known, is_new] = engine_.try_emplace(build.layers[i].name.str(), i);
    if (!is_new) known->second = kSeveral;
  }
  for (const LayerTuning& layer : analysis.build_time.layers) add(layer.layer);
  for (const LayerMemory& layer : build.memory.layers) add(layer.layer);
  for (const Placement& placement : build.placements) add(placement.layer);
  for (const MyelinRace& race : build.myelin_races) add(race.region);
}

void NameLabels::add(const std::string& name) {
  if (engine_.count(name) != 0) return;
  const std::string label = name_label(name);
  const auto [known, is_new] = names_.try_emplace(label, name);
  if (!is_new && known->second != name) shared_.insert(label);
}

std::string NameLabels::of(const std::string& name) const {
  const auto found = engine_.find(name);
  if (found != engine_.end() && found->second != kSeveral) {
    return label_of(analysis_, found->second);
  }
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
