// Slides a window over the file and remembers lines and columns behind it.
#include "parsers/json/positions.h"

#include <algorithm>

#include "parsers/json/mender.h"
#include "parsers/text/byte_set.h"

namespace trtlens::json_detail {
namespace {

// Where plain text ends, from `at` on: at a quote, a backslash, a control character, a byte beyond
// ASCII, which may be no UTF-8, or the end.
std::size_t end_of_plain(std::string_view text, std::size_t at) {
  static const ByteSet plain = [] {
    ByteSet bytes;
    bytes.add(' ', '!');
    bytes.add('#', '[');
    bytes.add(']', '\x7f');
    return bytes;
  }();
  static const ByteRanges ranges(plain);
  const char* const begin = text.data();
  return static_cast<std::size_t>(ranges.skip(plain, begin, begin + at, begin + text.size()) -
                                  begin);
}

}  // namespace

SourcePos LineCounter::at(std::size_t offset) {
  offset = std::clamp(offset, begin_.offset, begin_.offset + text_.size());
  if (offset < now_.offset) now_ = begin_;
  const std::string_view passed = text_.substr(now_.offset - begin_.offset, offset - now_.offset);
  const auto feeds = std::count(passed.begin(), passed.end(), '\n');
  if (feeds > 0) {
    now_.line += static_cast<std::uint64_t>(feeds);
    now_.line_start = now_.offset + passed.rfind('\n') + 1;
  }
  now_.offset = offset;
  return SourcePos{file_, now_.line, offset - now_.line_start + 1};
}

SourcePos LineCounter::at_quote(std::size_t offset) {
  offset = std::clamp(offset, begin_.offset, begin_.offset + text_.size());
  const std::size_t quote = text_.find('"', offset - begin_.offset);
  return at(quote == std::string_view::npos ? offset : begin_.offset + quote);
}

void LineCounter::forget_before(std::size_t offset) {
  (void)at(offset);
  text_.remove_prefix(now_.offset - begin_.offset);
  begin_ = now_;
}

char TextSource::skip_blanks() {
  constexpr std::string_view kBlanks = " \t\r\n";
  keep_ = std::string::npos;
  for (int_type c = sgetc(); c != traits_type::eof(); c = snextc()) {
    const char byte = traits_type::to_char_type(c);
    if (kBlanks.find(byte) == kBlanks.npos) return byte;
  }
  return '\0';
}

TextSource::int_type TextSource::underflow() {
  exhausted_ = mender_ != nullptr ? !show_mended() : !show_more();
  return exhausted_ ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

void TextSource::show(std::string_view piece, std::size_t begin, std::size_t end) {
  begin_ = begin;
  end_ = end;
  char* const at = const_cast<char*>(piece.data());  // that nobody writes to
  setg(at, at, at + piece.size());
}

bool TextSource::show_more() {
  if (rest().empty() && !refill()) return false;
  std::size_t begin = 0, behind_string = 0;
  if (in_string_) {
    behind_string = read_string() + 1;
    begin = string_.size();
  }
  // Of a million small documents without a string none may search through all of the others.
  constexpr std::size_t kMostSearched = 4096;
  const std::string_view near = rest().substr(0, behind_string + kMostSearched);
  const std::size_t quote = near.find('"', behind_string);
  in_string_ = quote != std::string_view::npos;
  const std::string_view piece = near.substr(0, in_string_ ? quote + 1 : quote).substr(begin);
  show(piece, end_ + begin, end_ + begin + piece.size());
  return !piece.empty();
}

std::size_t TextSource::read_string() {
  std::size_t n = 0;
  while ((n = end_of_plain(rest(), n)) == rest().size() && refill()) {
  }
  const bool is_plain = rest().substr(n, 1) == "\"";
  string_ = rest().substr(0, is_plain ? n : 0);
  if (is_plain) return n;
  for (;; ++n) {
    while (n >= rest().size()) {  // what was escaped may be two pieces away
      if (!refill()) return n;
    }
    if (rest()[n] == '"') return n;
    if (rest()[n] == '\\') ++n;
  }
}

bool TextSource::refill() {
  const std::string_view chunk = next_ ? next_() : std::string_view();
  if (chunk.empty()) {
    next_ = nullptr;
    return false;
  }
  const std::size_t begin = std::min(keep_, end_);
  lines_.forget_before(begin);
  buffer_.erase(0, begin - window_begin_);
  buffer_.append(chunk);
  window_ = buffer_;
  window_begin_ = begin;
  lines_.slide(window_);
  return true;
}

bool TextSource::show_mended() {
  const std::size_t begin = end_;
  const std::size_t stop = mender_->pass(begin);
  if (stop > begin) {
    show(window_.substr(begin, stop - begin), begin, stop);
  } else if (begin == window_.size()) {
    return false;
  } else if (window_[begin] == ',') {
    show(" ", begin, mender_->drop_comma(begin));
  } else if (window_[begin] != '"') {
    show("null", begin, mender_->read_not_finite(begin));
  } else {
    const std::size_t last = mender_->read_string(begin + 1);
    string_ = mender_->string();
    buffer_ = '"';
    buffer_ += window_.substr(last, 1);
    show(buffer_, begin, std::min(last + 1, window_.size()));
  }
  return true;
}

}  // namespace trtlens::json_detail
