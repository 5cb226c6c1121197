// Reads strings and numbers that are none, as trtexec writes them, and drops trailing commas.
#include "parsers/json/mender.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "parsers/text/ascii.h"
#include "parsers/text/encoding.h"

namespace trtlens::json_detail {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kMaxLookahead = 4096;
constexpr char kListOfNames = 'n';  // among the open brackets: a list with a string in it

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != kNone;
}

// `nan`, `-nan`, `-nan(ind)`, `inf`, `Infinity`, `1.#QNAN`.
bool is_not_finite(std::string_view word) {
  std::string text = lower(word);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.erase(0, 1);
  return text.rfind("nan", 0) == 0 || text == "inf" || text == "infinity" ||
         text.rfind("1.#", 0) == 0;
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

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

}  // namespace

std::size_t Mender::word_end(std::size_t at) const {
  return std::min(text_.find_first_of(" \t\r\n,:[]{}\"", at), text_.size());
}

std::size_t Mender::pass(std::size_t at) {
  while (at < text_.size() && text_[at] != '"') {
    const char c = text_[at];
    const std::size_t end = word_end(at);
    if (end > at) {
      if (is_not_finite(text_.substr(at, end - at))) return at;
      at = end;
      continue;
    }
    if (is_trailing_comma(at)) return at;
    if (c == '{' || c == '[') brackets_ += c;
    if ((c == '}' || c == ']') && !brackets_.empty()) brackets_.pop_back();
    if (!is_blank(c)) after_colon_ = c == ':';
    ++at;
  }
  return at;
}

// Behind a value, in front of the bracket that closes its list or object.
bool Mender::is_trailing_comma(std::size_t at) const {
  if (text_[at] != ',' || at == 0) return false;
  const std::size_t next = skip_blanks(text_, at + 1);
  const std::size_t before = text_.find_last_not_of(" \t\r\n", at - 1);
  return next < text_.size() && is_one_of(text_[next], "]}") && before != kNone &&
         !is_one_of(text_[before], "[{,:");
}

std::size_t Mender::drop_comma(std::size_t at) {
  repairs_.note(Repair::trailing_comma, at, ",");
  return at + 1;
}

Mender::Role Mender::role() const {
  if (brackets_.empty()) return Role::root;
  if (brackets_.back() != '{') return Role::item;
  return after_colon_ ? Role::member : Role::key;
}

std::size_t Mender::read_not_finite(std::size_t begin) {
  const std::size_t end = word_end(begin);
  const std::string_view word = text_.substr(begin, end - begin);
  repairs_.note(Repair::nan, begin, word);
  not_finite_ =
      lower(word).find("inf") != kNone ? Scalar::NotFinite::infinite : Scalar::NotFinite::nan;
  return end;
}

Scalar::NotFinite Mender::take_not_finite() {
  return std::exchange(not_finite_, Scalar::NotFinite::no);
}

