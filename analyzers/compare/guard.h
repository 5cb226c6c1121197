// The comparability guard.
#pragma once

#include "analyzers/compare/comparison.h"

namespace trtlens {

// Sets `comparable` and the reasons against it, from the sides and the aligned shares.
void check_comparable(Comparison& c);

}  // namespace trtlens
