// What a baseline adds to a report.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

// Nothing is added where no baseline had a say. `which`: of several comparisons the one it is of.
void add_accepted(const GateResult& gate, int top, Document& document, std::size_t which = 0);

}  // namespace trtlens
