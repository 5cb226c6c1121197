// Chunks to lines: the encoding, the ends, and whether a line may hold an escape or a carriage
// return.
#pragma once

#include <cstdint>
#include <string_view>

#include "parsers/log/framing/line_ends.h"
#include "parsers/log/framing/lines.h"
#include "parsers/log/framing/utf16.h"

namespace trtlens {

class Framing {
 public:
  // Calls `sink(line, number, decorated)` for every line that ends in the chunk.
  template <typename Sink>
  void feed(std::string_view chunk, Sink&& sink) {
    chunk = decoder_.decode(chunk);
    has_controls_ = carries_controls_;
    splitter_.feed(
        chunk, ends_, [&] { has_controls_ = has_controls_ || ends_.has_controls(); },
        [&](std::string_view line, std::uint64_t number) { sink(line, number, decorated(line)); });
    // A line that ends in the next chunk may have begun in this one or before it.
    carries_controls_ =
        ends_.has_controls() || (carries_controls_ && chunk.find('\n') == std::string_view::npos);
  }

  // What the encoding held back, and by `last` the last line, when it has no end.
  template <typename Sink, typename Last>
  void finish(Sink&& sink, Last&& last) {
    has_controls_ = true;
    splitter_.feed(decoder_.finish(), [&](std::string_view line, std::uint64_t number) {
      sink(line, number, decorated(line));
    });
    splitter_.finish(
        [&](std::string_view line, std::uint64_t number) { last(line, number, decorated(line)); });
  }

  [[nodiscard]] const LineSplitter& splitter() const { return splitter_; }

 private:
  [[nodiscard]] bool decorated(std::string_view line) const {
    // Two searches by memchr() cost a fraction of find_first_of(), which asks for each byte.
    return has_controls_ && (line.find('\r') != std::string_view::npos ||
                             line.find('\x1b') != std::string_view::npos);
  }

  Utf16Decoder decoder_;
  LineEnds ends_;
  LineSplitter splitter_;
  // Of this chunk, or begun before it.
  bool has_controls_ = false, carries_controls_ = false;
};

}  // namespace trtlens
