// Physical lines of a stream of chunks: LF, CRLF, cap on length. No allocation while lines fit a
// chunk.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "parsers/log/framing/line_ends.h"

namespace trtlens {

// Calls `sink(line, number, cut)` for every line; `line` without its end, valid during the call.
class LineSplitter {
 public:
  static constexpr std::size_t kMaxLineBytes = 1 << 20;

  template <typename Sink>
  void feed(std::string_view chunk, Sink&& sink) {
    while (!chunk.empty()) {
      const void* end = std::memchr(chunk.data(), '\n', chunk.size());
      if (end == nullptr) {
        keep(chunk);
        return;
      }
      const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - chunk.data());
      end_line(chunk.substr(0, length), sink);
      chunk.remove_prefix(length + 1);
    }
  }

  // The same, by `ends`; calls `piece()` as LineEnds::split() does.
  template <typename Piece, typename Sink>
  void feed(std::string_view chunk, LineEnds& ends, Piece&& piece, Sink&& sink) {
    const auto end = [&](std::string_view line) { end_line(line, sink); };
    chunk.remove_prefix(ends.split(chunk, piece, end));
    if (!chunk.empty()) keep(chunk);
  }

  // The last line, when it has no end.
  template <typename Sink>
  void finish(Sink&& sink) {
    if (carry_.empty() && !cut_) return;
    emit(carry_, sink);
    carry_.clear();
    cut_ = false;
  }

  [[nodiscard]] std::uint64_t lines() const { return number_; }
  [[nodiscard]] std::uint64_t cut_lines() const { return cut_lines_; }
  [[nodiscard]] std::uint64_t first_cut_line() const { return first_cut_line_; }

 private:
  template <typename Sink>
  void end_line(std::string_view piece, Sink& sink) {
    if (carry_.empty() && !cut_ && piece.size() <= kMaxLineBytes) {
      emit(piece, sink);
    } else {
      keep(piece);
      emit(carry_, sink);
      carry_.clear();
      cut_ = false;
    }
  }
  template <typename Sink>
  void emit(std::string_view line, Sink&& sink) {
    ++number_;
    if (cut_) {
      ++cut_lines_;
      if (first_cut_line_ == 0) first_cut_line_ = number_;
    }
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    sink(line, number_);
  }
  void keep(std::string_view piece) {
    const std::size_t room = kMaxLineBytes - carry_.size();
    if (piece.size() > room) cut_ = true;
    carry_.append(piece.substr(0, room));
  }

  std::string carry_;
  bool cut_ = false;
  std::uint64_t number_ = 0, cut_lines_ = 0, first_cut_line_ = 0;
};

}  // namespace trtlens
