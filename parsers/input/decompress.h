// gzip and Zstandard streams to text, on a thread of their own.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace trtlens {

enum class Compression : std::uint8_t { none, gzip, zstd };
// By the magic number.
[[nodiscard]] Compression compression_of(std::string_view first_bytes);

class Decompressor {
 public:
  // Raw chunks, "" at the end; called on the other thread, after `first` was used up.
  using Read = std::function<std::string_view()>;

  // `first` is copied.
  Decompressor(Compression compression, std::string_view first, Read read);
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // The next chunk of text, valid until the next call; "" at the end or after an error.
  [[nodiscard]] std::string_view next();
  // What was wrong with the stream; known when next() gave "". What came before stays valid.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  static constexpr std::size_t kChunkBytes = 1 << 20;
  struct Slot {
    std::string text;
    bool full = false;
  };

  void run(Compression compression);
  void inflate_gzip();
  void decompress_zstd();
  // A free slot's text, of kChunkBytes; null when nobody reads any more.
  std::string* free_slot();
  void hand_over(std::size_t bytes);
  void end(std::string error);

  std::string first_;
  Read read_;
  std::string_view raw_;  // what was read and not yet decompressed
  bool fill_raw();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<Slot, 3> slots_;
  std::size_t filling_ = 0, reading_ = 0;  // indices into slots_
  bool ended_ = false, abandoned_ = false, holding_ = false, first_used_ = false;
  std::string error_;
  std::thread thread_;
};

}  // namespace trtlens
