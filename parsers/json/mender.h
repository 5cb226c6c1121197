// What stands in front of the strict reader where a document is no JSON: reads its strings, and
// knows its numbers that are none, as trtexec writes them, which escapes nothing; and finds the
// commas that torch-tensorrt's profiles have behind the last member of each layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/json/collector.h"
#include "parsers/json/repairs.h"

namespace trtlens::json_detail {

class Mender {
 public:
  Mender(std::string_view text, Repairs& repairs) : text_(text), repairs_(repairs) {}

  // Passes over what is valid outside of strings, from `at` on, to the first string, `nan` or the
  // like, or comma in front of a closing bracket, or the end of the text.
  [[nodiscard]] std::size_t pass(std::size_t at);
  // Reads the string whose opening quote is before `begin` and the last that pass() came to. What
  // is at the place returned ends it: a quote; a line end, where the quote is lost; or the text.
  [[nodiscard]] std::size_t read_string(std::size_t begin);
  [[nodiscard]] std::string_view string() const { return string_; }
  // Reads the `nan` at `begin`; returns its end.
  [[nodiscard]] std::size_t read_not_finite(std::size_t begin);
  // Passes over the comma at `at`, to which pass() came; returns its end.
  [[nodiscard]] std::size_t drop_comma(std::size_t at);
  // What the null that stands in place of a `nan` is; once.
  [[nodiscard]] Scalar::NotFinite take_not_finite();

 private:
  // Where a string stands; decides what may follow its closing quote.
  enum class Role : std::uint8_t { root, key, member, item };

  [[nodiscard]] Role role() const;
  [[nodiscard]] std::size_t word_end(std::size_t at) const;
  [[nodiscard]] bool is_trailing_comma(std::size_t at) const;
  [[nodiscard]] std::size_t plain_end(std::size_t begin) const;
  [[nodiscard]] bool is_key(std::size_t at, bool may_be_cut = false) const;
  [[nodiscard]] bool ends_at(std::size_t quote, Role role) const;
  [[nodiscard]] bool ends_raw(std::size_t quote, Role role);
  [[nodiscard]] bool line_closes(std::size_t next, Role role) const;
  [[nodiscard]] bool is_stray(std::size_t quote, std::size_t begin, Role role) const;
  [[nodiscard]] std::size_t find_end(std::size_t begin, Role role);
  void decode(std::size_t begin, std::size_t end);
  std::size_t decode_escape(std::size_t at, std::size_t end);

  std::string_view text_;
  Repairs& repairs_;
  std::string string_;
  std::string brackets_;      // that are open, see kListOfNames
  bool after_colon_ = false;  // of a member
  Scalar::NotFinite not_finite_ = Scalar::NotFinite::no;
  // Bytes that may still be searched in vain, so that a hostile file costs linear time.
  std::size_t search_budget_ = std::size_t{16} << 20U;
  std::size_t plain_quote_ = 0;  // last found behind a `\"`: no byte is searched twice
  bool plain_ends_ = false;      // whether it can end the string
};

}  // namespace trtlens::json_detail
