// The Document of a comparison.
#pragma once

#include "analyzers/compare/comparison.h"
#include "report/document.h"

namespace trtlens {

// `top`: how many rows are shown in full; 0 or less: all.
[[nodiscard]] Document build_document(const Comparison& comparison, int top);

}  // namespace trtlens
