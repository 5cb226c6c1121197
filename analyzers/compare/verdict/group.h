// What a group's sides are made of: kernels, the layer that it is about, and its types.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"

namespace trtlens {

inline constexpr std::size_t kNoLayer = static_cast<std::size_t>(-1);

struct Kernels {
  std::size_t reformats = 0, quantizers = 0, work = 0;  // with a time
  double conversion_ms = 0, work_ms = 0;
};
[[nodiscard]] Kernels kernels_of(const Analysis& side, const std::vector<std::size_t>& layers);

// "INT8 instead of FP32"; "" when the types are equal or one is not known.
[[nodiscard]] std::string changed_type(const std::vector<Tensor>& was,
                                       const std::vector<Tensor>& is);
[[nodiscard]] bool known_precision(const LayerGroup& group);
// Output type of a group's lead, else its input's, when it is another one: "write FP32 instead of
// FP16". A kernel for other types is another kernel: no race that fell the other way.
[[nodiscard]] std::string type_change(const Comparison& c, const LayerGroup& group);

}  // namespace trtlens
