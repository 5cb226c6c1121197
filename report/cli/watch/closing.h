// How a watched build ended, in the words of a terminal, where its report goes into files alone.
#pragma once

#include <string>
#include <vector>

#include "report/document/document.h"

namespace trtlens {

// Its outcome and time, and what is wrong first. Texts are the input's.
[[nodiscard]] std::vector<std::string> closing_lines(const Document& document);

}  // namespace trtlens
