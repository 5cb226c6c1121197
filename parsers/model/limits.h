// What a number of an input may be, in a log as in JSON: beyond these it is none.
#pragma once

#include <cstdint>

namespace trtlens {

// 30 years; sums of millions of them stay exact enough.
inline constexpr double kMaxTimeMs = 1e12;
// Of a layer: their bits are counted in 64.
inline constexpr std::int64_t kMaxWeights = 1'000'000'000'000'000;
// Streams are numbered from 0.
inline constexpr std::int64_t kMaxStreamId = (1 << 20) - 1;

}  // namespace trtlens
