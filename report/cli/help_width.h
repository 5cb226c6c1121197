// Help as wide as the terminal: CLI11 (2.1 to 2.4) breaks no lines.
#pragma once

#include <cstddef>
#include <string>

namespace trtlens {

// $COLUMNS, else what the terminal on standard output says, between 60 and 200; 100 without both.
[[nodiscard]] std::size_t help_width();
// Descriptions go on under their own beginning, paragraphs at the left. Examples, which are copied,
// stay in one line.
[[nodiscard]] std::string wrapped_help(const std::string& help, std::size_t width);

}  // namespace trtlens
