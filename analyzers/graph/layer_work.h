// What a layer has to do whatever kernel does it: multiply-accumulates and bytes, from its shapes.
#pragma once

#include <cstdint>
#include <optional>

#include "analyzers/analysis.h"

namespace trtlens {

struct LayerWork {
  // Of convolution, deconvolution, matrix product and fused attention; none when the layer does
  // something else or its shapes do not say: dynamic dimensions, packed queries, keys and values, a
  // Myelin region.
  std::optional<double> macs;
  // Every input, output and weight once, as stored: channels that a vectorised format pads are part
  // of it, and 2:4 sparse weights are half of them and two bits of place for each of these. No
  // kernel can move less unless a cache holds a tensor from the layer before.
  std::optional<double> bytes;
  // Something was inferred: the convolution's output in front of a fused pooling, or weights that
  // the layer info does not list.
  bool is_estimate = false;
};

// Dimensions of implicit-batch engines (up to 9.x) lack the batch; it multiplies macs and
// activations. 1 for explicit batch; none when the engine is implicit and its batch is not known.
[[nodiscard]] std::optional<std::int64_t> implicit_batch_of(const Build& build);

[[nodiscard]] LayerWork work_of(const Layer& layer, LayerRole role,
                                std::optional<std::int64_t> implicit_batch = 1);

}  // namespace trtlens
