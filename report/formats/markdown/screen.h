// What a reader of a pull request sees before opening anything.
#pragma once

#include <string>
#include <vector>

#include "report/document/document.h"

namespace trtlens {

inline constexpr std::size_t kMarkdownScreenLines = 25;

// At most so many lines; none where the document has no first screen.
[[nodiscard]] std::vector<std::string> markdown_screen(const Document& document);

}  // namespace trtlens
