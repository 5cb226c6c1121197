// What changed in each group of layers.
#pragma once

#include "analyzers/compare/comparison.h"

namespace trtlens {

void explain(const Comparison& c, LayerGroup& group);

}  // namespace trtlens
