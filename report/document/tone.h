// How bad what is said is, least first from `info` on.
#pragma once

#include <cstdint>

namespace trtlens {

enum class Tone : std::uint8_t { plain, good, info, minor, moderate, major, fatal };
[[nodiscard]] const char* to_string(Tone tone);

}  // namespace trtlens
