// Finds the end of strings with raw quotes or none, and reads numbers such as nan and -inf.
#include "parsers/json/tolerant_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "parsers/text/utf8.h"

namespace trtlens::json_detail {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kMaxLookahead = 4096;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != kNone;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// `nan`, `-nan`, `-nan(ind)`, `inf`, `Infinity`, `1.#QNAN`.
bool is_not_finite(std::string_view word) {
  std::string text = lower(word);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.erase(0, 1);
  return text.rfind("nan", 0) == 0 || text == "inf" || text == "infinity" ||
         text.find('#') != std::string::npos;
}

std::optional<std::uint32_t> hex4(std::string_view text, std::size_t at, std::size_t end) {
  if (at + 4 > end) return std::nullopt;
  std::uint32_t value = 0;
  const char* const last = text.data() + at + 4;
  const auto [stop, error] = std::from_chars(text.data() + at, last, value, 16);
  if (error != std::errc() || stop != last) return std::nullopt;
  return value;
}

std::string byte_text(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const unsigned byte = static_cast<unsigned char>(c);
  return std::string("byte 0x") + kDigits[byte >> 4U] + kDigits[byte & 0xFU];
}

}  // namespace

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

// The quote that ends the string at `begin` in valid JSON; npos when it is not near.
std::size_t TolerantTokens::plain_end(std::size_t begin) const {
  const std::size_t limit = std::min(text_.size(), begin + kMaxLookahead);
  for (std::size_t i = begin + 1; i < limit; ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      return i;
    }
  }
  return kNone;
}

std::string_view TolerantTokens::key_at(std::size_t at) const {
  const std::size_t quote = plain_end(at);
  if (quote == kNone) return {};
  const std::size_t next = skip_blanks(text_, quote + 1);
  if (next >= text_.size() || text_[next] != ':') return {};
  return text_.substr(at, quote + 1 - at);
}

// `"key" :` at `at`, as far as the text goes.
bool TolerantTokens::may_be_key(std::size_t at) const {
  const std::size_t quote = plain_end(at);
  if (quote == kNone) return text_.size() - at <= kMaxLookahead;
  const std::size_t next = skip_blanks(text_, quote + 1);
  return next >= text_.size() || text_[next] == ':';
}

bool TolerantTokens::ends_at(std::size_t quote, StringRole role) const {
  const std::size_t next = skip_blanks(text_, quote + 1);
  if (next >= text_.size()) return true;
  const char c = text_[next];
  if (role == StringRole::key) return c == ':';
  if (role == StringRole::root) return is_one_of(c, "{[\",");
  const std::size_t second = skip_blanks(text_, next + 1);
  const bool is_last = second >= text_.size();
  if (c == (role == StringRole::member ? '}' : ']')) {
    return is_last || is_one_of(text_[second], ",]}{[");
  }
  if (c != ',') return false;
  if (is_last) return true;
  if (role == StringRole::item) return is_one_of(text_[second], "\"{[]-0123456789ntf");
  if (text_[second] != '"') return text_[second] == '}';
  return may_be_key(second) || text_.substr(next, second - next).find('\n') != kNone;
}

// Whether the quote of a `\"` ends a name that ends in a backslash and was written raw. Where it is
// an escaped quote, as in valid JSON, the next plain quote ends the string.
bool TolerantTokens::ends_raw(std::size_t quote, StringRole role) {
  if (!ends_at(quote, role)) return false;
  if (plain_quote_ < quote) {
    plain_quote_ = quote + 1;
    while (plain_quote_ < text_.size() && text_[plain_quote_] != '"') {
      plain_quote_ += text_[plain_quote_] == '\\' ? 2 : 1;
    }
    plain_ends_ = plain_quote_ < text_.size() && ends_at(plain_quote_, role);
  }
  return !plain_ends_;
}

// Whether the document goes on at `next`, the first byte of a line that is not blank: a string that
// is still open there lacks its closing quote. A name may have line ends of its own, and brackets
// behind them.
bool TolerantTokens::line_closes(std::size_t next, StringRole role) const {
  if (next >= text_.size()) return false;
  const char c = text_[next];
  if (c == '"') return !key_at(next).empty();
  if (c == '}' || c == ']') {
    const std::size_t behind = text_.find_first_not_of("}] \t\r\n", next);
    return behind == kNone || text_[behind] == ',';
  }
  const std::size_t second = skip_blanks(text_, next + 1);
  if (c != ',' || second >= text_.size()) return false;
  if (text_[second] != '"') return is_one_of(text_[second], "{[");
  if (role != StringRole::item) return !key_at(second).empty();
  const std::size_t end = plain_end(second);
  return end != kNone && ends_at(end, role);
}

