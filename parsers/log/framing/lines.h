// Physical lines of a stream of chunks: LF, CRLF, cap on length. No allocation while lines fit a
// chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/log/framing/line_ends.h"

namespace trtlens {

// Calls `sink(line, number, has_controls)` for every line; `line` without its end, valid during the
// call; `has_controls` as LineEnds::split() says it.
class LineSplitter {
 public:
  static constexpr std::size_t kMaxLineBytes = 1 << 20;

  template <typename Sink>
  void feed(std::string_view chunk, Sink&& sink) {
    for (; !chunk.empty();
         chunk.remove_prefix(std::min<std::size_t>(chunk.size(), kMaxLineBytes))) {
      feed_part(chunk.substr(0, kMaxLineBytes), sink);
    }
  }

  // The last line, when it has no end.
  template <typename Sink>
  void finish(Sink&& sink) {
    if (carry_.empty() && !cut_) return;
    emit_carry(sink);
  }

  [[nodiscard]] std::uint64_t lines() const { return number_; }
  [[nodiscard]] std::uint64_t cut_lines() const { return cut_lines_; }
  [[nodiscard]] std::uint64_t first_cut_line() const { return first_cut_line_; }

 private:
  // No line that lies in it is too long.
  template <typename Sink>
  void feed_part(std::string_view part, Sink& sink) {
    if (!carry_.empty() || cut_) {
      const std::size_t end = part.find('\n');
      keep(part.substr(0, end));
      if (end == std::string_view::npos) return;
      emit_carry(sink);
      part.remove_prefix(end + 1);
    }
    part.remove_prefix(ends_.split(part, [&](std::string_view line, bool has_controls) {
      if (has_controls && !line.empty() && line.back() == '\r') line.remove_suffix(1);
      sink(line, ++number_, has_controls);
    }));
    if (!part.empty()) keep(part);
  }
  template <typename Sink>
  void emit_carry(Sink& sink) {
    ++number_;
    if (cut_) {
      ++cut_lines_;
      if (first_cut_line_ == 0) first_cut_line_ = number_;
    }
    std::string_view line = carry_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    sink(line, number_, true);
    carry_.clear();
    cut_ = false;
  }
  void keep(std::string_view piece) {
    const std::size_t room = kMaxLineBytes - carry_.size();
    if (piece.size() > room) cut_ = true;
    carry_.append(piece.substr(0, room));
  }

  LineEnds ends_;
  std::string carry_;  // of a line that goes on in the next part
  bool cut_ = false;
  std::uint64_t number_ = 0, cut_lines_ = 0, first_cut_line_ = 0;
};

}  // namespace trtlens
