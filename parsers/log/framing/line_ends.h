// Where the lines of a text end, found in one pass with what else has to be known of every byte.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace trtlens {

class LineEnds {
 public:
  // By the widest registers that the processor has, of at most so many bytes: 64 (AVX-512), 32
  // (AVX2) or 16 (SSE2). For tests: less.
  explicit LineEnds(std::size_t most_bytes = 64);

  // Offsets of the '\n' in a piece of at most this many bytes stay in the first cache.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 15;

  // Calls `sink(line, has_controls)` for each line of `text` without its '\n'. `has_controls`: a
  // carriage return or an escape may stand in the text up to the end of the piece that the line
  // ends in: any byte from 0x0b to 0x1f counts. Returns the bytes that all these lines have.
  template <typename Sink>
  std::size_t split(std::string_view text, Sink&& sink) {
    const std::size_t last_line_of_cache = text.size() - std::min(text.size(), kCacheLine);
    std::size_t begin = 0;
    has_controls_ = false;
    for (std::size_t at = 0; at < text.size(); at += kMostBytes) {
      find(text.substr(at, kMostBytes));
      const bool has_controls = has_controls_;
      for (const std::uint16_t offset : std::span(ends_).first(count_)) {
        const std::size_t end = at + offset;
        // What the next find() looks at comes from memory while this line is read.
        const char* const later = text.data() + std::min(begin + kMostBytes, last_line_of_cache);
        __builtin_prefetch(later, 0, kSecondCache);
        __builtin_prefetch(later + kCacheLine, 0, kSecondCache);
        sink(std::string_view(text.data() + begin, end - begin), has_controls);
        begin = end + 1;
      }
    }
    return begin;
  }

 private:
  static constexpr std::size_t kCacheLine = 64;
  static constexpr int kSecondCache = 2;  // of __builtin_prefetch()
  void find(std::string_view piece);

  std::array<std::uint16_t, kMostBytes + 1> ends_{};  // of which the first `count_` are known
  std::size_t count_ = 0;
  bool has_controls_ = false;
  std::size_t register_bytes_;
};

}  // namespace trtlens
