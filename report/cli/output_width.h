// Lines as wide as the terminal: CLI11 (2.1 to 2.4) breaks none of its help.
#pragma once

#include <cstddef>
#include <string>

namespace trtlens {

// $COLUMNS, else what the terminal on standard output says, between 60 and 200; 100 without both.
[[nodiscard]] std::size_t output_width();
// Descriptions go on under their own beginning, paragraphs at the left. Examples, which are copied,
// break with a backslash.
[[nodiscard]] std::string wrapped_help(const std::string& help, std::size_t width);

}  // namespace trtlens
