// The Document of a comparison.
#pragma once

#include <vector>

#include "analyzers/compare/comparison.h"
#include "report/document/document.h"

namespace trtlens {

// `top`: how many rows are shown in full; 0 or less: all.
[[nodiscard]] Document build_document(const Comparison& comparison, int top);
// Several in one: A with B, B with C.
[[nodiscard]] Document build_document(const std::vector<Comparison>& comparisons, int top);

}  // namespace trtlens
