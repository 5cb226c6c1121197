// Offsets of a text to lines and columns, and the text as nlohmann's lexer reads it: in memory, or
// a window over a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/model/diagnostic.h"

namespace trtlens::json_detail {

// Turns offsets into lines and columns. Cheap for offsets that do not decrease; copy it to come
// back to an earlier one.
class LineCounter {
 public:
  LineCounter(std::string_view text, std::uint32_t file) : text_(text), file_(file) {}

  [[nodiscard]] SourcePos at(std::size_t offset);
  // Of the first quote at `offset` or behind it.
  [[nodiscard]] SourcePos at_quote(std::size_t offset);
  // Of a window: counts what is before `offset`, which is about to go; the text that took its
  // place.
  void forget_before(std::size_t offset);
  void slide(std::string_view text) { text_ = text; }

 private:
  struct Mark {
    std::size_t offset = 0, line_start = 0;
    std::uint64_t line = 1;
  };
  std::string_view text_;
  std::uint32_t file_ = 0;
  Mark begin_;  // of text_
  Mark now_;
};

class Mender;

// The text that nlohmann's lexer reads, and how far it has read: its events carry no positions. The
// lexer looks at every byte of a string in turn, which is half the cost of reading; so of a string
// that needs neither decoding nor checking it is given the quotes only, and text_of() has the rest.
class TextSource : public std::streambuf {
 public:
  // The next piece of a file, valid until the next call; empty at its end.
  using NextChunk = std::function<std::string_view()>;

  // All of a text; reading starts at `begin`. A `mender` reads the strings, every `nan`, for which
  // the lexer is given `null`, and every trailing comma, for which it is given a blank.
  TextSource(std::string_view text, std::size_t begin, LineCounter& lines, Mender* mender = nullptr)
      : window_(text), end_(begin), lines_(lines), mender_(mender) {}
  // A file, of which only what keep_from() asks for stays in memory. `lines` slides along.
  TextSource(NextChunk next, LineCounter& lines) : next_(std::move(next)), lines_(lines) {}

  // Behind the last byte that was read.
  [[nodiscard]] std::size_t offset() const {
    return gptr() == egptr() ? end_ : begin_ + static_cast<std::size_t>(gptr() - eback());
  }
  void keep_from(std::size_t offset) { keep_ = offset; }
  // The string or key that the lexer has just read as `lexed`; valid until it reads on.
  [[nodiscard]] std::string_view text_of(std::string_view lexed) const {
    return string_.empty() ? lexed : string_;
  }
  // The next byte that is no blank; 0 at the end.
  [[nodiscard]] char skip_blanks();

  [[nodiscard]] Mender* mender() const { return mender_; }
  // The lexer asked for more than there is.
  [[nodiscard]] bool is_exhausted() const { return exhausted_; }

 protected:
  int_type underflow() override;

 private:
  // Gives the lexer `piece`, which stands for the bytes from `begin` to `end`.
  void show(std::string_view piece, std::size_t begin, std::size_t end);
  // Up to the quote that begins the next string; behind it, from that string on.
  [[nodiscard]] bool show_more();
  [[nodiscard]] bool show_mended();
  // Bytes up to the closing quote of the string whose opening quote was shown; sets string_.
  [[nodiscard]] std::size_t read_string();
  [[nodiscard]] std::string_view rest() const { return window_.substr(end_ - window_begin_); }
  // Appends the next piece to what is kept and not yet shown.
  [[nodiscard]] bool refill();

  std::string_view window_;
  std::size_t window_begin_ = 0, begin_ = 0, end_ = 0;  // offsets: of window_, of what is shown
  std::size_t keep_ = 0;
  std::string_view string_;  // of window_ or the mender
  bool in_string_ = false;   // its opening quote was the last byte shown
  bool exhausted_ = false;
  NextChunk next_;
  LineCounter& lines_;
  std::string buffer_;  // behind window_, or what stands for a string that was mended
  Mender* mender_ = nullptr;
};

}  // namespace trtlens::json_detail
