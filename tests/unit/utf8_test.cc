// UTF-8: what is written for a code point, and how long one sequence is.
#include "parsers/text/encoding.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace trtlens::utf8_test {
namespace {

using json_detail::append_utf8;
using json_detail::utf8_length;

std::string written(std::uint32_t code) {
  std::string text;
  append_utf8(text, code);
  return text;
}

TEST(Utf8, WritesTheFirstAndTheLastOfEachLength) {
  EXPECT_EQ(written(0x7F), "\x7F");
  EXPECT_EQ(written(0x80), "\xC2\x80");
  EXPECT_EQ(written(0x7FF), "\xDF\xBF");
  EXPECT_EQ(written(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(written(0xD7FF), "\xED\x9F\xBF");
  EXPECT_EQ(written(0xE000), "\xEE\x80\x80");
  EXPECT_EQ(written(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(written(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(written(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8, WritesTheReplacementCharacterForWhatIsNone) {
  for (const std::uint32_t code : {0xD800U, 0xDFFFU, 0x110000U}) {
    EXPECT_EQ(written(code), "\xEF\xBF\xBD") << code;
  }
}

TEST(Utf8, MeasuresWhatItWrites) {
  for (const std::uint32_t code : {0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xFFFFU, 0x10000U}) {
    const std::string text = written(code);
    EXPECT_EQ(utf8_length(text, 0), text.size()) << code;
    // A sequence that the end of the text cuts is none, whatever lies behind it.
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
      EXPECT_EQ(utf8_length(std::string_view(text).substr(0, cut), 0), 0U) << code;
    }
  }
}

TEST(Utf8, NoSequenceIsOverlongOrASurrogate) {
  for (const char* text : {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_EQ(utf8_length(text, 0), 0U) << text;
  }
}

}  // namespace
}  // namespace trtlens::utf8_test
