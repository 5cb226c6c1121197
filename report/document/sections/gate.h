// What a baseline adds to a report.
#pragma once

#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

// Nothing is added where no baseline had a say. Of several comparisons: to the document of one.
void add_accepted(const GateResult& gate, int top, Document& document);

}  // namespace trtlens
