// The builds that the inputs of a command hold.
#pragma once

#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "report/cli/output.h"

namespace trtlens {

// One analysis a build. Nothing after an error, which is printed.
[[nodiscard]] std::vector<Analysis> read_builds(const std::vector<std::string>& paths,
                                                const AnalyzeOptions& how,
                                                const OutputOptions& output, StageTimes& times);

}  // namespace trtlens
