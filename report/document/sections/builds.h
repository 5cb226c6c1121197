// Several builds among the inputs: the overview of all, and the section beside the report on one.
#pragma once

#include <string>
#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

// Whether two of them at least are builds: a file of query times by itself is none.
[[nodiscard]] bool are_builds(const std::vector<Analysis>& analyses);

// "62 passed, 3 failed": how they ended, most frequent first.
[[nodiscard]] std::string outcomes_of(const std::vector<Analysis>& analyses);

// A table with a line a build. `gates`: as many as analyses.
[[nodiscard]] Document overview_of(const std::vector<Analysis>& analyses,
                                   const std::vector<GateResult>& gates);

// The same table as a section of the report on the first.
void add_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                Document& document);

}  // namespace trtlens
