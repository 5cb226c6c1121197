// SHA-256 (FIPS 180-4) for fingerprints of findings and the hashes of the Content-Security-Policy.
// The libraries linked into the binary have none, and a cryptographic library would be larger than
// all the rest.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trtlens {

[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::string_view bytes);

}  // namespace trtlens
