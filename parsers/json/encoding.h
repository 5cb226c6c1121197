// Bytes of a redirected file to UTF-8 text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trtlens::json_detail {

enum class Encoding : std::uint8_t { utf8, utf8_bom, utf16_le, utf16_be };

// From the byte order mark; without one, from the zero bytes around the first bracket.
[[nodiscard]] Encoding encoding_of(std::string_view bytes);
// "UTF-16, little endian", …
[[nodiscard]] const char* to_string(Encoding encoding);
// UTF-16 to UTF-8 (lone surrogates become U+FFFD), without byte order mark. Only for UTF-16.
[[nodiscard]] std::string utf8_of_utf16(std::string_view bytes, Encoding encoding);

}  // namespace trtlens::json_detail
