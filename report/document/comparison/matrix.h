// Several variants against one base: how fast each is, and in which layers.
#pragma once

#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

// Two tables: a row a variant, the fastest first; a row a layer of the base, a column a variant.
// Each comparison with the base stands below by itself. `comparisons` have one base, and are as
// many as `gates`; `top`: as of one comparison.
[[nodiscard]] Document matrix_of(const std::vector<Comparison>& comparisons,
                                 const std::vector<GateResult>& gates, int top);

}  // namespace trtlens
