// --plots: the charts of a report as pictures in a folder, for Markdown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/document/document.h"

namespace trtlens {

// Draws the charts into files of `place`, "DIR" or "png:DIR", and returns their paths in the order
// of charts_of(); none where gnuplot is missing or there is no chart, which is said. nullopt: a
// file could not be written, which is said.
[[nodiscard]] std::optional<std::vector<std::string>> write_plots(const Document& document,
                                                                  const std::string& place,
                                                                  bool quiet);

// Puts the paths into the charts of a report at `report`, relative to it; "-": standard output,
// relative to the working directory.
void name_plots(const std::vector<std::string>& plots, const std::string& report,
                Document& document);

}  // namespace trtlens
