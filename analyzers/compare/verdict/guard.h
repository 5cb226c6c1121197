// The comparability guard, and how to get a comparison that can tell.
#pragma once

#include "analyzers/compare/comparison.h"

namespace trtlens {

// Sets `comparable` and the reasons against it, from the sides and the aligned shares.
void check_comparable(Comparison& c);

// One more timing of the engine, with the timing options of its run; "" when none were recorded.
[[nodiscard]] std::string timing_command(const Build& build);

}  // namespace trtlens