// The quote that ends the string at `begin` in valid JSON; npos when it is not near.
std::size_t Mender::plain_end(std::size_t begin) const {
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

// `"key" :` at `at`; `may_be_cut`: as far as the text goes.
bool Mender::is_key(std::size_t at, bool may_be_cut) const {
  const std::size_t quote = plain_end(at);
  if (quote == kNone) return may_be_cut && text_.size() - at <= kMaxLookahead;
  const std::size_t next = skip_blanks(text_, quote + 1);
  return next < text_.size() ? text_[next] == ':' : may_be_cut;
}

bool Mender::ends_at(std::size_t quote, Role role) const {
  const std::size_t next = skip_blanks(text_, quote + 1);
  if (next >= text_.size()) return true;
  const char c = text_[next];
  if (role == Role::key) return c == ':';
  if (role == Role::root) return is_one_of(c, "{[\",");
  const std::size_t second = skip_blanks(text_, next + 1);
  const bool is_last = second >= text_.size();
  if (c == (role == Role::member ? '}' : ']')) {
    return is_last || is_one_of(text_[second], ",]}{[");
  }
  if (c != ',') return false;
  if (is_last) return true;
  if (role == Role::item) return is_one_of(text_[second], "\"{[]-0123456789ntf");
  if (text_[second] != '"') return text_[second] == '}';
  return is_key(second, true) || text_.substr(next, second - next).find('\n') != kNone;
}

// Whether the quote of a `\"` ends a name that ends in a backslash and was written raw. Where it is
// an escaped quote, as in valid JSON, the next plain quote ends the string.
bool Mender::ends_raw(std::size_t quote, Role role) {
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
bool Mender::line_closes(std::size_t next, Role role) const {
  if (next >= text_.size()) return false;
  const char c = text_[next];
  if (c == '"') return is_key(next);
  if (c == '}' || c == ']') {
    const std::string_view near = text_.substr(next, kMaxLookahead);
    const std::size_t behind = near.find_first_not_of("}] \t\r\n");
    return behind == kNone || near[behind] == ',';
  }
  const std::size_t second = skip_blanks(text_, next + 1);
  if (c != ',' || second >= text_.size()) return false;
  if (text_[second] != '"') return is_one_of(text_[second], "{[");
  if (role != Role::item) return is_key(second);
  const std::size_t end = plain_end(second);
  return end != kNone && ends_at(end, role);
}

// Whether the first quote in a string shows a lost one. `"name" : "conv1, "timeMs" : 1`: it opens a
// key. `}, "name" : "b" }`: it ends one, in a list that lacks a bracket. Keys have no quotes in
// them.
bool Mender::is_stray(std::size_t quote, std::size_t begin, Role role) const {
  if (role == Role::key) return true;
  if (role == Role::item) return brackets_.back() == '[' && is_key(begin - 1);
  const std::size_t before = text_.find_last_not_of(" \t\r\n", quote - 1);
  return role == Role::member && before >= begin && text_[before] == ',' && is_key(quote, true);
}

std::size_t Mender::find_end(std::size_t begin, Role role) {
  std::size_t first_quote = kNone;
  std::size_t i = begin;
  for (; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '\\' && i + 1 < text_.size()) {
      if (text_[i + 1] != '"' || !ends_raw(i + 1, role)) ++i;
    } else if (c == '\n') {
      const std::size_t next = skip_blanks(text_, i);
      if (line_closes(next, role)) break;
      i = next - 1;
    } else if (c == '"') {
      if (ends_at(i, role)) return i;
      if (first_quote == kNone && is_stray(i, begin, role)) return i;
      if (first_quote == kNone) first_quote = i;
      if (i - first_quote >= search_budget_) break;
    }
  }
  if (first_quote == kNone) return std::min(i, text_.size());
  search_budget_ -= std::min(search_budget_, i - first_quote);
  return first_quote;
}

std::size_t Mender::read_string(std::size_t begin) {
  const Role role = this->role();
  const std::size_t end = find_end(begin, role);
  if (role == Role::item) brackets_.back() = kListOfNames;
  const bool has_quote = end < text_.size() && text_[end] == '"';
  string_.clear();
  if (has_quote) decode(begin, end);
  return end;
}

void Mender::decode(std::size_t begin, std::size_t end) {
  string_.clear();
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
    string_.append(text_.substr(i, step));
    i += step;
  }
}

// Returns where the string goes on. What is no escape is a backslash of the name.
std::size_t Mender::decode_escape(std::size_t at, std::size_t end) {
  const char kind = at + 1 < end ? text_[at + 1] : '\0';
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  const std::size_t known = kind == '\0' ? kNone : kNames.find(kind);
  if (known != kNone) {
    string_ += kValues[known];
    return at + 2;
  }
  const std::optional<std::uint32_t> unit =
      kind == 'u' ? hex4(text_, at + 2, end) : std::optional<std::uint32_t>{};
  if (!unit) {
    repairs_.note(Repair::backslash, at, text_.substr(at, std::min<std::size_t>(end - at, 12)));
    string_ += '\\';
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
  append_utf8(string_, code);
  return next;
}

}  // namespace trtlens::json_detail
