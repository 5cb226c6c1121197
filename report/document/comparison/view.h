// The part of a comparison's Document that a page draws.
#pragma once

#include "analyzers/compare/comparison.h"
#include "report/document/document.h"

namespace trtlens {

// Of two sides with a profile, and the same as charts for other formats. The comparison must
// outlive the document.
void add_view(const Comparison& c, Document& document);

}  // namespace trtlens
