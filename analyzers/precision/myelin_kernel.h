// What a kernel that Myelin generated does, by the operators in its name and by its tensors.
#pragma once

#include <optional>

#include "analyzers/analysis.h"

namespace trtlens {

// None: no such kernel, or the name does not tell. Of a name alone it is a guess.
[[nodiscard]] std::optional<LayerRole> role_of_myelin_kernel(const Layer& layer);
// Whether it works on every element by itself: __myl_MaxMinCas_myl2_0.
[[nodiscard]] bool is_elementwise_kernel(const Layer& layer);

}  // namespace trtlens
