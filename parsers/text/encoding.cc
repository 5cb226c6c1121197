// Tells UTF-16 by its byte order mark, or by the zero bytes around the first bracket. UTF-8 by
// Boost.Locale's templates, which need no library.
#include "parsers/text/encoding.h"

#include <array>
#include <boost/locale/utf.hpp>
#include <cstddef>
#include <iterator>

namespace trtlens::json_detail {
namespace {

namespace utf = boost::locale::utf;
using Utf8 = utf::utf_traits<char>;

bool is_json_start(char c) {
  return c == '{' || c == '[' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

std::uint32_t unit_at(std::string_view bytes, std::size_t i, Encoding encoding) {
  const std::uint32_t first = static_cast<unsigned char>(bytes[i]);
  const std::uint32_t second = static_cast<unsigned char>(bytes[i + 1]);
  return encoding == Encoding::utf16_le ? first | (second << 8U) : (first << 8U) | second;
}

}  // namespace

Encoding encoding_of(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") return Encoding::utf8_bom;
  if (bytes.substr(0, 2) == "\xff\xfe") return Encoding::utf16_le;
  if (bytes.substr(0, 2) == "\xfe\xff") return Encoding::utf16_be;
  if (bytes.size() >= 2 && bytes[1] == '\0' && is_json_start(bytes[0])) return Encoding::utf16_le;
  if (bytes.size() >= 2 && bytes[0] == '\0' && is_json_start(bytes[1])) return Encoding::utf16_be;
  return Encoding::utf8;
}

const char* to_string(Encoding encoding) {
  constexpr std::array kNames{"UTF-8", "a UTF-8 byte order mark", "UTF-16, little endian",
                              "UTF-16, big endian"};
  return kNames[static_cast<std::size_t>(encoding)];
}

std::string utf8_of_utf16(std::string_view bytes, Encoding encoding) {
  std::string out;
  out.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit_at(bytes, i, encoding);
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size()) {
      const std::uint32_t low = unit_at(bytes, i + 2, encoding);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        i += 2;
      }
    }
    append_utf8(out, code);
  }
  return out;
}

void append_utf8(std::string& out, std::uint32_t code) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  Utf8::encode(utf::is_valid_codepoint(code) ? code : kReplacement, std::back_inserter(out));
}

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const char* const begin = text.data() + i;
  const char* at = begin;
  const utf::code_point code = Utf8::decode(at, text.data() + text.size());
  if (code == utf::illegal || code == utf::incomplete) return 0;
  return static_cast<std::size_t>(at - begin);
}

}  // namespace trtlens::json_detail
