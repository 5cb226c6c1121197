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
  // A number, `true`, `nan`, …; or a string that lacks its opening quote.
  Token read_literal(std::size_t begin, StringRole role);
  // The key of the `"key" :` at `at`, with its quotes; empty when none stands there.
  [[nodiscard]] std::string_view key_at(std::size_t at) const;
  // A key without quotes, or without the first of them.
  Token read_bare_key(std::size_t begin);

 private:
  [[nodiscard]] std::size_t plain_end(std::size_t begin) const;
  [[nodiscard]] bool may_be_key(std::size_t at) const;
  [[nodiscard]] bool ends_at(std::size_t quote, StringRole role) const;
  [[nodiscard]] bool ends_raw(std::size_t quote, StringRole role);
  // Where the text of a string ends, npos when the text ends in it, and what stands behind it.
  struct End {
    std::size_t at = std::string_view::npos, next = 0;
  };
  [[nodiscard]] End find_end(std::size_t begin, StringRole role);
  [[nodiscard]] bool line_closes(std::size_t next, StringRole role) const;
  [[nodiscard]] End without_quote(std::size_t begin, std::size_t end);
  void decode(std::size_t begin, std::size_t end);
  std::size_t decode_escape(std::size_t at, std::size_t end);
  void open_string(std::size_t begin, StringRole role, Token& token);
  bool number(std::string_view word, std::size_t begin, Scalar& value);

  std::string_view text_;
  Repairs& repairs_;
  std::string buffer_;
  // Bytes that may still be searched in vain, so that a hostile file costs linear time.
  std::size_t search_budget_ = std::size_t{16} << 20U;
  std::size_t plain_quote_ = 0;  // last found behind a `\"`: no byte is searched twice
  bool plain_ends_ = false;      // whether it can end the string
};

[[nodiscard]] std::size_t skip_blanks(std::string_view text, std::size_t at);

}  // namespace trtlens::json_detail
