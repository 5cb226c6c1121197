// Lays out the block of lines that is drawn again and again.
#include "report/cli/watch/live_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/text/table.h"

namespace trtlens {
namespace {

std::string cut(const std::string& text, std::size_t width) {
  return text.substr(0, fitting_bytes(text, width));
}

// A name of the input in a column of its own, at the beginning of a line.
std::string cell(const std::string& name, std::size_t width) {
  std::string text = elide_middle(without_runner_commands(visible(name)), width);
  text.append(width - std::min(width, display_width(text)), ' ');
  return text;
}

// Rows "  name      12.345  rest".
class LiveTable {
 public:
  LiveTable(std::size_t width, std::vector<std::string>& lines)
      : room_(width > kIndent + kNumber + kGap ? width - kIndent - kNumber - kGap : 0),
        lines_(lines) {}

  void widen_for(const std::string& name) {
    const std::size_t most = room_ * 2 / 3;
    names_ =
        std::max(names_, std::min(most, display_width(without_runner_commands(visible(name)))));
  }
  void row(const std::string& name, const std::string& number, const std::string& rest) {
    const std::size_t left = room_ > names_ ? room_ - names_ : 0;
    lines_.push_back(fmt::format("  {}{:>10}  {}", cell(name, names_), number,
                                 elide_middle(visible(rest), left)));
  }

 private:
  static constexpr std::size_t kNumber = 10, kIndent = 2, kGap = 2;
  std::size_t room_, names_ = 0;
  std::vector<std::string>& lines_;
};

void add_tables(const LiveState& state, std::size_t width, std::vector<std::string>& lines) {
  const std::string slowest = "Slowest layers so far", longest = "Longest to time so far";
  LiveTable table(width, lines);
  table.widen_for(longest);
  for (const auto* const layers : {&state.slowest, &state.longest}) {
    for (const LiveLayer& layer : *layers) table.widen_for(layer.label);
  }
  if (!state.slowest.empty()) {
    table.row(slowest, "ms", "fastest tactic");
    for (const LiveLayer& layer : state.slowest) {
      table.row(layer.label, fmt::format("{:.4f}", *layer.best_ms), layer.tactic);
    }
  }
  if (state.longest.empty()) return;
  table.row(longest, "s", "tactics");
  for (const LiveLayer& layer : state.longest) {
    table.row(layer.label, fmt::format("{:.0f}", layer.tuning_s), std::to_string(layer.tactics));
  }
}

// An estimate to the second would be read as one. Empty: less than the least step.
std::string rounded_duration(double s, bool up) {
  constexpr double kMinute = 60, kHour = 3600;
  const double step = s < kMinute ? 5 : s < 10 * kMinute ? 10 : s < kHour ? kMinute : 10 * kMinute;
  const double steps = up ? std::max(1.0, std::ceil(s / step)) : std::floor(s / step);
  if (steps < 1) return {};
  std::string text = duration_text(steps * step);
  for (const std::string_view zero : {" 0 s", " 0 min"}) {
    if (text.ends_with(zero)) text.resize(text.size() - zero.size());
  }
  return text;
}

}  // namespace

std::string duration_text(double s) {
  const auto whole = static_cast<long long>(std::floor(std::max(0.0, s)));
  constexpr long long kMinute = 60, kHour = 3600;
  if (whole < kMinute) return fmt::format("{} s", whole);
  if (whole < kHour) return fmt::format("{} min {} s", whole / kMinute, whole % kMinute);
  return fmt::format("{} h {} min", whole / kHour, whole % kHour / kMinute);
}

std::string stage_text(const LiveState& state) {
  std::string text = state.stage;
  if (!state.is_timing || state.layer == 0) return text;
  text += fmt::format(", layer {}", state.layer);
  if (state.of_at_most) text += fmt::format(" of at most {}", *state.of_at_most);
  return text;
}

std::string left_text(const LiveState& state) {
  if (!state.left_s) return "time left unknown";
  const auto& [low_s, high_s] = *state.left_s;
  const std::string high = rounded_duration(high_s, true), low = rounded_duration(low_s, false);
  if (low == high) return fmt::format("probably about {} left", high);
  if (low.empty()) return fmt::format("probably at most {} left", high);
  return fmt::format("probably {} to {} left", low, high);
}

std::string problem_text(const LiveProblem& problem) {
  return problem.severity + ": " + problem.title;
}

std::vector<std::string> problem_lines(const LiveProblem& problem, std::size_t width) {
  const std::string indent = "  ";
  std::vector<std::string> lines = wrap("trtlens: " + visible(problem_text(problem)),
                                        width > indent.size() ? width - indent.size() : width);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = without_runner_commands((i > 0 ? indent : "") + lines[i]);
  }
  return lines;
}

std::vector<std::string> screen_lines(const LiveState& state, std::size_t width,
                                      std::size_t lines) {
  std::vector<std::string> all;
  all.push_back("trtlens watch: " + stage_text(state));
  all.push_back(fmt::format("  {} so far, {}", duration_text(state.elapsed_s), left_text(state)));
  if (state.timed + state.skipped > 0) {
    all.push_back(fmt::format("  {} tactics timed, {} skipped", state.timed, state.skipped));
  }
  if (state.is_timing && !state.now.empty()) {
    const std::string runner = ", " + visible(state.runner);
    constexpr std::size_t kNow = 6, kLeastName = 16;
    const std::size_t used = kNow + display_width(runner);
    all.push_back(
        "  now " +
        elide_middle(visible(state.now), width > used + kLeastName ? width - used : kLeastName) +
        runner);
  }
  add_tables(state, width, all);
  all.push_back(fmt::format("  {} lines read, {}", state.lines,
                            state.problems.empty()
                                ? "no problem so far"
                                : count_text(state.problems.size(), "problem") + ": see above"));
  if (all.size() > lines) all.resize(std::max<std::size_t>(1, lines));
  for (std::string& line : all) line = cut(without_runner_commands(line), width);
  return all;
}

}  // namespace trtlens
