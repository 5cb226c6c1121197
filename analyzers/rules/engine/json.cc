// nlohmann says whether a text is JSON; a reader of our own, which is fast and knows where it is,
// makes the tree.
#include "analyzers/rules/engine/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace trtlens {
namespace {

constexpr std::size_t kMaxDepth = 32;

// Whether a text is JSON, and where not.
class Checker : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Checker(PlacedJsonError& error) : error_(error) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& ex) override {
    std::string what = ex.what();
    const std::size_t cut = what.find(": ");
    if (cut != std::string::npos) what.erase(0, cut + 2);
    error_ = {position > 0 ? position - 1 : 0, what};
    return false;
  }

 private:
  PlacedJsonError& error_;
};

// Of a text that is JSON: where every value stands. A fortieth of nlohmann's time.
class TreeReader {
 public:
  explicit TreeReader(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // a byte order mark
  }

  PlacedJson value() {
    PlacedJson out;
    const char c = next();
    out.offset = at_;
    switch (c) {
      case '"':
        out.kind = PlacedJson::Kind::string;
        out.text = string();
        break;
      case '{':
      case '[':
        members(out);
        break;
      default: {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}/", at_), text_.size());
        scalar(text_.substr(at_, end - at_), out);
        at_ = end;
      }
    }
    return out;
  }
  // The first bracket that nests too deeply; what is in it was not read.
  [[nodiscard]] std::optional<std::size_t> too_deep() const { return too_deep_; }

 private:
  static bool is_between(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ':';
  }
  // What stands next, behind blanks, comments and the comma or colon in between.
  char next() {
    while (at_ < text_.size() && (is_between(text_[at_]) || text_[at_] == '/')) {
      if (text_[at_] == '/') {
        skip_comment();
      } else {
        ++at_;
      }
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // Checked before: outside strings a slash begins nothing else.
  void skip_comment() {
    const bool is_line = text_.substr(at_, 2) == "//";
    const std::size_t end = is_line ? text_.find_first_of("\r\n", at_) : text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + (is_line ? 0 : 2);
  }

  void members(PlacedJson& out) {
    out.kind = text_[at_] == '{' ? PlacedJson::Kind::object : PlacedJson::Kind::array;
    if (++depth_ > kMaxDepth) {
      if (!too_deep_) too_deep_ = at_;
      at_ = text_.size();
      return;
    }
    ++at_;
    for (char c = next(); c != '}' && c != ']' && c != '\0'; c = next()) {
      if (out.kind == PlacedJson::Kind::object) {
        const std::size_t offset = at_;
        out.keys.emplace_back(string(), offset);
      }
      out.items.push_back(value());
    }
    --depth_;
    ++at_;
  }

  std::string string() {
    const std::size_t begin = at_++;
    bool is_plain = true;
    for (; text_[at_] != '"'; ++at_) {
      if (text_[at_] != '\\') continue;
      is_plain = false;
      ++at_;
    }
    ++at_;
    const std::string_view quoted = text_.substr(begin, at_ - begin);
    if (is_plain) return std::string(quoted.substr(1, quoted.size() - 2));
    return nlohmann::json::parse(quoted).get<std::string>();
  }

  static void scalar(std::string_view text, PlacedJson& out) {
    if (text == "null") return;
    out.kind =
        text == "true" || text == "false" ? PlacedJson::Kind::boolean : PlacedJson::Kind::number;
    out.boolean = text == "true";
    std::from_chars(text.data(), text.data() + text.size(), out.number);
  }

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  std::optional<std::size_t> too_deep_;
};

}  // namespace

std::optional<PlacedJson> parse_placed_json(std::string_view text, PlacedJsonError& error,
                                            JsonComments comments) {
  // nlohmann takes one behind the last bracket for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    error = {nul, "a NUL byte"};
    return std::nullopt;
  }
  Checker checker(error);
  const bool skip = comments == JsonComments::skipped;
  if (!nlohmann::json::sax_parse(text, &checker, nlohmann::json::input_format_t::json, true,
                                 skip)) {
    return std::nullopt;
  }
  TreeReader reader(text);
  PlacedJson root = reader.value();
  if (!reader.too_deep()) return root;
  error = {*reader.too_deep(), "nesting deeper than 32"};
  return std::nullopt;
}

LineStarts::LineStarts(std::string_view text) : starts_{0}, size_(text.size()) {
  for (std::size_t at = text.find('\n'); at < text.size(); at = text.find('\n', at + 1)) {
    starts_.push_back(at + 1);
  }
}

std::pair<std::size_t, std::size_t> LineStarts::line_and_column(std::size_t offset) const {
  offset = std::min(offset, size_);
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<std::size_t>(behind - starts_.begin()), offset - behind[-1] + 1};
}

const char* to_string(PlacedJson::Kind kind) {
  static constexpr std::array kNames = {"null",     "a boolean", "a number",
                                        "a string", "an array",  "an object"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace trtlens
