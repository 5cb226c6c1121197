// Charts as a gnuplot script: constant commands, numbers, and labels in data blocks only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/document/document.h"

namespace trtlens {

inline constexpr std::size_t kMostBars = 40;  // more make the file large and the bars thin
inline constexpr std::size_t kMostPoints = 2000;

// A label as one quoted field of a data block. gnuplot runs what stands between backquotes in a
// double-quoted string and what follows a line feed, so neither can occur; nor can a backslash.
[[nodiscard]] std::string gnuplot_label(std::string_view text, std::size_t width);

struct ChartSize {
  int width = 0, height = 0;
};
[[nodiscard]] ChartSize chart_size(const Chart& chart);

enum class PictureKind : std::uint8_t { svg, png };

// Draws every chart as a picture of its own on standard output, one after the other.
[[nodiscard]] std::string gnuplot_script(const std::vector<const Chart*>& charts,
                                         PictureKind kind = PictureKind::svg);

}  // namespace trtlens
