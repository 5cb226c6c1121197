// A cell shows the kind of work that has most of its time.
#include "report/formats/text/strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "report/formats/escape.h"
#include "report/formats/text/table.h"

namespace trtlens {
namespace {

// A letter for each kind of work, in the order of the legend.
constexpr std::array<std::pair<std::string_view, char>, 13> kLetters = {{{"FP32", 'F'},
                                                                         {"TF32", 'T'},
                                                                         {"FP16", 'h'},
                                                                         {"BF16", 'b'},
                                                                         {"FP8", 'e'},
                                                                         {"INT8", '8'},
                                                                         {"FP4", 'f'},
                                                                         {"INT4", '4'},
                                                                         {"mixed", 'm'},
                                                                         {"Q/DQ", 'q'},
                                                                         {"reformat", 'r'},
                                                                         {"no arithmetic", '.'},
                                                                         {"unknown", '?'}}};

char letter_of(std::string_view kind) {
  const auto* const found =
      std::ranges::find(kLetters, kind, &std::pair<std::string_view, char>::first);
  return found == kLetters.end() ? '?' : found->second;
}

// A cell of the strip: what it shows, and where in the network it is.
struct StripCell {
  char letter = ' ';
  std::string_view module;
};

// Where a cell holds several layers, the kind of work that has most time is often the same in all:
// what a kind has beyond its letters is carried to the next cell, and each gets as many as its
// time.
constexpr std::size_t kCrowded = 4;  // layers a cell

// The kind of work that has most of each cell's time, and the module of its longest part.
std::vector<StripCell> cells_of(const std::vector<StripPart>& strip, std::size_t count) {
  const double whole_ms = sum_ms(strip);
  std::vector<StripCell> cells(count);
  std::vector<std::map<char, double>> by_letter(count);
  std::vector<double> longest(count, 0);
  double begin = 0;
  for (const StripPart& part : strip) {
    const double end = begin + part.ms / whole_ms * static_cast<double>(count);
    const std::size_t last = std::min(count - 1, static_cast<std::size_t>(end));
    for (std::size_t c = std::min(last, static_cast<std::size_t>(begin)); c <= last; ++c) {
      const auto at = static_cast<double>(c);
      const double share = std::min(end, at + 1) - std::max(begin, at);
      by_letter[c][letter_of(part.kind)] += share;
      if (share <= longest[c]) continue;
      longest[c] = share;
      cells[c].module = part.module;
    }
    begin = end;
  }
  const bool is_crowded = layers_a_cell(strip, count) > 0;
  std::map<char, double> carried;
  for (std::size_t c = 0; c < count; ++c) {
    if (!is_crowded) carried.clear();
    for (const auto& [letter, share] : by_letter[c]) carried[letter] += share;
    const auto most = std::ranges::max_element(
        carried, {}, [](const std::pair<const char, double>& one) { return one.second; });
    if (most == carried.end()) continue;
    cells[c].letter = most->first;
    most->second -= 1;
  }
  return cells;
}

// Names of modules below their first cells; where they do not fit, their last parts: "3" of
// "features.3".
std::string modules_below(const std::vector<StripCell>& cells) {
  std::string row;
  std::string_view module;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    std::string name = printable(module);
    if (display_width(name) >= end - begin) name.erase(0, name.rfind('.') + 1);
    if (name.empty() || begin < row.size() || display_width(name) >= end - begin) return;
    row += std::string(begin - row.size(), ' ') + name;
  };
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].module.empty() || cells[c].module == module) continue;
    close(c);
    module = cells[c].module;
    begin = c;
  }
  close(cells.size());
  return row;
}

}  // namespace

std::size_t layers_a_cell(const std::vector<StripPart>& strip, std::size_t cells) {
  const std::size_t layers = cells == 0 ? 0 : (strip.size() + cells / 2) / cells;
  return layers < kCrowded ? 0 : layers;
}

std::vector<std::string> strip_legend(const std::string& head,
                                      const std::vector<const std::vector<StripPart>*>& strips,
                                      std::size_t width) {
  constexpr char kUnbroken = '\x1f';  // a blank in which no line is broken
  std::string legend;
  for (const auto& [kind, letter] : kLetters) {
    const bool used = std::ranges::any_of(strips, [kind = kind](const auto* strip) {
      return std::ranges::find(*strip, kind, &StripPart::kind) != strip->end();
    });
    std::string named = fmt::format("{} {}", letter, kind);
    std::ranges::replace(named, ' ', kUnbroken);
    if (used) legend += (legend.empty() ? " " : ", ") + named;
  }
  std::vector<std::string> lines = wrap(head + legend, width);
  for (std::string& line : lines) std::ranges::replace(line, kUnbroken, ' ');
  return lines;
}

StripRows strip_rows(const std::vector<StripPart>& strip, std::size_t cells) {
  const std::vector<StripCell> shown = cells_of(strip, cells);
  StripRows rows;
  for (const StripCell& cell : shown) rows.letters += cell.letter;
  rows.modules = modules_below(shown);
  return rows;
}

}  // namespace trtlens
