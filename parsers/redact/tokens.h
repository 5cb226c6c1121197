// Cuts a text where names can begin and end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trtlens {

// `word`: letters, digits and what is not ASCII. `joint`: a sign inside of names and paths. `gap`:
// stands between tokens.
enum class SignKind : std::uint8_t { word, joint, gap };

struct Sign {
  SignKind kind = SignKind::gap;
  std::size_t bytes = 1;
};

// The sign at `at`, which may be an escape of JSON (`\u00e9`, `\/`), but not `\n` and the like: in
// a log that is the beginning of a name.
[[nodiscard]] Sign sign_at(std::string_view text, std::size_t at);
// Behind the last of the signs from `at` on that are of a token; of a word.
[[nodiscard]] std::size_t end_of_token(std::string_view text, std::size_t at);
[[nodiscard]] std::size_t end_of_word(std::string_view text, std::size_t at);

}  // namespace trtlens
