// Feeds nlohmann's SAX parser from the window of the file.
#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/json/mender.h"
#include "parsers/json/readers.h"

namespace trtlens::json_detail {
namespace {

// The interface that nlohmann's sax_parse expects; the names are its own.
class Handler {
 public:
  Handler(TextSource& source, Collector& collector)
      : source_(source), collector_(collector), last_end_(source.offset()) {
    source_.keep_from(last_end_);
  }

  bool null() {
    Scalar scalar;
    if (source_.mender() != nullptr) scalar.not_finite = source_.mender()->take_not_finite();
    return give(scalar);
  }
  bool boolean(bool value) {
    Scalar scalar;
    scalar.kind = Scalar::Kind::boolean;
    scalar.truth = value;
    return give(scalar);
  }
  bool number_integer(std::int64_t value) {
    Scalar scalar;
    scalar.kind = Scalar::Kind::integer;
    scalar.integer = value;
    scalar.magnitude = value < 0 ? 0 : static_cast<std::uint64_t>(value);
    scalar.real = static_cast<double>(value);
    return give(scalar);
  }
  bool number_unsigned(std::uint64_t value) {
    Scalar scalar;
    scalar.kind = Scalar::Kind::integer;
    scalar.magnitude = value;
    scalar.real = static_cast<double>(value);
    return give(scalar);
  }
  bool number_float(double value, const std::string& text) {
    Scalar scalar;
    scalar.kind = Scalar::Kind::real;
    scalar.real = value;
    scalar.text = text;
    return give(scalar);
  }
  bool string(const std::string& value) {
    Scalar scalar;
    scalar.kind = Scalar::Kind::string;
    scalar.text = source_.text_of(value);
    scalar.offset = last_end_;  // between two tokens there are only blanks and punctuation
    return give(scalar);
  }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) {
    collector_.start_object(source_.offset() - 1);
    return open('{');
  }
  bool key(const std::string& value) {
    collector_.key(source_.text_of(value), last_end_);
    last_end_ = source_.offset();  // the key is still kept: the place of its value is its own
    behind_ = Stop::Behind::key;
    return true;
  }
  bool end_object() {
    collector_.end_object();
    brackets_.pop_back();
    return next(Stop::Behind::value);
  }
  bool start_array(std::size_t /*size*/) {
    collector_.start_array(source_.offset() - 1);
    return open('[');
  }
  bool end_array() {
    collector_.end_array();
    brackets_.pop_back();
    return next(Stop::Behind::value);
  }
  [[nodiscard]] Stop stop() const {
    return {last_end_, behind_, source_.is_exhausted(), brackets_.size() > kMaxDepth, brackets_};
  }
  static bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                          const nlohmann::detail::exception& /*error*/) {
    return false;
  }

 private:
  bool next(Stop::Behind behind) {
    behind_ = behind;
    last_end_ = source_.offset();
    source_.keep_from(last_end_);
    return true;
  }
  bool open(char bracket) {
    brackets_ += bracket;
    return next(Stop::Behind::bracket) && brackets_.size() <= kMaxDepth;
  }
  bool give(const Scalar& scalar) {
    collector_.scalar(scalar);
    return next(Stop::Behind::value);
  }

  TextSource& source_;
  Collector& collector_;
  std::size_t last_end_ = 0;
  Stop::Behind behind_ = Stop::Behind::nothing;
  std::string brackets_;  // that are open
};

}  // namespace

Fault fault_at(const Stop& stop, std::string_view text) {
  const auto skip_blanks = [text](std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  };
  const bool in_object = !stop.open_brackets.empty() && stop.open_brackets.back() == '{';
  const char separator = stop.behind == Stop::Behind::key     ? ':'
                         : stop.behind == Stop::Behind::value ? ','
                                                              : '\0';
  std::size_t at = skip_blanks(stop.offset);
  const bool is_separated = separator != '\0' && at < text.size() && text[at] == separator;
  if (is_separated) at = skip_blanks(at + 1);
  if (separator == ':' && !is_separated) return {at, "a colon behind the member's name"};
  if (separator == ',' && !is_separated) {
    return {at, in_object ? "a comma or `}`" : "a comma or `]`"};
  }
  if (at < text.size() && text[at] == '"') return {at, "a quote at the end of the string"};
  if (!in_object || separator == ':') return {at, "a value"};
  return {at, "a member's name in quotes"};
}

std::optional<Stop> read_document(TextSource& source, Collector& collector) {
  Handler handler(source, collector);
  std::istream stream(&source);
  const bool valid =
      nlohmann::json::sax_parse(stream, &handler, nlohmann::json::input_format_t::json, false);
  if (valid) return std::nullopt;  // the lexer reads no further than the last bracket
  return handler.stop();
}

}  // namespace trtlens::json_detail
