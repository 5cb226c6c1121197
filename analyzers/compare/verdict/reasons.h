// What changed in each group of layers, and in one sentence for the whole.
#pragma once

#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"

namespace trtlens {

// Fills `why` of every group. Groups have their times.
void explain_groups(Comparison& c);
// What the shift of the profile time consists of, largest part first; "" when it is small.
[[nodiscard]] std::string cause_of_shift(const Comparison& c);

// The layer that a group's side is about: its slowest arithmetic, else its slowest work; npos when
// it has conversions only.
[[nodiscard]] std::size_t lead_of(const Analysis& side, const std::vector<std::size_t>& layers);
// The group's kernels run other tactics although they compute, read and write the same types.
[[nodiscard]] bool tactic_changed(const Comparison& c, const LayerGroup& group);

}  // namespace trtlens
