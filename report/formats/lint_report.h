// The report of lint-log: what a user pastes to report lines that trtlens does not know. Names,
// paths and numbers of the log are left out unless `samples` is set.
#pragma once

#include <cstddef>
#include <string>

#include "parsers/log/lint/lint.h"

namespace trtlens {

struct LintView {
  std::size_t top = 0;   // shapes shown in text and Markdown; 0: all
  bool samples = false;  // the first line of each shape and the inputs' paths, as they are
};

[[nodiscard]] std::string lint_text(const LintResult& result, const LintView& view,
                                    const std::string& version);
[[nodiscard]] std::string lint_markdown(const LintResult& result, const LintView& view,
                                        const std::string& version);
[[nodiscard]] std::string lint_json(const LintResult& result, const LintView& view,
                                    const std::string& version);

// "verbose", "info", "warning", "error"; "unknown" for a line that does not say.
[[nodiscard]] const char* to_string(LogSeverity severity);
// "recognised", "noise", …
[[nodiscard]] const char* to_string(LineClass line_class);

}  // namespace trtlens
