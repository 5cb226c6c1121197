// Reports of trtlens among the files of a directory.
#pragma once

#include <string_view>

namespace trtlens {

// Whether a text that begins with these bytes is a report of trtlens, in any of its formats, or
// other markup: it quotes lines of a log, and is none.
[[nodiscard]] bool is_own_report(std::string_view first_bytes);

}  // namespace trtlens
