// The Document of a comparison.
#pragma once

#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

[[nodiscard]] Heading heading_of(const Comparison& comparison);

[[nodiscard]] ComparisonScreen screen_of(const Comparison& comparison, int top,
                                         const GateResult* gate);

// Of the sections of a report on comparisons, in its order. "summary" is the first screen.
[[nodiscard]] const std::vector<std::string>& comparison_section_ids();
// `top` and `gate`: as of an Analysis.
[[nodiscard]] Document build_document(const Comparison& comparison, int top,
                                      const GateResult* gate = nullptr);
// Several in one: A with B, B with C. `gates` is as long.
[[nodiscard]] Document build_document(const std::vector<Comparison>& comparisons,
                                      const std::vector<GateResult>& gates, int top);

}  // namespace trtlens
