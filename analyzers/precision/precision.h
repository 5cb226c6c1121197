// What a layer does and what its arithmetic runs in, with the evidence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/model/build.h"

namespace trtlens {

[[nodiscard]] LayerRole role_of(const Layer& layer);
[[nodiscard]] LayerVerdict verdict_of(const Layer& layer);

// What a kernel that Myelin generated does, by the operators in its name and by its tensors. None:
// no such kernel, or the name does not tell. Of a name alone it is a guess.
[[nodiscard]] std::optional<LayerRole> role_of_myelin_kernel(const Layer& layer);
// Whether it works on every element by itself: __myl_MaxMinCas_myl2_0.
[[nodiscard]] bool is_elementwise_kernel(const Layer& layer);

// What a kernel of that name multiplies in; none when the name does not say. In an xmma name the
// middle token is multiply type + accumulator (`f16f16_f32f32_f32` is FP32); with one type only it
// is the accumulator, and the first pair multiplies (`f16f16_f32_f16` is FP16).
[[nodiscard]] std::optional<Precision> precision_of_tactic(const std::string& tactic_name);

// Whether the name of a kernel says that it multiplies on tensor cores, or on other units (DP4A,
// FMA); both are false when it says nothing.
[[nodiscard]] bool is_on_tensor_cores(std::string_view tactic);
[[nodiscard]] bool is_off_tensor_cores(std::string_view tactic);
// Kernels that take in the network's image: they read three or four channels, not a vector of them.
[[nodiscard]] bool is_first_layer_kernel(std::string_view tactic);

[[nodiscard]] Precision precision_of(DataType type);
// Bits per operand of the arithmetic; TF32 counts as 32: it reads and writes FP32. 0: unknown.
[[nodiscard]] int width_of(Precision precision);

}  // namespace trtlens
