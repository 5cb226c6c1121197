// A report on its way out.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace trtlens {

// Takes text and hands it on in pieces, so that a report of many megabytes is never in memory.
class TextStream {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit TextStream(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(kPiece + kPiece / 4); }
  TextStream& operator+=(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) flush();
    return *this;
  }
  // The rest: to be called at the end.
  void flush() {
    sink_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  Sink sink_;
  std::string buffer_;
};

// All that `write` puts into a stream.
template <std::invocable<TextStream&> Write>
[[nodiscard]] std::string text_of(const Write& write) {
  std::string all;
  TextStream out([&all](std::string_view piece) { all += piece; });
  write(out);
  out.flush();
  return all;
}

}  // namespace trtlens
