// Matching two sequences in order, near-linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace trtlens {

// Pairs of equal elements, increasing on both sides: keys that occur once on each side first (the
// longest increasing run of them), then what lies between, ends first. Not always the longest such
// list, but never more than a bounded number of steps beyond the lengths.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> match_in_order(
    const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right);

}  // namespace trtlens
