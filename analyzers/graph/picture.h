// The graph of the layers as coordinates, to be drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

// `from` writes what `to` reads as its input number `input`.
struct PictureEdge {
  std::uint32_t from = 0, to = 0, input = 0;
};

struct Picture {
  // In the order of `to`. Where many layers write one tensor, the first 16 of them; what runs from
  // a later layer to an earlier one is the back edge of a loop.
  std::vector<PictureEdge> edges;
  // By layer. A layer's rank is above those of its readers, back edges aside; places within a rank
  // are whole numbers around 0, so that neighbours stand near each other.
  std::vector<std::uint32_t> rank;
  std::vector<std::int32_t> place;
};

[[nodiscard]] Picture picture_of(const Analysis& analysis);

}  // namespace trtlens
