// What mending is estimated to win: from what the same engine does elsewhere, from bytes, or from
// what the GPU can do at most.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/finding.h"
#include "analyzers/graph/graph.h"

namespace trtlens {

class WidthReasons;  // analyzers/precision/fallback.h

// Work that would be mended: `layers` compute narrower, and what stands around them only because
// they do not goes away.
struct Narrowing {
  std::vector<std::size_t> layers;
  std::vector<std::size_t> conversions;  // around them
  std::vector<std::size_t> activations;  // that fuse again
  int bits = 8;                          // of the operands, mended
  // Why the layers are wide is not known, or is no fault: only a twin shows that less is possible.
  bool only_by_twins = false;
};

// Shapes, weights and kernel of a layer as numbers: layers of the same work have the same, in
// whatever precision. Empty: not known.
using Work = std::vector<std::int64_t>;
[[nodiscard]] Work work_of(const Layer& layer);

// Profile ms that a narrowing is estimated to win. Each layer is held, in this order, against
// layers of the same shapes in this engine that compute in less; against the fastest narrower
// kernel that the log shows was timed for it; against its own time, unchanged at worst and with as
// many fewer bytes at best. At best the narrow layers beside them move fewer bytes, too. None when
// a time is missing.
[[nodiscard]] std::optional<Gain> gain_of(const Analysis& analysis, const Graph& graph,
                                          const WidthReasons& reasons, const Narrowing& narrowing);

// What is won by conversions that go away: all of their time at best; at worst a layer beside each
// moves the wider of its two tensors in place of the narrower.
[[nodiscard]] std::optional<Gain> gain_without(const Analysis& analysis,
                                               const std::vector<std::size_t>& conversions);

// Gains per query of findings that have one in profile time. The profiler inflates it; and where
// the queries wait for their launches, less work may win nothing.
void fill_query_gains(Analysis& analysis);

// Profile ms that conversions take less when both tensors are as narrow as the narrower is now.
[[nodiscard]] double gain_of_narrowing_ms(const Analysis& analysis,
                                          const std::vector<std::size_t>& conversions);

// What is won by FP32 layers that compute in `precision`. At best each takes what no kernel can
// beat on this GPU; at worst it gains by what helps less, the fewer bytes or the faster arithmetic.
// None where the roofline does not know a layer.
[[nodiscard]] std::optional<Gain> gain_in(const Analysis& analysis,
                                          const std::vector<std::size_t>& layers,
                                          Precision precision);

}  // namespace trtlens
