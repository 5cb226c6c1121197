// Feeds nlohmann's SAX parser from the window of the file.
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

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
    scalar.text = source_.text_of(value);
    scalar.offset = last_end_;  // between two tokens there are only blanks and punctuation
    return give(scalar);
  }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) {
    collector_.start_object(source_.offset() - 1);
    return deeper();
  }
  bool key(const std::string& value) {
    collector_.key(source_.text_of(value), last_end_);
    last_end_ = source_.offset();  // the key is still kept: the place of its value is its own
    return true;
  }
  bool end_object() {
    collector_.end_object();
    --depth_;
    return next();
  }
  bool start_array(std::size_t /*size*/) {
    collector_.start_array(source_.offset() - 1);
    return deeper();
  }
  bool end_array() {
    collector_.end_array();
    --depth_;
    return next();
  }
  // Of the last token; the lexer reads no further than the last bracket of a document.
  [[nodiscard]] std::size_t end() const { return last_end_; }
  static bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                          const nlohmann::detail::exception& /*error*/) {
    return false;
  }

 private:
  bool next() {
    last_end_ = source_.offset();
    source_.keep_from(last_end_);
    return true;
  }
  bool deeper() { return next() && ++depth_ <= kMaxDepth; }
  bool give(const Scalar& scalar) {
    collector_.scalar(scalar);
    return next();
  }

  TextSource& source_;
  Collector& collector_;
  std::size_t last_end_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

bool read_strict(TextSource& source, Collector& collector) {
  Handler handler(source, collector);
  const bool valid = nlohmann::json::sax_parse(TextIterator(source), TextIterator(), &handler,
                                               nlohmann::json::input_format_t::json, false);
  source.resume_at(handler.end());
  return valid;
}

}  // namespace trtlens::json_detail
