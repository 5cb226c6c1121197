// Numbers and ids of log lines: the quick ways to read them give what std::from_chars gives.
#include "parsers/text/numbers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "parsers/text/eight_bytes.h"

namespace trtlens::numbers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <typename T, typename... Base>
std::optional<T> by_library(std::string_view text, Base... base) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The same bits: 0.1 is not nearly 0.1.
bool same(std::optional<double> a, std::optional<double> b) {
  if (b && !std::isfinite(*b)) b.reset();
  if (!a || !b) return a.has_value() == b.has_value();
  return std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b);
}

TEST(Numbers, DecimalsAsTheLibraryReadsThem) {
  std::mt19937_64 dice(1);
  const auto below = [&](std::uint64_t n) { return dice() % n; };
  for (int i = 0; i < 200000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(below(1000003)) / 7, -static_cast<int>(below(30)));
    const std::uint64_t precision = below(12) + 1;
    std::string text = i % 2 == 0 ? fmt::format("{:.{}g}", value, precision)
                                  : fmt::format("{:.{}f}", value, precision);
    EXPECT_TRUE(same(finite_number(text), by_library<double>(text))) << text;
    text[below(text.size())] = "0123456789.:/x e-+\t"[below(19)];
    EXPECT_TRUE(same(finite_number(text), by_library<double>(text))) << text;
  }
}

TEST(Numbers, DecimalsThatAreNoneOrAtAnEdge) {
  for (const char* text : {"",
                           ".",
                           "0",
                           "0.",
                           ".5",
                           "1.5",
                           "0.0",
                           "00.5",
                           "0.00000000",
                           "9.99999999",
                           "0.000000001",
                           "0.1234567.",
                           "0..123456",
                           "1.2345678",
                           ":.1234567",
                           "/.1234567",
                           "0.123456:",
                           "0.12345/7",
                           "0.123 567",
                           "999999999999.99",
                           "9999999999999.9",
                           "99999999999999.9",
                           "0.00000000000001",
                           "123456.123456",
                           "1234567.1",
                           "inf",
                           "nan",
                           "1e5",
                           "0x1",
                           "-0.5",
                           "+0.5",
                           " 0.5",
                           "0.5 "}) {
    EXPECT_TRUE(same(finite_number(text), by_library<double>(text))) << '"' << text << '"';
  }
}

TEST(Numbers, IdsAsTheLibraryReadsThem) {
  std::mt19937_64 dice(2);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t value = dice();
    std::string text = fmt::format("0x{:016x}", value);
    EXPECT_EQ(tactic_id_of(text), value) << text;
    text[2 + dice() % 16] = static_cast<char>(dice());
    EXPECT_EQ(tactic_id_of(text), by_library<std::uint64_t>(std::string_view(text).substr(2), 16))
        << text;
  }
  EXPECT_EQ(tactic_id_of("0x3e8"), 1000U);
  EXPECT_EQ(tactic_id_of("1000"), 1000U);
  EXPECT_EQ(tactic_id_of("-1"), std::numeric_limits<std::uint64_t>::max());
  for (const char* none : {"", "0x", "x", "0x1g", "0x100000000000003e8", "--1"}) {
    EXPECT_EQ(tactic_id_of(none), std::nullopt) << none;
  }
}

TEST(EightBytes, EveryByteInEveryPlace) {
  for (unsigned at = 0; at < 8; ++at) {
    for (unsigned c = 0; c < 256; ++c) {
      std::string text = "12345678";
      text[at] = static_cast<char>(c);
      const bool is_digit = c >= '0' && c <= '9';
      EXPECT_EQ(are_digits(first_eight(text)), is_digit) << c;
      const bool is_hex = is_digit || (c >= 'a' && c <= 'f');
      EXPECT_EQ(are_hex_digits(first_eight(text)), is_hex) << c;
      EXPECT_EQ(holds_space(text), c < '!') << c;
      if (!is_digit) continue;
      EXPECT_EQ(value_of_digits(first_eight(text)), by_library<std::uint64_t>(text)) << c;
    }
  }
  EXPECT_EQ(value_of_nibbles(first_eight("\x8\x9\xa\xb\xc\xd\xe\xf")), 0x89abcdefU);
  EXPECT_EQ(first_eight("ab"), first_eight(std::string_view("ab\0\0\0\0\0\0", 8)));
  EXPECT_FALSE(holds_space(""));
  EXPECT_TRUE(holds_space(std::string(100, 'x') + " "));
  EXPECT_FALSE(holds_space(std::string(100, '\xff')));
}

TEST(SixteenBytes, EveryByteInEveryPlaceOfAnId) {
  for (unsigned at = 0; at < kHexIdBytes; ++at) {
    for (unsigned c = 0; c < 256; ++c) {
      std::string text = "0x0123456789abcdef";
      const char right = text[at];
      text[at] = static_cast<char>(c);
      const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      std::uint64_t value = 0;
      ASSERT_EQ(read_hex_id(text.data(), value), at < 2 ? text[at] == right : is_hex) << at << c;
      if (at < 2 || !is_hex) continue;
      EXPECT_EQ(value, by_library<std::uint64_t>(std::string_view(text).substr(2), 16)) << text;
    }
  }
}

TEST(EightBytes, SpaceAtAnyPlaceOfTextsOfAnyLength) {
  for (std::size_t size = 1; size <= 40; ++size) {
    EXPECT_FALSE(holds_space(std::string(size, '!'))) << size;
    for (std::size_t at = 0; at < size; ++at) {
      for (const char space : {' ', '\t', '\0'}) {
        std::string text(size, '!');
        text[at] = space;
        EXPECT_TRUE(holds_space(text)) << size << ' ' << at;
        EXPECT_TRUE(holds_space(std::string(3, ' ') + text));
      }
    }
  }
}

// From 19 digits on a number may be too large; such a list has no sizes.
TEST(Numbers, DimensionsAreWholeAndFit) {
  EXPECT_THAT(dims_of("-1,3x224, 224"), ElementsAre(-1, 3, 224, 224));
  EXPECT_THAT(dims_of("99999999999999999, 999999999999999999, 9223372036854775807"),
              ElementsAre(99999999999999999, 999999999999999999, 9223372036854775807));
  EXPECT_THAT(dims_of("3, 9223372036854775808"), IsEmpty());
  EXPECT_THAT(dims_of("3, x4, many"), IsEmpty());
  for (const char* glued :
       {"1-1", "3,1-1", "8y", "2147483647000000000000-1", "1000000000000000000-1"}) {
    EXPECT_THAT(dims_of(glued), IsEmpty()) << glued;
  }
  EXPECT_THAT(dims_of("-2,32:8,14"), ElementsAre(-2, 32, 14));
}

}  // namespace
}  // namespace trtlens::numbers_test
