// Chunks to lines: the encoding, the ends, and whether a line may hold an escape or a carriage
// return.
#pragma once

#include <cstdint>
#include <string_view>

#include "parsers/log/framing/lines.h"
#include "parsers/log/framing/utf16.h"

namespace trtlens {

class Framing {
 public:
  // Calls `sink(line, number, decorated)` for every line that ends in the chunk.
  template <typename Sink>
  void feed(std::string_view chunk, Sink&& sink) {
    splitter_.feed(decoder_.decode(chunk), decorating(sink));
  }

  // What the encoding held back, and by `last` the last line, when it has no end.
  template <typename Sink, typename Last>
  void finish(Sink&& sink, Last&& last) {
    splitter_.feed(decoder_.finish(), decorating(sink));
    splitter_.finish(decorating(last));
  }

  [[nodiscard]] const LineSplitter& splitter() const { return splitter_; }

 private:
  template <typename Sink>
  static auto decorating(Sink& sink) {
    return [&sink](std::string_view line, std::uint64_t number, bool has_controls) {
      // Two searches by memchr() cost a fraction of find_first_of(), which asks for each byte.
      const bool decorated = has_controls && (line.find('\r') != std::string_view::npos ||
                                              line.find('\x1b') != std::string_view::npos);
      sink(line, number, decorated);
    };
  }

  Utf16Decoder decoder_;
  LineSplitter splitter_;
};

}  // namespace trtlens
