// UTF-8, as far as JSON strings need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trtlens::json_detail {

// Appends a code point; a surrogate or a number beyond Unicode becomes U+FFFD.
void append_utf8(std::string& out, std::uint32_t code);

// Length of the valid UTF-8 sequence at `i`, 0 when there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t i);

}  // namespace trtlens::json_detail
