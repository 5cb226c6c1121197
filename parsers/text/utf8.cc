// Writes one code point, and measures one sequence.
#include "parsers/text/utf8.h"

namespace trtlens::json_detail {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool is_continuation(std::uint32_t byte) {
  return (byte & 0xC0U) == 0x80U;
}

// Smallest and largest second byte after a lead byte: excludes overlong forms and surrogates.
bool is_second(std::uint32_t lead, std::uint32_t second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return is_continuation(second);
  }
}

}  // namespace

void append_utf8(std::string& out, std::uint32_t code) {
  if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) code = 0xFFFD;
  const auto put = [&out](std::uint32_t byte) {
    out += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

std::size_t utf8_length(std::string_view text, std::size_t i) {
  if (i >= text.size()) return 0;
  const std::uint32_t lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (length == 0 || i + length > text.size() || !is_second(lead, byte_at(text, i + 1))) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if (!is_continuation(byte_at(text, i + k))) return 0;
  }
  return length;
}

}  // namespace trtlens::json_detail
