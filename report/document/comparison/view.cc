// Both sides in the order of execution, and the way from one time to the other.
#include "report/document/comparison/view.h"

#include <cmath>
#include <memory>

#include "analyzers/labels.h"
#include "analyzers/text.h"
#include "report/document/comparison/groups.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kMostSteps = 6;
constexpr double kLeastStep = 0.005;  // of the base's profile time

std::vector<ShiftStep> steps_of(const Comparison& c) {
  const double base_ms = c.base.build.profile_sum_ms;
  const double candidate_ms = c.candidate.build.profile_sum_ms;
  std::vector<ShiftStep> steps = {{"base", ms_text(base_ms), 0, base_ms}};
  double at_ms = base_ms;
  const auto add = [&](const std::string& label, double delta_ms) {
    steps.push_back({label, signed_ms_text(delta_ms), at_ms, at_ms + delta_ms});
    at_ms += delta_ms;
  };
  for (const ShiftPart& part : c.parts) {
    if (steps.size() > kMostSteps || std::fabs(part.delta_ms) < kLeastStep * base_ms) break;
    add(part.text, part.delta_ms);
  }
  const double rest_ms = candidate_ms - at_ms;
  if (std::fabs(rest_ms) >= kLeastStep * base_ms) add("everything else", rest_ms);
  steps.push_back({"candidate", ms_text(candidate_ms), 0, candidate_ms});
  return steps;
}

std::vector<std::uint32_t> numbers_of(const std::vector<std::size_t>& layers) {
  return {layers.begin(), layers.end()};
}

EngineView labelled_view(const Analysis& analysis) {
  const std::shared_ptr<const Context> context = make_context(analysis, 0, nullptr);
  EngineView view = engine_view(*context);
  const LayerLabels labels(analysis.build);
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) view.label.add(labels.of(i));
  return view;
}

}  // namespace

void add_view(const Comparison& c, Document& document) {
  ComparisonView view;
  view.strips[0] = strip_of(*make_context(c.base, 0, nullptr));
  view.strips[1] = strip_of(*make_context(c.candidate, 0, nullptr));
  view.steps = steps_of(c);
  for (const bool matched : {true, false}) {
    const std::vector<const LayerGroup*> groups = groups_of(c, matched);
    if (groups.empty()) continue;
    std::vector<ComparisonView::Group>& rows = view.groups.emplace_back();
    for (const LayerGroup* group : groups) {
      rows.push_back({numbers_of(group->base), numbers_of(group->candidate)});
    }
  }
  document.comparison = std::move(view);
  document.sides = {[&c] { return labelled_view(c.base); },
                    [&c] { return labelled_view(c.candidate); }};
}

}  // namespace trtlens
