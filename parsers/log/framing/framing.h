// Chunks to lines: the encoding, the ends, and whether a line may hold an escape, a carriage return
// or the first line of the next run.
#pragma once

#include <cstdint>
#include <string_view>

#include "parsers/log/framing/lines.h"
#include "parsers/log/framing/utf16.h"
#include "parsers/log/framing/verdict_line.h"

namespace trtlens {

class Framing {
 public:
  // Calls `sink(line, number, decorated)` for every line that ends in the chunk.
  template <typename Sink>
  void feed(std::string_view chunk, Sink&& sink) {
    const std::string_view text = decoder_.decode(chunk);
    splitter_.feed(text, decorating(sink, is_banner_inside(text)));
  }

  // What the encoding held back, and by `last` the last line, when it has no end.
  template <typename Sink, typename Last>
  void finish(Sink&& sink, Last&& last) {
    splitter_.feed(decoder_.finish(), decorating(sink, false));
    splitter_.finish(decorating(last, false));
  }

  [[nodiscard]] const LineSplitter& splitter() const { return splitter_; }

 private:
  static bool is_banner_inside(std::string_view text) {
    return banner_inside(text) != std::string_view::npos;
  }

  template <typename Sink>
  static auto decorating(Sink& sink, bool may_hold_banner) {
    return
        [&sink, may_hold_banner](std::string_view line, std::uint64_t number, bool has_controls) {
          // Of a line in several chunks `has_controls` is true.
          // Two searches by memchr() cost a fraction of find_first_of(), which asks for each byte.
          const bool decorated = (has_controls && (line.find('\r') != std::string_view::npos ||
                                                   line.find('\x1b') != std::string_view::npos)) ||
                                 ((may_hold_banner || has_controls) && is_banner_inside(line));
          sink(line, number, decorated);
        };
  }

  Utf16Decoder decoder_;
  LineSplitter splitter_;
};

}  // namespace trtlens
