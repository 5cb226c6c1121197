// The order of execution as a row of letters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/document/screen.h"

namespace trtlens {

// `head`, then what the letters of these strips mean: "8 INT8, r reformat"; as lines.
[[nodiscard]] std::vector<std::string> strip_legend(
    const std::string& head, const std::vector<const std::vector<StripPart>*>& strips,
    std::size_t width);
// Where cells hold so many layers that a letter cannot stand for most of a cell's time: how many.
// Letters are then as many as their kind has time. 0: few.
[[nodiscard]] std::size_t layers_a_cell(const std::vector<StripPart>& strip, std::size_t cells);
// A letter for each kind of work, as many as `cells`; the modules below their first cells.
struct StripRows {
  std::string letters, modules;
};
[[nodiscard]] StripRows strip_rows(const std::vector<StripPart>& strip, std::size_t cells);

}  // namespace trtlens
