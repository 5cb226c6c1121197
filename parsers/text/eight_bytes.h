// Text eight or sixteen bytes at a time: what the hot lines of a log need of it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trtlens {

// Eight bytes as they lie in memory.
[[nodiscard]] inline std::uint64_t eight_at(const char* text) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, text, 8);
  return eight;
}

[[nodiscard]] inline std::uint32_t four_at(const char* text) {
  std::uint32_t four = 0;
  std::memcpy(&four, text, 4);
  return four;
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

[[nodiscard]] inline unsigned char first_byte_of(std::uint64_t eight) {
  unsigned char byte = 0;
  std::memcpy(&byte, &eight, 1);
  return byte;
}

// A number for a small cache, in a third of the time of std::hash: texts may be made to share one.
[[nodiscard]] inline std::uint64_t cheap_hash(std::string_view text) {
  constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = text.size();
  if (text.size() < 8) return (hash ^ first_eight(text)) * kPrime >> 32U;
  const std::size_t last = text.size() - 8;
  for (std::size_t i = 0; i < last; i += 8) hash = (hash ^ eight_at(text.data() + i)) * kPrime;
  return (hash ^ eight_at(text.data() + last)) * kPrime >> 32U;
}

// The same byte eight times.
[[nodiscard]] constexpr std::uint64_t eight_of(unsigned char byte) {
  return ~std::uint64_t{0} / 255 * byte;
}

// Sixteen bytes in a register of SSE2 or NEON.
using Sixteen [[gnu::vector_size(16)]] = unsigned char;
[[nodiscard]] inline Sixteen sixteen_at(const char* text) {
  Sixteen sixteen{};
  std::memcpy(&sixteen, text, sizeof sixteen);
  return sixteen;
}
// Whether any byte is 255, where each is that or 0.
[[nodiscard]] inline bool any_of(Sixteen sixteen) {
#ifdef __SSE2__
  return _mm_movemask_epi8(reinterpret_cast<__m128i>(sixteen)) != 0;
#else
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), &sixteen, sizeof sixteen);
  return (halves[0] | halves[1]) != 0;
#endif
}

// Whether `size` bytes are the same, for the short texts that memcmp's call would cost more than.
[[nodiscard]] inline bool are_same(const char* a, const char* b, std::size_t size) {
  if (size < 4) return std::memcmp(a, b, size) == 0;
  if (size < 8) return four_at(a) == four_at(b) && four_at(a + size - 4) == four_at(b + size - 4);
  const std::size_t last = size - 8;
  for (std::size_t i = 0; i < last; i += 8) {
    if (eight_at(a + i) != eight_at(b + i)) return false;
  }
  return eight_at(a + last) == eight_at(b + last);
}

// How many bytes in front are 255, where each is that or 0.
[[nodiscard]] inline std::size_t leading_ones(Sixteen sixteen) {
#ifdef __SSE2__
  const auto ones = static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(sixteen)));
  return static_cast<std::size_t>(std::countr_zero(~ones | 1U << sizeof sixteen));
#else
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), &sixteen, sizeof sixteen);
  const auto ones = [](std::uint64_t half) {
    const int bits =
        std::endian::native == std::endian::little ? std::countr_one(half) : std::countl_one(half);
    return static_cast<std::size_t>(bits) / 8;
  };
  return halves[0] == ~std::uint64_t{0} ? 8 + ones(halves[1]) : ones(halves[0]);
#endif
}

// Whether `text` may hold white space: any byte below '!' counts. The last bytes may be looked at
// twice.
[[nodiscard]] inline bool holds_space(std::string_view text) {
  const std::size_t size = text.size();
  if (size >= sizeof(Sixteen)) {
    Sixteen least = sixteen_at(text.data() + size - sizeof least);
    for (std::size_t i = 0; i + sizeof least < size; i += sizeof least) {
      const Sixteen next = sixteen_at(text.data() + i);
      least = next < least ? next : least;
    }
    return any_of(Sixteen(least < '!'));
  }
  if (size < 8) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < '!'; });
  }
  // Sets the high bit of some byte when any is below '!', and else of none.
  const auto below = [](std::uint64_t eight) { return (eight - eight_of('!')) & ~eight; };
  const std::uint64_t found =
      below(eight_at(text.data())) | below(eight_at(text.data() + size - 8));
  return (found & eight_of(128)) != 0;
}

// How many bytes stand before the first that is below '!'.
[[nodiscard]] inline std::size_t bytes_before_space(std::string_view text) {
  std::size_t n = 0;
  for (; n + 4 * sizeof(Sixteen) <= text.size(); n += 4 * sizeof(Sixteen)) {
    const auto least = [](Sixteen a, Sixteen b) { return a < b ? a : b; };
    const auto at = [&](std::size_t i) {
      return sixteen_at(text.data() + n + i * sizeof(Sixteen));
    };
    if (any_of(Sixteen(least(least(at(0), at(1)), least(at(2), at(3))) < '!'))) break;
  }
  for (; n + sizeof(Sixteen) <= text.size(); n += sizeof(Sixteen)) {
    const auto above = Sixteen(sixteen_at(text.data() + n) >= '!');
    if (any_of(~above)) return n + leading_ones(above);
  }
  while (n < text.size() && static_cast<unsigned char>(text[n]) >= '!') ++n;
  return n;
}

// The number that eight bytes from 0 to 15 are as digits; the first is the byte at the lowest
// address.
[[nodiscard]] constexpr std::uint64_t value_of_nibbles(std::uint64_t nibbles) {
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

// Whether eight bytes are of [0-9a-f].
[[nodiscard]] constexpr bool are_hex_digits(std::uint64_t eight) {
  // The high bit of a byte says "from there on", where all are ASCII.
  const auto from = [&](unsigned char least) { return eight + eight_of(128 - least); };
  const std::uint64_t right = (from('0') & ~from('9' + 1)) | (from('a') & ~from('f' + 1));
  return ((eight | ~right) & eight_of(128)) == 0;
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
  const Sixteen digits = sixteen_at(text + 2);
  const Sixteen from_0 = digits - '0', from_a = digits - 'a';
  const Sixteen is_letter = Sixteen(from_a < 6), is_digit = Sixteen(from_0 < 10);
  if (text[0] != '0' || text[1] != 'x' || any_of(~(is_letter | is_digit))) return false;
  const Sixteen nibbles = from_0 - (is_letter & ('a' - '0' - 10));
#ifdef __SSE2__
  const auto lanes = reinterpret_cast<__m128i>(nibbles);
  const __m128i pairs = _mm_and_si128(
      _mm_or_si128(_mm_slli_epi16(lanes, 4), _mm_srli_epi16(lanes, 8)), _mm_set1_epi16(0xff));
  value = __builtin_bswap64(
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs))));
  return true;
#endif
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), &nibbles, sizeof nibbles);
  value = value_of_nibbles(halves[0]) << 32U | value_of_nibbles(halves[1]);
  return true;
}

}  // namespace trtlens
