// Texts of ours in the languages of shells.
#pragma once

#include <string>
#include <string_view>

#include "report/cli/prompt/description.h"

namespace trtlens {

// A backslash in front of each of `special`.
[[nodiscard]] std::string with_backslashes(std::string_view text, std::string_view special);
// `trtexec … | trtlens --tee -o r.html` takes the options of analyze without the word.
[[nodiscard]] CommandDescription with_options_of_analyze(const CommandDescription& program);

}  // namespace trtlens
