// The words of the command line, and mistakes in them, in words that say what to give.
#pragma once

#include <string>
#include <vector>

namespace trtlens {

// `trtexec … | trtlens --tee -o r.html` is `trtlens analyze --tee -o r.html -`: options of analyze
// alone, with a log on standard input.
[[nodiscard]] std::vector<std::string> words_of(int argc, char** argv);
// Of a first word that is none of `commands`: a file that wants `analyze`, or a slip of the finger.
// Empty: it is one, or an option.
[[nodiscard]] std::string command_problem(const std::vector<std::string>& words,
                                          const std::vector<std::string>& commands);
// "analyze takes logs, JSON exports or directories of them: PATH..."
[[nodiscard]] std::string words_problem(const std::string& command);
// Of words that the command does not take: the first option among them, else what it takes.
// `options`: the long ones that it has.
[[nodiscard]] std::string extra_problem(const std::string& command,
                                        const std::vector<std::string>& extra,
                                        const std::vector<std::string>& options);

}  // namespace trtlens