// A string without its closing quote: what stands behind it belongs to the document. A name may end
// in `]` or `}`, as `{ForeignNode[a...b]}` does; trtexec writes a blank before the bracket.
TolerantTokens::End TolerantTokens::without_quote(std::size_t begin, std::size_t end) {
  const auto trim = [&] {
    while (end > begin && is_blank(text_[end - 1])) --end;
  };
  trim();
  if (end > begin && text_[end - 1] == ',') --end;
  trim();
  if (end > begin + 1 && text_[end - 1] == '}' && is_blank(text_[end - 2])) --end;
  trim();
  repairs_.note(Repair::missing_quote, begin, text_.substr(begin, end - begin));
  return {end, end};
}

TolerantTokens::End TolerantTokens::find_end(std::size_t begin, StringRole role) {
  std::size_t first_quote = kNone;
  std::size_t i = begin;
  for (; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\\' && i + 1 < text_.size()) {
      if (text_[i + 1] != '"' || !ends_raw(i + 1, role)) ++i;
    } else if (c == '\n') {
      const std::size_t next = skip_blanks(text_, i);
      if (line_closes(next, role) || (role == StringRole::key && first_quote != kNone)) break;
      i = next - 1;
    } else if (c == '"') {
      if (ends_at(i, role)) return {i, i + 1};
      if (first_quote == kNone) first_quote = i;
      if (i - first_quote >= search_budget_) break;
    }
  }
  if (first_quote == kNone) return i < text_.size() ? without_quote(begin, i) : End{};
  search_budget_ -= std::min(search_budget_, i - first_quote);
  // `"name" : "conv1, "timeMs" : 1`: the quote opens the next key.
  const std::size_t before = text_.find_last_not_of(" \t\r\n", first_quote - 1);
  if (role == StringRole::member && before >= begin && text_[before] == ',' &&
      may_be_key(first_quote)) {
    return without_quote(begin, first_quote);
  }
  return {first_quote, first_quote + 1};
}

Token TolerantTokens::read_string(std::size_t begin, StringRole role) {
  Token token;
  const End end = find_end(begin + 1, role);
  if (end.at == kNone) {
    token.cut = true;
    token.end = text_.size();
    return token;
  }
  decode(begin + 1, end.at);
  token.value.kind = Scalar::Kind::string;
  token.value.text = buffer_;
  token.value.offset = begin;
  token.end = end.next;
  return token;
}

void TolerantTokens::decode(std::size_t begin, std::size_t end) {
  buffer_.clear();
  for (std::size_t i = begin; i < end;) {
    const char c = text_[i];
    if (c == '\\') {
      i = decode_escape(i, end);
      continue;
    }
    if (c == '"') repairs_.note(Repair::unescaped_quote, i, text_.substr(begin, end - begin));
    if (static_cast<unsigned char>(c) < 0x20) repairs_.note(Repair::control_byte, i, byte_text(c));
    const std::size_t length = utf8_length(text_, i);
    if (length == 0) repairs_.note(Repair::invalid_utf8, i, byte_text(c));
    const std::size_t step = std::max<std::size_t>(length, 1);
    buffer_.append(text_.substr(i, step));
    i += step;
  }
}

// Returns where the string goes on. What is no escape is a backslash of the name.
std::size_t TolerantTokens::decode_escape(std::size_t at, std::size_t end) {
  const char kind = at + 1 < end ? text_[at + 1] : '\0';
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  const std::size_t known = kind == '\0' ? kNone : kNames.find(kind);
  if (known != kNone) {
    buffer_ += kValues[known];
    return at + 2;
  }
  const std::optional<std::uint32_t> unit =
      kind == 'u' ? hex4(text_, at + 2, end) : std::optional<std::uint32_t>{};
  if (!unit) {
    repairs_.note(Repair::backslash, at, text_.substr(at, std::min<std::size_t>(end - at, 12)));
    buffer_ += '\\';
    return at + 1;
  }
  std::uint32_t code = *unit;
  std::size_t next = at + 6;
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(next, 2) == "\\u") {
    const std::optional<std::uint32_t> low = hex4(text_, next + 2, end);
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (*low - 0xDC00);
      next += 6;
    }
  }
  append_utf8(buffer_, code);
  return next;
}

