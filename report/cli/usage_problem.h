// Mistakes on the command line, in words that say what to give.
#pragma once

#include <string>
#include <vector>

namespace trtlens {

// "analyze takes logs, JSON exports or directories of them: PATH..."
[[nodiscard]] std::string words_problem(const std::string& command);
// Of an option that the command does not have, whose long `options` it has:
// "analyze has no option --tpo; did you mean '--top'?"
[[nodiscard]] std::string option_problem(const std::string& command, const std::string& word,
                                         const std::vector<std::string>& options);

}  // namespace trtlens
