// What is kept of the earlier runs of a log that holds many.
#pragma once

#include <vector>

#include "parsers/build.h"

namespace trtlens {

// Memory stays bounded by the newest runs: one of them is reported, with what joins it. They are
// kept whole while they hold less than 16 MiB, the last two and `kept_run` (1-based; 0: none) at
// any size. Of the others the outline stays: who wants more asks for it by --run.
void forget_old_runs(std::vector<Build>& builds, int kept_run);

}  // namespace trtlens
