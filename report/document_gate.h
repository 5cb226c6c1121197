// What a baseline accepts, as a section of a report of either kind.
#pragma once

#include "analyzers/gate.h"
#include "report/document.h"

namespace trtlens {

// Nothing is added where no baseline had a say.
void add_accepted(const Gate& gate, int top, Document& document);

}  // namespace trtlens
