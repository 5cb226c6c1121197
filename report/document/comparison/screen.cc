// The first screen of a comparison: figures, what differs, and the layers that changed.
#include "report/document/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "analyzers/labels.h"
#include "analyzers/text.h"
#include "report/document/comparison/comparison.h"
#include "report/document/comparison/groups.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kShiftsShown = 6;

std::string change_text(const std::optional<double>& base, const std::optional<double>& candidate) {
  if (!base || !candidate || *base <= 0) return "";
  return signed_share_text(*candidate / *base - 1);
}

void add_time(const char* name, const std::optional<double>& base,
              const std::optional<double>& candidate, std::vector<ScreenFigure>& out) {
  out.push_back({name, ms_text(base), ms_text(candidate), change_text(base, candidate)});
}

std::vector<ScreenFigure> figures_of(const Comparison& c) {
  std::vector<ScreenFigure> figures;
  const bool profiles = c.base.build.has_profile && c.candidate.build.has_profile;
  if (c.engine.metric != "profile_sum_ms") {
    add_time("GPU compute per query", c.engine.base_ms, c.engine.candidate_ms, figures);
  }
  if (!profiles) return figures;
  add_time("Sum of the layers (profile)", c.base.build.profile_sum_ms,
           c.candidate.build.profile_sum_ms, figures);
  using Counts = std::array<std::size_t, 2>;
  for (const auto& [name, counts] : {std::pair<const char*, const Counts*>{"Kernels", &c.launches},
                                     {"Reformats among them", &c.reformats},
                                     {"Q/DQ kernels among them", &c.qdq_kernels}}) {
    const auto [base, candidate] = *counts;
    if (base + candidate == 0) continue;
    const std::string change =
        fmt::format("{:+}", static_cast<long long>(candidate) - static_cast<long long>(base));
    figures.push_back({name, std::to_string(base), std::to_string(candidate), change});
  }
  return figures;
}

std::string differences_text(const Comparison& c) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> all;
  for (const Difference& d : c.differences) {
    if (!d.matters) continue;
    all.push_back(d.name + ": " + d.base.value_or("–") + " → " + d.candidate.value_or("–"));
  }
  const std::size_t more = all.size() > kShown ? all.size() - kShown : 0;
  all.resize(all.size() - more);
  return join(all, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "");
}

bool has_verdict(const LayerGroup& group) {
  return group.verdict == Verdict::regressed || group.verdict == Verdict::improved;
}

// What moved; where a group has a verdict, those that have none may be noise.
std::vector<const LayerGroup*> moved_groups(const Comparison& c) {
  std::vector<const LayerGroup*> moved;
  for (const LayerGroup& group : c.groups) {
    const bool has_layers = !group.base.empty() || !group.candidate.empty();
    if (group.delta_ms != 0 && has_layers) moved.push_back(&group);
  }
  std::stable_partition(moved.begin(), moved.end(),
                        [](const LayerGroup* group) { return has_verdict(*group); });
  return moved;
}

// A name behind labels: which side has it, where only one has.
std::string side_note(const LayerGroup& group) {
  if (group.base.empty()) return "only in the candidate";
  return group.candidate.empty() ? "only in the base" : "";
}

// Without the unit, which stands above.
std::string ms_change_text(double ms) {
  const std::string text = signed_ms_text(ms);
  return text.substr(0, text.find(' '));
}

void add_shifts(const Comparison& c, std::size_t most, ComparisonScreen& screen) {
  std::vector<const LayerGroup*> moved = moved_groups(c);
  screen.more_shifts = moved.size() > most ? moved.size() - most : 0;
  moved.resize(moved.size() - screen.more_shifts);
  for (const LayerGroup* group : moved) {
    const Build& build = group->base.empty() ? c.candidate.build : c.base.build;
    std::vector<std::string> why = group->why;
    std::erase_if(why, [](const std::string& one) { return one.starts_with("precision changed"); });
    const std::string note = side_note(*group);
    if (!note.empty()) why.insert(why.begin(), note);
    screen.shifts.push_back({LayerLabels(build).of(lead_layer(c, *group)),
                             ms_change_text(group->delta_ms),
                             group->base.empty() ? "–" : ms_number(group->base_ms),
                             group->candidate.empty() ? "–" : ms_number(group->candidate_ms),
                             precision_text(*group), join(why, "; ")});
  }
}

}  // namespace

ComparisonScreen screen_of(const Comparison& c, int top) {
  ComparisonScreen screen;
  const Heading heading = heading_of(c);
  screen.title = heading.title;
  screen.verdict = heading.verdict;
  screen.differences = differences_text(c);
  if (c.refused) return screen;  // figures side by side would be a comparison
  screen.cause = c.cause;
  screen.figures = figures_of(c);
  add_shifts(c, top > 0 ? std::min<std::size_t>(kShiftsShown, top) : kShiftsShown, screen);
  return screen;
}

}  // namespace trtlens
