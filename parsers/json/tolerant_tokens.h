// Strings and literals of JSON that was written without a JSON library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/json/collector.h"
#include "parsers/json/repairs.h"

namespace trtlens::json_detail {

// Where a string stands; decides what may follow its closing quote.
enum class StringRole : std::uint8_t { root, key, member, item };

struct Token {
  Scalar value;         // its text lives until the next token is read
  std::size_t end = 0;  // first byte after it
  bool cut = false;     // the text ends inside it
};

class TolerantTokens {
 public:
  TolerantTokens(std::string_view text, Repairs& repairs) : text_(text), repairs_(repairs) {}

  // A string whose opening quote is at `begin`. trtexec escapes nothing, so a quote ends it only
  // when what follows makes sense there.
  Token read_string(std::size_t begin, StringRole role);
  // A number, `true`, `nan`, …
  Token read_literal(std::size_t begin);
  // A key without quotes.
  Token read_bare_key(std::size_t begin);

 private:
  [[nodiscard]] bool ends_at(std::size_t quote, StringRole role) const;
  [[nodiscard]] bool key_follows(std::size_t at) const;
  [[nodiscard]] bool ends_raw(std::size_t quote, StringRole role);
  // Closing quote of the string, npos when there is none.
  [[nodiscard]] std::size_t find_end(std::size_t begin, StringRole role);
  void decode(std::size_t begin, std::size_t end);
  std::size_t decode_escape(std::size_t at, std::size_t end);
  void number(std::string_view word, std::size_t begin, Scalar& value);

  std::string_view text_;
  Repairs& repairs_;
  std::string buffer_;
  // Bytes that may still be searched in vain, so that a hostile file costs linear time.
  std::size_t search_budget_ = std::size_t{16} << 20U;
  std::size_t plain_quote_ = 0;  // last found behind a `\"`: no byte is searched twice
};

[[nodiscard]] std::size_t skip_blanks(std::string_view text, std::size_t at);

}  // namespace trtlens::json_detail
