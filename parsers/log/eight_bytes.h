// Text eight bytes at a time: what the hot lines of a log need of it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trtlens {

// Eight bytes as they lie in memory.
[[nodiscard]] inline std::uint64_t eight_at(const char* text) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, text, 8);
  return eight;
}

// The first eight; NULs stand for those that are missing.
[[nodiscard]] inline std::uint64_t first_eight(std::string_view text) {
  std::uint64_t eight = 0;
  if (text.size() >= 8) {
    eight = eight_at(text.data());
  } else if (!text.empty()) {
    std::memcpy(&eight, text.data(), text.size());
  }
  return eight;
}

// The same byte eight times.
[[nodiscard]] constexpr std::uint64_t eight_of(unsigned char byte) {
  return ~std::uint64_t{0} / 255 * byte;
}

// Whether `text` may hold white space: any byte below '!' counts. The last eight bytes may be
// looked at twice.
[[nodiscard]] inline bool holds_space(std::string_view text) {
  if (text.size() < 8) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < '!'; });
  }
  // Sets the high bit of some byte when any is below '!', and else of none.
  const auto below = [](std::uint64_t eight) { return (eight - eight_of('!')) & ~eight; };
  std::uint64_t found = below(eight_at(text.data() + text.size() - 8));
  for (std::size_t i = 0; i + 8 < text.size(); i += 8) found |= below(eight_at(text.data() + i));
  return (found & eight_of(128)) != 0;
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
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t value = 0;
    for (unsigned i = 8; i-- > 0;) value = value << 4U | ((nibbles >> (8 * i)) & 0x0fU);
    return value;
  }
  // Neighbours join: bytes to pairs of nibbles, these to 16 bits, these to 32.
  std::uint64_t pairs = (nibbles << 4U | nibbles >> 8U) & 0x00ff00ff00ff00ffU;
  pairs = (pairs << 8U | pairs >> 16U) & 0x0000ffff0000ffffU;
  return (pairs << 16U | pairs >> 32U) & 0xffffffffU;
}

[[nodiscard]] constexpr bool are_digits(std::uint64_t eight) {
  const std::uint64_t wrong =
      eight | ~(eight + eight_of(128 - '0')) | (eight + eight_of(127 - '9'));
  return (wrong & eight_of(128)) == 0;
}

// The number that eight digits are; the first is the byte at the lowest address, of a machine with
// the lowest byte first.
[[nodiscard]] constexpr std::uint64_t value_of_digits(std::uint64_t eight) {
  eight = (eight & eight_of(0x0f)) * 10 + ((eight & eight_of(0x0f)) >> 8U);
  eight = (eight & 0x00ff00ff00ff00ffU) * 100 + ((eight & 0x00ff00ff00ff00ffU) >> 16U);
  return ((eight & 0x0000ffff0000ffffU) * 10000 + ((eight & 0x0000ffff0000ffffU) >> 32U)) &
         0xffffffffU;
}

// "0x" and 16 of [0-9a-f], an id as trtexec prints it since 8.4.1, and its value. `text` holds at
// least kHexIdBytes.
inline constexpr std::size_t kHexIdBytes = 18;
[[nodiscard]] inline bool read_hex_id(const char* text, std::uint64_t& value) {
  const std::uint64_t high = eight_at(text + 2), low = eight_at(text + 10);
  if (text[0] != '0' || text[1] != 'x' || !are_hex(high) || !are_hex(low)) return false;
  value = value_of_hex(high) << 32U | value_of_hex(low);
  return true;
}

}  // namespace trtlens
