// What gates and baselines add to a report.
#pragma once

#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

// Nothing is added where no baseline had a say.
void add_accepted(const GateResult& gate, int top, Document& document);

// What the gate says of the builds behind the first, which the report is on.
void add_others(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                int top, Document& document);

}  // namespace trtlens
