// What records a build: commands of a shell, one behind the other.
#pragma once

#include <string>
#include <vector>

#include "report/cli/commands.h"

namespace trtlens {

struct RecordStep {
  std::string command;  // of a shell; "": the note is all
  std::string log;      // the file for what it prints; "": it writes its own
  std::string note{};   // lines of comments
};

// "8.6", "10": a version that there are flags for.
[[nodiscard]] bool is_recorded_version(const std::string& text);
[[nodiscard]] std::vector<std::string> recorded_precisions();
// Empty with a `problem`.
[[nodiscard]] std::vector<RecordStep> record_steps(const RecordArguments& arguments,
                                                   std::string& problem);
// The same to be read and changed, with the analysis behind it.
[[nodiscard]] std::string commands_text(const std::vector<RecordStep>& steps);

}  // namespace trtlens
