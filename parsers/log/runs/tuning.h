// 11.1's tuning loop (--tuneBuildRoutes): what its log says of every iteration. The loop's lines
// and those of the runs inside it are two streams, so that their order is only approximate:
// iterations are told apart by number and route.
#pragma once

#include <string_view>

#include "parsers/model/build.h"

namespace trtlens {

// "&&&& TASK_BEGIN [iter=3] BuildRoute = '-a=b'", or TASK_END or TASK_ABORT; nothing when the line
// is cut.
void add_tuning_task(Tuning& tuning, std::string_view body, SourcePos pos);
// "Tuning iteration [3]: -a=b"
void add_tuning_iteration(Tuning& tuning, std::string_view number, std::string_view route,
                          SourcePos pos);
// "Iteration [3] failed: child exited with status 1"
void add_tuning_failure(Tuning& tuning, std::string_view number, std::string_view why,
                        SourcePos pos);
// "Best iteration: -a=b (gpu_time_ms=0.51)"
void add_tuning_best(Tuning& tuning, std::string_view route, std::string_view ms);
// The run of an iteration ended as run `n` of the log.
void add_tuning_run(Tuning& tuning, const Build& child, int n);

}  // namespace trtlens
