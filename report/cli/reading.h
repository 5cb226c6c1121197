// Reading inputs for a command: progress on a terminal, complaints about what cannot be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/parse.h"
#include "report/cli/output.h"
#include "report/cli/progress.h"
#include "report/cli/timing.h"

namespace trtlens {

// As long as it lives: a line on the terminal that says how far reading is, and the time that each
// input took.
class ReadingWatch {
 public:
  ReadingWatch(bool shows_progress, StageTimes& times, ParseOptions& options);

 private:
  std::optional<ProgressLine> line_;
};

[[nodiscard]] ParseResult read_inputs(const std::vector<std::string>& paths, ParseOptions options,
                                      const OutputOptions& output, StageTimes& times);

// Whether anything in what `paths` name can be analyzed; says on standard error what cannot and
// why; `quiet`: without notes. `side`: which of those that are compared; "" when none are.
[[nodiscard]] bool usable(const Reading& parsed, const std::vector<std::string>& paths, bool quiet,
                          const std::string& side = "");

// `status`, at least kExitFailure where something that somebody named could not be read: what was
// asked for was done with the rest.
[[nodiscard]] int status_after(const Reading& reading, int status);

// One analysis a build. Nothing after an error, which is printed; `nothing`: where there is no
// build. `side`: as of usable().
[[nodiscard]] std::vector<Analysis> read_builds(
    const std::vector<std::string>& paths, const AnalyzeOptions& how, const OutputOptions& output,
    StageTimes& times,
    const std::string& nothing = "nothing in these inputs was written by TensorRT or trtexec",
    const std::string& side = "");

}  // namespace trtlens
