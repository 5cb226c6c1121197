// A JSON reader with positions, and a fast one for what was checked when it was embedded.
#include "analyzers/rules/engine/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

namespace trtlens {
namespace {

constexpr std::size_t kMaxDepth = 32;

// nlohmann's SAX events carry no position, so the iterator counts what the lexer took.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* taken_;
};

bool is_number_byte(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Builder(std::string_view text, const std::size_t* taken, PlacedJsonError* error)
      : text_(text), taken_(taken), error_(error) {}

  bool null() { return add(scalar(PlacedJson::Kind::null, before(4))); }
  bool boolean(bool value) {
    PlacedJson node = scalar(PlacedJson::Kind::boolean, before(value ? 4 : 5));
    node.boolean = value;
    return add(std::move(node));
  }
  bool number_integer(number_integer_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) { return number(value); }
  bool string(string_t& value) {
    PlacedJson node = scalar(PlacedJson::Kind::string, string_start());
    node.text = std::move(value);
    return add(std::move(node));
  }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(PlacedJson::Kind::object); }
  bool start_array(std::size_t) { return open(PlacedJson::Kind::array); }
  bool key(string_t& value) {
    stack_.back().keys.emplace_back(std::move(value), string_start());
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& ex) {
    std::string what = ex.what();
    const std::size_t cut = what.find(": ");
    if (cut != std::string::npos) what.erase(0, cut + 2);
    *error_ = {position > 0 ? position - 1 : 0, what};
    return false;
  }

  std::optional<PlacedJson> take() { return std::move(root_); }

 private:
  [[nodiscard]] std::size_t before(std::size_t length) const {
    return *taken_ - std::min(length, *taken_);
  }

  // The closing quote was just taken; the opening one is the last unescaped quote before it.
  [[nodiscard]] std::size_t string_start() const {
    std::size_t at = *taken_ >= 2 ? *taken_ - 2 : 0;
    for (; at > 0; --at) {
      if (text_[at] != '"') continue;
      std::size_t slashes = 0;
      while (slashes < at && text_[at - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) break;
    }
    return at;
  }

  bool number(double value) {
    std::size_t at = *taken_;
    while (at > 0 && !is_number_byte(text_[at - 1])) --at;  // the lexer looks one byte ahead
    while (at > 0 && is_number_byte(text_[at - 1])) --at;
    PlacedJson node = scalar(PlacedJson::Kind::number, at);
    node.number = value;
    return add(std::move(node));
  }

  static PlacedJson scalar(PlacedJson::Kind kind, std::size_t offset) {
    PlacedJson node;
    node.kind = kind;
    node.offset = offset;
    return node;
  }

  bool open(PlacedJson::Kind kind) {
    if (stack_.size() == kMaxDepth) {
      *error_ = {before(1), "nesting deeper than 32"};
      return false;
    }
    stack_.push_back(scalar(kind, before(1)));
    return true;
  }

  bool close() {
    PlacedJson node = std::move(stack_.back());
    stack_.pop_back();
    return add(std::move(node));
  }

  bool add(PlacedJson node) {
    if (stack_.empty()) {
      root_ = std::move(node);
    } else {
      stack_.back().items.push_back(std::move(node));
    }
    return true;
  }

  std::string_view text_;
  const std::size_t* taken_;
  PlacedJsonError* error_;
  std::vector<PlacedJson> stack_;
  std::optional<PlacedJson> root_;
};

// JSON that this program wrote itself: no faults, no places, a fortieth of the time.
class TrustedReader {
 public:
  explicit TrustedReader(std::string_view text) : text_(text) {}

  PlacedJson value() {
    PlacedJson out;
    switch (next()) {
      case '"':
        out.kind = PlacedJson::Kind::string;
        out.text = string();
        break;
      case '{':
      case '[':
        members(out);
        break;
      default: {
        const std::size_t end = std::min(text_.find_first_of(",]}\n", at_), text_.size());
        scalar(text_.substr(at_, end - at_), out);
        at_ = end;
      }
    }
    return out;
  }

 private:
  // What stands next, behind blanks and the comma or colon in between.
  char next() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == ',' || text_[at_] == ':')) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void members(PlacedJson& out) {
    out.kind = text_[at_] == '{' ? PlacedJson::Kind::object : PlacedJson::Kind::array;
    ++at_;
    for (char c = next(); c != '}' && c != ']' && c != '\0'; c = next()) {
      if (out.kind == PlacedJson::Kind::object) out.keys.emplace_back(string(), 0);
      out.items.push_back(value());
    }
    ++at_;
  }

  // Escapes are of quotes, backslashes, line feeds and tabs: a test compares with the strict
  // reader.
  std::string string() {
    std::string out;
    for (std::size_t from = ++at_;; from = at_) {
      while (text_[at_] != '"' && text_[at_] != '\\') ++at_;
      out.append(text_, from, at_ - from);
      if (text_[at_++] == '"') return out;
      const char c = text_[at_++];
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }

  static void scalar(std::string_view text, PlacedJson& out) {
    out.kind =
        text == "true" || text == "false" ? PlacedJson::Kind::boolean : PlacedJson::Kind::number;
    out.boolean = text == "true";
    std::from_chars(text.data(), text.data() + text.size(), out.number);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<PlacedJson> parse_placed_json(std::string_view text, PlacedJsonError& error) {
  std::size_t taken = 0;
  Builder builder(text, &taken, &error);
  const CountingIterator first(text.data(), &taken);
  const CountingIterator last(text.data() + text.size(), &taken);
  if (!nlohmann::json::sax_parse(first, last, &builder)) return std::nullopt;
  return builder.take();
}

PlacedJson parse_trusted_json(std::string_view text) {
  return TrustedReader(text).value();
}

std::pair<std::size_t, std::size_t> line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return {lines + 1, before.size() - start + 1};
}

const char* to_string(PlacedJson::Kind kind) {
  static constexpr std::array kNames = {"null",     "a boolean", "a number",
                                        "a string", "an array",  "an object"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace trtlens
