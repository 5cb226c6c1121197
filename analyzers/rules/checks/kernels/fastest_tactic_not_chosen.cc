// The kernel that runs against the fastest one of the layer's races.
#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::fastest_tactic_not_chosen {

struct Races {
  std::optional<double> fastest_ms;
  std::optional<double> engine_ms;  // of the kernel that the engine has
  std::string fastest;              // its format combination
  SourcePos pos;
};

using RacesOf = std::unordered_map<std::string_view, Races>;

static RacesOf races_of(const Build& build) {
  std::unordered_map<std::string_view, std::uint64_t> tactics;
  for (const Layer& layer : build.layers) {
    if (layer.tactic_id) tactics.emplace(layer.name.str(), *layer.tactic_id);
  }
  RacesOf races;
  for_each_layer(build.autotuning, [&](auto first, auto last) {
    const auto tactic = tactics.find(first->layer.str());
    if (tactic == tactics.end()) return;
    // A layer none of whose races has a winner is not among them.
    first = std::find_if(first, last, [](const Autotune& race) { return race.chosen_ms; });
    if (first == last) return;
    Races& of = races[first->layer.str()];
    for (; first != last; ++first) {
      const Autotune& race = *first;
      if (!race.chosen_ms) continue;
      if (!of.fastest_ms || *race.chosen_ms < *of.fastest_ms) {
        of.fastest_ms = race.chosen_ms;
        of.fastest = race.format_combination;
        of.pos = race.pos;
      }
      if (race.chosen_id == tactic->second && (!of.engine_ms || *race.chosen_ms < *of.engine_ms)) {
        of.engine_ms = race.chosen_ms;
      }
    }
  });
  return races;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (c.analysis.build.autotuning.empty()) return;
  double chosen_ms = 0, saved_ms = 0;
  std::vector<std::pair<double, std::string_view>> layers;
  const RacesOf races = races_of(c.analysis.build);
  for (const auto& [name, of] : races) {
    if (!of.engine_ms) continue;
    chosen_ms += *of.engine_ms;
    const double saved = *of.engine_ms - *of.fastest_ms;
    if (saved <= 0) continue;
    saved_ms += saved;
    layers.emplace_back(-saved, name);
  }
  if (layers.size() < static_cast<std::size_t>(c.threshold("min_count")) || chosen_ms <= 0 ||
      saved_ms < c.threshold("min_share") * chosen_ms) {
    return;
  }
  std::ranges::sort(layers);
  Finding finding = c.finding({{"layers", count_text(layers.size(), "layer")},
                               {"run", layers.size() == 1 ? "runs" : "run"}});
  for (const auto& [negative_ms, name] : first_of(layers, 5)) {
    const Races& of = races.at(name);
    finding.evidence.push_back(c.line(of.pos, std::string(name) + ": " + ms_text(*of.engine_ms) +
                                                  " against " + ms_text(*of.fastest_ms) + " for " +
                                                  of.fastest));
  }
  finding.evidence.push_back({.note = "the fastest kernels would save " + ms_text(saved_ms) +
                                      " of " + ms_text(chosen_ms) + ", before conversions, in " +
                                      count_text(races.size(), "layer") + " with races"});
  out.push_back(std::move(finding));
}

extern const Rule rule{"fastest-tactic-not-chosen", Pass::note, check};

}  // namespace trtlens::checks::fastest_tactic_not_chosen
