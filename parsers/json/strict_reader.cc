#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "parsers/json/readers.h"

namespace trtlens::json_detail {
namespace {

// nlohmann's events carry no positions. This iterator tells how far the lexer has read.
class TrackingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}

  reference operator*() const { return *at_; }
  TrackingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  TrackingIterator operator++(int) {
    TrackingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// The interface that nlohmann's sax_parse expects; the names are its own.
class Handler {
 public:
  Handler(std::string_view text, const char* const& reached, Collector& collector)
      : text_(text), reached_(reached), collector_(collector) {
    last_end_ = offset();
  }

  bool null() { return give(Scalar{}); }
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
    scalar.text = value;
    scalar.offset = quote_offset();
    return give(scalar);
  }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) {
    collector_.start_object(offset() - 1);
    return deeper();
  }
  bool key(const std::string& value) {
    collector_.key(value, quote_offset());
    return next();
  }
  bool end_object() {
    collector_.end_object();
    --depth_;
    return next();
  }
  bool start_array(std::size_t /*size*/) {
    collector_.start_array(offset() - 1);
    return deeper();
  }
  bool end_array() {
    collector_.end_array();
    --depth_;
    return next();
  }
  static bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                          const nlohmann::detail::exception& /*error*/) {
    return false;
  }

 private:
  [[nodiscard]] std::size_t offset() const {
    return static_cast<std::size_t>(reached_ - text_.data());
  }
  // Between two tokens there are only blanks and punctuation, so the first quote opens the string.
  [[nodiscard]] std::size_t quote_offset() const {
    return std::min(text_.find('"', last_end_), text_.size());
  }
  bool next() {
    last_end_ = offset();
    return true;
  }
  bool deeper() { return next() && ++depth_ <= kMaxDepth; }
  bool give(const Scalar& scalar) {
    collector_.scalar(scalar);
    return next();
  }

  std::string_view text_;
  const char* const& reached_;
  Collector& collector_;
  std::size_t last_end_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::size_t> read_strict(std::string_view text, std::size_t begin,
                                       Collector& collector) {
  const char* reached = text.data() + begin;
  const TrackingIterator first(reached, &reached);
  const TrackingIterator last(text.data() + text.size(), &reached);
  Handler handler(text, reached, collector);
  const bool valid =
      nlohmann::json::sax_parse(first, last, &handler, nlohmann::json::input_format_t::json, false);
  if (!valid) return std::nullopt;
  return static_cast<std::size_t>(reached - text.data());
}

}  // namespace trtlens::json_detail
