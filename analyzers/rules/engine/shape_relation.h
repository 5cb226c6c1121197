// How two shapes differ that should fit together.
#pragma once

#include <string>
#include <string_view>

namespace trtlens::message_rules {

enum class ShapeRelation {
  none,
  by_one,         // [1,24,136,240] and [1,24,135,240]: an odd size was halved and doubled
  by_batch,       // [256,28,28] and [1,256,28,28]
  by_scale,       // [128,80,80] and [128,160,160]: one was not resized
  by_batch_size,  // [9,64,8,8] and [1,64,8,8]
};

struct ShapeDifference {
  ShapeRelation relation = ShapeRelation::none;
  std::string text;  // by_one: "136 and 135"; by_batch: the longer shape; by_scale: "2";
                     // by_batch_size: "9 and 1"
};

// Shapes as TensorRT prints them, "[1,3,-1,640]"; what cannot be read has no relation.
[[nodiscard]] ShapeDifference difference_of(std::string_view one, std::string_view other);

}  // namespace trtlens::message_rules
