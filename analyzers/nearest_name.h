// Misspelt names: what was meant.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trtlens {

// How many letters to add, leave out, change or swap with their neighbour (optimal string
// alignment).
[[nodiscard]] std::size_t edit_distance(const std::string& a, const std::string& b);

// The name that a misspelt one comes nearest to; "" when none is near.
[[nodiscard]] std::string nearest_name(const std::string& wanted,
                                       const std::vector<std::string>& names);
// "; did you mean 'name'?", to be put behind what is refused; "" when none is near.
[[nodiscard]] std::string did_you_mean(const std::string& wanted,
                                       const std::vector<std::string>& names);

}  // namespace trtlens
