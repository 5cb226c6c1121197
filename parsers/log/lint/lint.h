// What of a log was not understood: the shapes of its unknown and malformed lines, with counts.
// A public door of the parsers like parse.h: paths in, counts out; never throws on bad content.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsers/model/build.h"
#include "parsers/model/diagnostic.h"
#include "parsers/parse.h"

namespace trtlens {

// Lines that differ in names and numbers only.
struct LineShape {
  LineClass line_class = LineClass::unknown;
  LogSeverity severity = LogSeverity::unknown;
  std::string near;   // malformed: id of the line kind whose gate it passed
  std::string shape;  // without names, paths and numbers of the log
  std::uint64_t count = 0;
  SourcePos first;     // of the first of these lines
  std::string sample;  // that line as it stands in the log, cut to a sensible length
};

struct LintResult {
  std::vector<Input> inputs;
  std::vector<std::string> versions, producers;  // of the runs, each once
  std::size_t runs = 0;
  Coverage coverage;
  std::vector<LineShape> shapes;     // most frequent first
  std::uint64_t lines_left_out = 0;  // unknown or malformed, beyond the 10000 shapes that are kept
};

// Reads logs; "-" is standard input. Of the options only the
// callbacks and the Redactor count.
[[nodiscard]] LintResult lint_logs(const std::vector<std::string>& paths,
                                   const ParseOptions& options);

}  // namespace trtlens
