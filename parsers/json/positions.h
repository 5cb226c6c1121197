// Offsets of a text to lines and columns, and the text itself: in memory, or a window over a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
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
  // Who reads the text byte by byte may say where lines begin, so that they need not be counted.
  void line_begins(std::size_t offset) {
    if (offset <= now_.offset) return;  // at() has counted it
    ++now_.line;
    now_.offset = now_.line_start = offset;
  }
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
class TextIterator;

// The text that nlohmann's lexer reads, and how far it has read: its events carry no positions.
class TextSource {
 public:
  // The next piece of a file, valid until the next call; empty at its end.
  using NextChunk = std::function<std::string_view()>;

  // All of a text; reading starts at `begin`. `lines` follows. A `mender` reads the strings.
  TextSource(std::string_view text, std::size_t begin, LineCounter& lines,
             Mender* mender = nullptr);
  // A file, of which only what keep_from() asks for stays in memory. `lines` slides along.
  TextSource(NextChunk next, LineCounter& lines) : next_(std::move(next)), lines_(lines) {}

  // Behind the last byte that the iterator gave.
  [[nodiscard]] std::size_t offset() const;
  void keep_from(std::size_t offset) { keep_ = offset; }
  // The string or key that the lexer has just read as `lexed`; valid until it reads on.
  [[nodiscard]] std::string_view text_of(std::string_view lexed) const {
    return plain_.empty() ? lexed : plain_;
  }

  [[nodiscard]] Mender* mender() const { return mender_; }
  // The lexer asked for more than there is.
  [[nodiscard]] bool is_exhausted() const { return exhausted_; }

  // The next byte that is no blank; 0 at the end. Not while there is an iterator.
  [[nodiscard]] char skip_blanks();
  // An iterator is gone, and what it read ends here.
  void resume_at(std::size_t offset);

 private:
  friend class TextIterator;
  // Appends the next piece and moves what is kept to the front of the window.
  bool refill();

  std::string_view window_;
  std::string_view plain_;                     // of window_: what the lexer was not given
  std::size_t begin_ = 0, at_ = 0, keep_ = 0;  // offsets: of window_, reached, still needed
  NextChunk next_;
  LineCounter& lines_;
  std::string buffer_;
  const TextIterator* reader_ = nullptr;
  Mender* mender_ = nullptr;
  bool exhausted_ = false;
};

// Faster than a plain pointer, as the lexer, which looks at every byte of a string in turn, is
// given only the quotes of a string that needs neither decoding nor checking; text_of() has the
// rest. It takes its iterator by value and hides it, so the last copy made tells the source where
// it is.
class TextIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TextIterator() = default;  // the end
  explicit TextIterator(TextSource& source) : source_(&source) {
    place();
    find_limit(at_);
  }
  TextIterator(const TextIterator& other) { *this = other; }
  TextIterator& operator=(const TextIterator& other) {
    if (this == &other) return *this;
    at_ = other.at_;
    limit_ = other.limit_;
    end_ = other.end_;
    next_ = other.next_;
    escaped_ = other.escaped_;
    behind_null_ = other.behind_null_;
    source_ = other.source_;
    if (source_ != nullptr) source_->reader_ = this;
    return *this;
  }
  ~TextIterator() = default;

  reference operator*() const { return *at_; }
  TextIterator& operator++() {
    ++at_;
    return *this;
  }
  // Only ever compared with the end.
  bool operator!=(const TextIterator& /*end*/) { return at_ != limit_ || more(); }
  bool operator==(const TextIterator& end) { return !(*this != end); }

 private:
  friend class TextSource;
  // What is to be done at limit_.
  enum class Next : std::uint8_t {
    skip_indentation,
    begin_string,
    end_string,
    begin_null,
    end_null,
    refill,
    refill_string
  };

  // Takes its place from the source.
  void place();
  bool more();
  // Outside strings, from `from` on.
  void find_limit(const char* from);
  // No string of valid JSON holds a line end, so that what is behind one is indentation: skipping
  // it here is cheaper than giving it to the lexer.
  void skip_indentation();
  void begin_string();
  // With a mender: a string, and the `null` that the lexer is given in place of a `nan`.
  void mend_string();
  void begin_null();
  [[nodiscard]] std::size_t offset_of(const char* at) const {
    return source_->begin_ + static_cast<std::size_t>(at - source_->window_.data());
  }
  // In a string that the lexer is given, from `from` on.
  void find_string_end(const char* from);

  const char* at_ = nullptr;
  const char* limit_ = nullptr;  // behind a line end, behind a quote, or end_
  const char* end_ = nullptr;    // of the window
  Next next_ = Next::refill;
  bool escaped_ = false;               // the byte at limit_, in a string
  const char* behind_null_ = nullptr;  // where the text goes on
  TextSource* source_ = nullptr;
};

inline std::size_t TextSource::offset() const {
  if (reader_ == nullptr) return at_;
  return reader_->offset_of(reader_->behind_null_ == nullptr ? reader_->at_
                                                             : reader_->behind_null_);
}

}  // namespace trtlens::json_detail
