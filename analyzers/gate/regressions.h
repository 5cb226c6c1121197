// What became slower between two builds, and clauses that are not held, in the form of findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/contract/contract.h"
#include "analyzers/finding.h"

namespace trtlens {

struct Regression {
  Finding finding;
  std::string lead;  // the layer, the clause or the commands that it is about; else the engine
  std::optional<double> shift;  // as a share of the base; none: not measured
};

// The engine first, then groups of layers, largest shift first; of a refused comparison only that.
[[nodiscard]] std::vector<Regression> regressions_of(const Comparison& comparison);
// The runs of the build's logs that failed and are not in the build, as one finding; or nothing.
[[nodiscard]] std::vector<Regression> regressions_of(const Analysis& analysis);
// Broken clauses first, then undecidable ones.
[[nodiscard]] std::vector<Regression> regressions_of(const ContractResult& contract);

}  // namespace trtlens
