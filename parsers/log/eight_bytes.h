// Text eight bytes at a time: what the hot lines of a log need of it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trtlens {

// The first eight bytes as they lie in memory; NULs stand for those that are missing.
[[nodiscard]] inline std::uint64_t first_eight(std::string_view text) {
  std::uint64_t eight = 0;
  if (text.size() >= 8) {
    std::memcpy(&eight, text.data(), 8);
  } else if (!text.empty()) {
    std::memcpy(&eight, text.data(), text.size());
  }
  return eight;
}

// The same byte eight times.
[[nodiscard]] constexpr std::uint64_t eight_of(unsigned char byte) {
  return ~std::uint64_t{0} / 255 * byte;
}

// Whether `text` may hold white space: any byte below '!' counts.
[[nodiscard]] inline bool holds_space(std::string_view text) {
  for (; text.size() >= 8; text.remove_prefix(8)) {
    const std::uint64_t eight = first_eight(text);
    if (((eight - eight_of('!')) & ~eight & eight_of(128)) != 0) return true;
  }
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < '!') return true;
  }
  return false;
}

// The text behind its last white space; any byte below '!' counts.
[[nodiscard]] inline std::string_view behind_last_space(std::string_view text) {
  std::size_t from = text.size();
  for (; from >= 8; from -= 8) {
    const std::uint64_t eight = first_eight(text.substr(from - 8));
    if (((eight - eight_of('!')) & ~eight & eight_of(128)) != 0) break;
  }
  while (from > 0 && static_cast<unsigned char>(text[from - 1]) >= '!') --from;
  return text.substr(from);
}

// Whether the eight bytes are all of [0-9a-f]. Sums of seven bits stay in their byte.
[[nodiscard]] constexpr bool are_hex(std::uint64_t eight) {
  const std::uint64_t from_0 = eight + eight_of(128 - '0');
  const std::uint64_t above_9 = eight + eight_of(127 - '9');
  const std::uint64_t from_a = eight + eight_of(128 - 'a');
  const std::uint64_t above_f = eight + eight_of(127 - 'f');
  const std::uint64_t wrong = eight | ~from_0 | (above_9 & ~from_a) | above_f;
  return (wrong & eight_of(128)) == 0;
}

// The number that eight of [0-9a-f] are; the first is the byte at the lowest address.
[[nodiscard]] constexpr std::uint64_t value_of_hex(std::uint64_t eight) {
  // '0' is 0x30, 'a' is 0x61: bit 6 tells letters.
  const std::uint64_t nibbles = (eight & eight_of(0x0f)) + ((eight >> 6U) & eight_of(1)) * 9;
  const auto at = [nibbles](unsigned i) { return (nibbles >> (8 * i)) & 0x0fU; };
  if constexpr (std::endian::native == std::endian::big) {
    return at(7) << 28U | at(6) << 24U | at(5) << 20U | at(4) << 16U | at(3) << 12U | at(2) << 8U |
           at(1) << 4U | at(0);
  }
  // Neighbours join: bytes to pairs of nibbles, these to 16 bits, these to 32.
  std::uint64_t pairs = (nibbles << 4U | nibbles >> 8U) & 0x00ff00ff00ff00ffU;
  pairs = (pairs << 8U | pairs >> 16U) & 0x0000ffff0000ffffU;
  return (pairs << 16U | pairs >> 32U) & 0xffffffffU;
}

// Whether `text`, of at least 16 bytes, begins with 16 of [0-9a-f]: an id as trtexec prints it
// since 8.4.1.
[[nodiscard]] inline bool begins_with_16_hex(std::string_view text) {
  return are_hex(first_eight(text)) && are_hex(first_eight(text.substr(8)));
}

}  // namespace trtlens
