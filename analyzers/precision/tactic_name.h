// What the name of a kernel says about the units that it multiplies on.
#pragma once

#include <string_view>

namespace trtlens {

// Whether the name says so; both are false when it says nothing.
[[nodiscard]] bool is_on_tensor_cores(std::string_view tactic);
[[nodiscard]] bool is_off_tensor_cores(std::string_view tactic);  // DP4A, FMA

// Kernels that take in the network's image: they read three or four channels, not a vector of them.
[[nodiscard]] bool is_first_layer_kernel(std::string_view tactic);

}  // namespace trtlens
