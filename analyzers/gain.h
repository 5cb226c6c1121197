// What mending a fallback is estimated to win, from what the same engine does elsewhere.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/finding.h"
#include "analyzers/graph.h"

namespace trtlens {

// Profile ms between `layers` with `conversions` around them and the same work in a narrower
// precision without: each layer is held against layers of the same shapes in this engine that
// compute in less. None when one of them has no such twin, or no time is known.
[[nodiscard]] std::optional<Gain> gain_by_twins(const Analysis& analysis, const Graph& graph,
                                                const std::vector<std::size_t>& layers,
                                                const std::vector<std::size_t>& conversions);

}  // namespace trtlens
