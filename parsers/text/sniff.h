// What an input is, from its first bytes.
#pragma once

#include <string>
#include <string_view>

namespace trtlens {

// Whether an input that begins with these bytes is JSON rather than a log: `[{`, `{"`, `[ ]` are;
// `[07/07/2026-02:11:00] [I]`, `[TRT]`, `[libprotobuf ERROR` are not. UTF-16 is recognised.
[[nodiscard]] bool looks_like_json(std::string_view first_bytes);

// Of an input that begins with these bytes and holds a log in JSON strings (a notebook, records of
// a logger): what it is, and the jq line that takes the log out. Empty: it is none of that.
[[nodiscard]] std::string log_in_json(std::string_view first_bytes);

}  // namespace trtlens
