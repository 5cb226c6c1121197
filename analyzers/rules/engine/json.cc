// nlohmann reads the text; where its tokens stand is found beside it.
#include "analyzers/rules/engine/json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace trtlens {
namespace {

constexpr std::size_t kMaxDepth = 32;

// Makes the tree of what nlohmann reads, and finds the place of each token behind the one before:
// what stands in between are blanks, commas, colons and comments.
class TreeMaker : public nlohmann::json_sax<nlohmann::json> {
  using Kind = PlacedJson::Kind;

 public:
  TreeMaker(std::string_view text, PlacedJsonError& error) : text_(text), error_(error) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
  }

  [[nodiscard]] PlacedJson& root() { return top_.items.front(); }

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({.kind = Kind::boolean, .boolean = value}); }
  bool number_integer(number_integer_t value) override {
    return add({.kind = Kind::number, .number = static_cast<double>(value)});
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add({.kind = Kind::number, .number = static_cast<double>(value)});
  }
  bool number_float(number_float_t value, const string_t& /*digits*/) override {
    return add({.kind = Kind::number, .number = value});
  }
  bool string(string_t& value) override {
    return add({.kind = Kind::string, .text = std::move(value)});
  }
  bool binary(binary_t& /*bytes*/) override { return true; }  // JSON has none
  bool key(string_t& value) override {
    open_.back()->keys.emplace_back(std::move(value), take_token());
    return true;
  }
  bool start_object(std::size_t /*members*/) override { return open(Kind::object); }
  bool start_array(std::size_t /*items*/) override { return open(Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& ex) override {
    std::string what = ex.what();
    const std::size_t cut = what.find(": ");
    if (cut != std::string::npos) what.erase(0, cut + 2);
    error_ = {position > 0 ? position - 1 : 0, what};
    return false;
  }

 private:
  // Goes behind the next token; returns where it begins.
  std::size_t take_token() {
    constexpr std::string_view kBetween = " \t\r\n,:";
    at_ = text_.find_first_not_of(kBetween, at_);
    while (text_[at_] == '/') {
      const bool is_line = text_[at_ + 1] == '/';
      at_ = is_line ? text_.find_first_of("\r\n", at_) : text_.find("*/", at_ + 2) + 2;
      at_ = text_.find_first_not_of(kBetween, at_);
    }
    const std::size_t begin = at_;
    if (text_[begin] == '"') {
      for (++at_; text_[at_] != '"'; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
    } else if (std::string_view("[]{}").find(text_[begin]) != std::string_view::npos) {
      ++at_;
    } else {
      at_ = text_.find_first_of(" \t\r\n,]}/", begin);
    }
    return begin;
  }
  bool add(PlacedJson value) {
    value.offset = take_token();
    open_.back()->items.push_back(std::move(value));
    return true;
  }
  bool open(Kind kind) {
    add({.kind = kind});
    open_.push_back(&open_.back()->items.back());
    if (open_.size() <= kMaxDepth + 1) return true;
    error_ = {open_.back()->offset, "nesting deeper than 32"};
    return false;
  }
  bool close() {
    take_token();
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  PlacedJsonError& error_;
  std::size_t at_ = 0;
  PlacedJson top_;                        // its one item is the root
  std::vector<PlacedJson*> open_{&top_};  // what is being read, the outermost first
};

}  // namespace

std::optional<PlacedJson> parse_placed_json(std::string_view text, PlacedJsonError& error,
                                            JsonComments comments) {
  // nlohmann takes one behind the last bracket for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    error = {nul, "a NUL byte"};
    return std::nullopt;
  }
  TreeMaker maker(text, error);
  const bool skip = comments == JsonComments::skipped;
  if (!nlohmann::json::sax_parse(text, &maker, nlohmann::json::input_format_t::json, true, skip)) {
    return std::nullopt;
  }
  return std::move(maker.root());
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
