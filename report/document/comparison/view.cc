// Both sides in the order of execution, and the way from one time to the other.
#include "report/document/comparison/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "analyzers/text.h"
#include "report/document/comparison/groups.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kMostSteps = 6;
constexpr double kLeastStep = 0.005;  // of the base's profile time

std::vector<std::uint32_t> numbers_of(const std::vector<std::size_t>& layers) {
  return {layers.begin(), layers.end()};
}

// The layers of the parts from `first` up to `last`.
LayersOfSides layers_of(const std::vector<ShiftPart>& parts, std::size_t first, std::size_t last) {
  std::array<std::vector<std::size_t>, 2> layers;
  for (std::size_t k = first; k < last; ++k) {
    for (const std::size_t side : {0U, 1U}) {
      const std::vector<std::size_t>& more = parts[k].layers.at(side);
      layers.at(side).insert(layers.at(side).end(), more.begin(), more.end());
    }
  }
  for (std::vector<std::size_t>& of : layers) std::ranges::sort(of);
  return {numbers_of(layers[0]), numbers_of(layers[1])};
}

std::vector<ShiftStep> steps_of(const Comparison& c) {
  const double base_ms = c.base.build.profile_sum_ms;
  const double candidate_ms = c.candidate.build.profile_sum_ms;
  std::vector<ShiftStep> steps = {{"base", ms_text(base_ms), 0, base_ms}};
  double at_ms = base_ms;
  const auto add = [&](const std::string& label, double delta_ms, LayersOfSides layers) {
    steps.push_back({label, signed_ms_text(delta_ms), at_ms, at_ms + delta_ms, std::move(layers)});
    at_ms += delta_ms;
  };
  std::size_t k = 0;
  for (; k < c.parts.size() && k < kMostSteps; ++k) {
    const ShiftPart& part = c.parts[k];
    if (std::fabs(part.delta_ms) < kLeastStep * base_ms) break;
    add(part.text, part.delta_ms, layers_of(c.parts, k, k + 1));
  }
  const double rest_ms = candidate_ms - at_ms;
  if (std::fabs(rest_ms) >= kLeastStep * base_ms) {
    add("everything else", rest_ms, layers_of(c.parts, k, c.parts.size()));
  }
  steps.push_back({"candidate", ms_text(candidate_ms), 0, candidate_ms});
  return steps;
}

EngineView labelled_view(const Analysis& analysis) {
  const std::shared_ptr<const Context> context = make_context(analysis, 0, nullptr);
  EngineView view = engine_view(*context);
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i)
    view.label.add(label_of(analysis, i));
  return view;
}

Chart way_chart(const std::vector<ShiftStep>& steps) {
  Chart chart;
  chart.kind = ChartKind::way;
  chart.title = "Profile time, from the base to the candidate";
  chart.has_table = chart.has_view = true;
  std::vector<std::string> texts;
  for (const ShiftStep& step : steps) {
    chart.bars.push_back({step.label, step.to_ms - step.from_ms, step.text, 0, "", step.from_ms});
    texts.push_back(step.label + " " + step.text);
  }
  chart.alt = "Bars: " + join(texts, ", ") + ".";
  return chart;
}

Chart strips_chart(const ComparisonView& view) {
  const std::array<std::vector<StripPart>, 2>& strips = view.strips;
  Chart chart;
  chart.kind = ChartKind::strips;
  chart.title = "Layers of both sides in the order of execution";
  chart.x_label = "ms of profile time";
  chart.has_table = chart.has_view = true;
  const double whole_ms = std::max(sum_ms(strips[0]), sum_ms(strips[1]));
  std::vector<std::string> texts;
  for (const std::size_t side : {0U, 1U}) {
    const std::string label = side == 0 ? "Base" : "Candidate";
    double at_ms = 0;
    for (const StripPart& part : drawn_parts(strips.at(side), whole_ms)) {
      chart.bars.push_back({label, part.ms, "", 0, part.kind, at_ms});
      at_ms += part.ms;
    }
    std::vector<std::string> kinds;
    for (const KindShare& one : view.kinds.at(side)) {
      kinds.push_back(one.kind + " " + share_text(one.share));
    }
    texts.push_back(label + ": " + join(kinds, ", "));
  }
  chart.alt = join(texts, ". ") + ".";
  return chart;
}

void add_charts(const ComparisonView& view, Document& document) {
  const auto engine = std::ranges::find(document.sections, "engine", &Section::id);
  if (engine == document.sections.end()) return;
  if (!view.steps.empty()) engine->add(way_chart(view.steps));
  if (sum_ms(view.strips[0]) > 0 && sum_ms(view.strips[1]) > 0) {
    engine->add(strips_chart(view));
  }
}

}  // namespace

void add_view(const Comparison& c, Document& document) {
  ComparisonView view;
  for (const std::size_t side : {0U, 1U}) {
    const std::shared_ptr<const Context> context =
        make_context(side == 0 ? c.base : c.candidate, 0, nullptr);
    view.strips.at(side) = strip_of(*context);
    view.kinds.at(side) = kinds_of(*context);
  }
  view.steps = steps_of(c);
  for (const bool matched : {true, false}) {
    const std::vector<const LayerGroup*> groups = groups_of(c, matched);
    if (groups.empty()) continue;
    std::vector<LayersOfSides>& rows = view.groups.emplace_back();
    for (const LayerGroup* group : groups) {
      rows.push_back({numbers_of(group->base), numbers_of(group->candidate)});
    }
  }
  add_charts(view, document);
  document.comparison = std::move(view);
  document.sides = {[&c] { return labelled_view(c.base); },
                    [&c] { return labelled_view(c.candidate); }};
}

}  // namespace trtlens