Token TolerantTokens::read_literal(std::size_t begin, StringRole role) {
  Token token;
  std::size_t end = begin;
  while (end < text_.size() && !is_blank(text_[end]) && !is_one_of(text_[end], ",:[]{}\"")) ++end;
  token.end = std::max(end, begin + 1);
  // A number that the text ends in may have lost digits.
  token.cut = token.end >= text_.size();
  const std::string_view word = text_.substr(begin, token.end - begin);
  Scalar& value = token.value;
  if (token.cut || word == "null") return token;
  const std::string lowered = lower(word);
  if (lowered == "true" || lowered == "false") {
    value.kind = Scalar::Kind::boolean;
    value.truth = lowered == "true";
    if (word != lowered) repairs_.note(Repair::literal, begin, word);
  } else if (lowered == "none" || lowered == "null") {
    repairs_.note(Repair::literal, begin, word);
  } else if (is_not_finite(word)) {
    repairs_.note(Repair::nan, begin, word);
    value.not_finite =
        lowered.find("inf") != kNone ? Scalar::NotFinite::infinite : Scalar::NotFinite::nan;
  } else if ((text_[end] == '"' && ends_at(end, role)) || !number(word, begin, value)) {
    open_string(begin, role, token);
  }
  return token;
}

// What is no literal: a string that lacks its opening quote, when the next quote of the line can
// end one.
void TolerantTokens::open_string(std::size_t begin, StringRole role, Token& token) {
  const std::size_t limit = std::min(text_.size(), begin + std::min(search_budget_, kMaxLookahead));
  std::size_t end = begin;
  while (end < limit && text_[end] != '"' && text_[end] != '\n') {
    end += text_[end] == '\\' ? 2 : 1;
  }
  search_budget_ -= std::min(search_budget_, end - begin);
  if (end >= limit || text_[end] != '"' || !ends_at(end, role)) {
    repairs_.note(Repair::unexpected, begin, text_.substr(begin, token.end - begin));
    return;
  }
  repairs_.note(Repair::missing_quote, begin, text_.substr(begin, end - begin));
  decode(begin, end);
  token.value.kind = Scalar::Kind::string;
  token.value.text = buffer_;
  token.end = end + 1;
}

// False when the word is no number.
bool TolerantTokens::number(std::string_view word, std::size_t begin, Scalar& value) {
  std::string_view digits = word;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const char* const first = digits.data();
  const char* const last = first + digits.size();
  if (!digits.empty()) {
    const auto whole = std::from_chars(first, last, value.integer);
    const bool is_signed = whole.ec == std::errc() && whole.ptr == last;
    const auto positive = std::from_chars(first, last, value.magnitude);
    const bool is_unsigned = positive.ec == std::errc() && positive.ptr == last;
    auto real = std::from_chars(first, last, value.real);
    if (real.ec == std::errc::result_out_of_range && real.ptr == last) {
      // Too small is 0 or nearly, which is no defect; too large has no value.
      value.real = std::strtod(std::string(digits).c_str(), nullptr);
      if (std::isfinite(value.real)) real.ec = std::errc();
    }
    if (real.ec == std::errc() && real.ptr == last && std::isfinite(value.real)) {
      value.kind = is_signed || is_unsigned ? Scalar::Kind::integer : Scalar::Kind::real;
      if (value.kind == Scalar::Kind::real) value.text = word;
      // Strictly, -0 is an integer, and has no sign.
      if (is_signed && value.integer == 0) value.real = 0;
      return true;
    }
    if (real.ec == std::errc::result_out_of_range && real.ptr == last) {
      repairs_.note(Repair::number, begin, word);
      return true;
    }
  }
  return false;
}

Token TolerantTokens::read_bare_key(std::size_t begin) {
  Token token;
  std::size_t end = begin;
  while (end < text_.size() && !is_blank(text_[end]) && !is_one_of(text_[end], ",:[]{}\"")) ++end;
  token.end = std::max(end, begin + 1);
  token.cut = token.end >= text_.size();
  token.value.kind = Scalar::Kind::string;
  token.value.text = text_.substr(begin, token.end - begin);
  if (!token.cut && end > begin && text_[end] == '"' && ends_at(end, StringRole::key)) ++token.end;
  return token;
}

}  // namespace trtlens::json_detail
