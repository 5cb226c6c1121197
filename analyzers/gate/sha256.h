// SHA-256 (FIPS 180-4) for fingerprints of findings and the hashes of the Content-Security-Policy.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trtlens {

[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::string_view bytes);

}  // namespace trtlens
