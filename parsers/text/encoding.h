// Bytes of a redirected file to UTF-8 text, and UTF-8 as far as JSON strings need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trtlens::json_detail {

enum class Encoding : std::uint8_t { utf8, utf8_bom, utf16_le, utf16_be };

// From the byte order mark; without one, from the zero bytes around the first bracket.
[[nodiscard]] Encoding encoding_of(std::string_view bytes);
// "UTF-16, little endian", …
[[nodiscard]] const char* to_string(Encoding encoding);
// UTF-16 to UTF-8 (lone surrogates become U+FFFD); a byte order mark stays, as without_bom() knows
// it. Only for UTF-16.
[[nodiscard]] std::string utf8_of_utf16(std::string_view bytes, Encoding encoding);

// Appends a code point; a surrogate or a number beyond Unicode becomes U+FFFD.
void append_utf8(std::string& out, std::uint32_t code);
// Length of the valid UTF-8 sequence at `i`, 0 when there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t i);

// Of UTF-8.
[[nodiscard]] inline std::string_view without_bom(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  return text;
}
// From the first byte on that is none.
[[nodiscard]] inline std::string_view skip_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

}  // namespace trtlens::json_detail
