// Lays out the block of lines that is drawn again and again.
#include "report/cli/watch/live_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

std::string cut(const std::string& text, std::size_t width) {
  return text.substr(0, fitting_bytes(text, width));
}

// A name of the input in a column of its own.
std::string cell(const std::string& name, std::size_t width) {
  std::string text = elide_middle(visible(name), width);
  text.append(width - std::min(width, display_width(text)), ' ');
  return text;
}

// "  name      12.345  rest"
std::string row(const std::string& name, const std::string& number, const std::string& rest,
                std::size_t width) {
  constexpr std::size_t kNumber = 10, kIndent = 2;
  const std::size_t left = width > kIndent + kNumber ? width - kIndent - kNumber : 0;
  const std::size_t name_width = std::min<std::size_t>(left, std::max<std::size_t>(16, left / 2));
  return fmt::format("  {}{:>10}  {}", cell(name, name_width), number, visible(rest));
}

void add_tables(const LiveState& state, std::size_t width, std::vector<std::string>& lines) {
  if (!state.slowest.empty()) {
    lines.push_back(row("Slowest layers so far", "ms", "fastest tactic", width));
    for (const LiveLayer& layer : state.slowest) {
      lines.push_back(row(layer.label, fmt::format("{:.4f}", *layer.best_ms), layer.tactic, width));
    }
  }
  if (state.longest.empty()) return;
  lines.push_back(row("Longest to time so far", "s", "tactics", width));
  for (const LiveLayer& layer : state.longest) {
    lines.push_back(row(layer.label, fmt::format("{:.0f}", layer.tuning_s),
                        std::to_string(layer.tactics), width));
  }
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
  if (low_s < 1) return fmt::format("at most {} more for the layers", duration_text(high_s + 1));
  return fmt::format("{} to {} more for the layers", duration_text(low_s),
                     duration_text(high_s + 1));
}

std::vector<std::string> screen_lines(const LiveState& state, std::size_t width,
                                      std::size_t lines) {
  std::vector<std::string> all;
  all.push_back("trtlens watch: " + stage_text(state));
  all.push_back(fmt::format("  {} since the first line, {}", duration_text(state.elapsed_s),
                            left_text(state)));
  if (state.timed + state.skipped > 0) {
    all.push_back(fmt::format("  {} tactics timed, {} skipped", state.timed, state.skipped));
  }
  if (state.is_timing && !state.now.empty()) {
    all.push_back("  now " + visible(state.now) + ", " + visible(state.runner));
  }
  add_tables(state, width, all);
  all.push_back(fmt::format(
      "  {} lines read, {}", state.lines,
      state.problems.empty() ? "no fatal or major message so far"
                             : fmt::format("{} fatal or major: see above", state.problems.size())));
  if (all.size() > lines) all.resize(std::max<std::size_t>(1, lines));
  for (std::string& line : all) line = cut(line, width);
  return all;
}

}  // namespace trtlens
