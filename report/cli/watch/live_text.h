// A build that runs, in the words of a terminal: harmless ones, whatever the names in the log hold,
// for the terminal and for a runner that shows it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/cli/watch/live_build.h"

namespace trtlens {

[[nodiscard]] std::string duration_text(double s);  // "43 s", "3 min 12 s", "1 h 4 min"

// "timing tactics, layer 45 of at most 128"
[[nodiscard]] std::string stage_text(const LiveState& state);
// Of the layers, nine times in ten: "probably 20 s to 1 min 10 s left"; "time left unknown"
[[nodiscard]] std::string left_text(const LiveState& state);

// "FATAL: No INT8 kernel …"
[[nodiscard]] std::string problem_text(const LiveProblem& problem);
// The same behind our name, broken between words.
[[nodiscard]] std::vector<std::string> problem_lines(const LiveProblem& problem, std::size_t width);

// At most `lines` lines of at most `width` columns.
[[nodiscard]] std::vector<std::string> screen_lines(const LiveState& state, std::size_t width,
                                                    std::size_t lines);

}  // namespace trtlens
