// Names of layers in a log, as short labels of a finding.
#include <algorithm>
#include <array>
#include <set>

#include "analyzers/labels.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/text.h"

namespace trtlens::message_rules {
namespace {

// Placeholders whose value names a layer or a node.
constexpr std::array<const char*, 3> kLayerNames = {"node", "layer", "layer_name"};

// The name of a layer that consists of several nodes.
bool is_fused(const std::string& name) {
  return name.find(" + ") != std::string::npos || name.find("{ForeignNode[") != std::string::npos;
}

std::size_t words_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

// The first of them that a title of these words names, where it is fused; else "".
std::string first_name(const std::string& title, const Values& values) {
  for (const char* const name : kLayerNames) {
    const auto value = values.find(name);
    const bool is_asked = title.find(std::string("{") + name) != std::string::npos;
    if (is_asked && value != values.end() && is_fused(value->second)) return value->second;
  }
  return "";
}

// Of 12 words at most: of a layer of many nodes the first.
std::string title_of(const std::string& text, const Values& values, const std::string& layer) {
  constexpr std::size_t kTitleWords = 12;
  std::string label = name_label(layer);
  for (const bool is_first_alone : {false, true}) {
    const std::size_t first = label.find(" + ");
    if (is_first_alone && first != std::string::npos) label = label.substr(0, first) + " + …";
    Values labelled = values;
    for (const char* const name : kLayerNames) {
      const auto value = labelled.find(name);
      if (value != labelled.end() && value->second == layer) value->second = label;
    }
    std::string title = expand(text, labelled);
    if (words_in(title) <= kTitleWords || is_first_alone) return title;
  }
  return {};
}

}  // namespace

void name_layer(const std::string& title, const Values& values, Finding& finding) {
  const std::string layer = first_name(title, values);
  if (layer.empty()) return;
  finding.title = title_of(title, values, layer);
  finding.where = {name_text(name_label(layer))};
}

void place_by_messages(const Hits& hits, Finding& finding) {
  std::set<std::string> seen;
  for (const MessageHit& hit : hits) {
    for (const char* const name : kLayerNames) {
      const auto value = hit.values.find(name);
      if (value == hit.values.end() || !is_fused(value->second)) continue;
      if (seen.empty()) finding.where.clear();
      if (!seen.insert(value->second).second || finding.where.size() == kPlacesNamed) continue;
      finding.where.push_back(name_text(name_label(value->second)));
    }
  }
  if (!seen.empty()) finding.where_left_out = seen.size() - finding.where.size();
}

}  // namespace trtlens::message_rules
