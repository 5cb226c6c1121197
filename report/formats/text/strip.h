// The order of execution as a row of letters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/document/screen.h"

namespace trtlens {

// What the letters of these strips mean: " 8 INT8, r reformat".
[[nodiscard]] std::string strip_legend(const std::vector<const std::vector<StripPart>*>& strips);
// A letter for each kind of work, as many as `cells`; the modules below their first cells.
struct StripRows {
  std::string letters, modules;
};
[[nodiscard]] StripRows strip_rows(const std::vector<StripPart>& strip, std::size_t cells);

}  // namespace trtlens
