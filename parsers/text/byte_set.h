// Sets of bytes: whether one is in it, and how far text goes on within it.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>

#include "parsers/text/eight_bytes.h"

namespace trtlens {

// A set of bytes.
class ByteSet {
 public:
  void add(unsigned char first, unsigned char last);
  void add(unsigned char byte) { add(byte, byte); }
  void add(const ByteSet& other) { bytes_ |= other.bytes_; }
  void complement() { bytes_.flip(); }

  [[nodiscard]] bool holds(char byte) const { return bytes_[static_cast<unsigned char>(byte)]; }
  [[nodiscard]] bool meets(const ByteSet& other) const { return (bytes_ & other.bytes_).any(); }
  [[nodiscard]] const std::bitset<256>& bytes() const { return bytes_; }

 private:
  std::bitset<256> bytes_;
};

// A set as its ranges, where they are few: text is compared with them 16 bytes at a time.
class ByteRanges {
 public:
  ByteRanges() = default;
  explicit ByteRanges(const ByteSet& set);
  // The first byte from `at` to `end` that is not in `set`, or `end`. What lies from `begin` to
  // `at` may be read.
  [[nodiscard]] const char* skip(const ByteSet& set, const char* begin, const char* at,
                                 const char* end) const;

 private:
  struct Range {
    Sixteen lowest{}, width{};
  };
  [[nodiscard]] Sixteen holds(Sixteen text) const;

  static constexpr std::size_t kMost = 4;
  std::size_t count_ = 0;            // 0: none, or more than kMost
  bool is_all_ = false;              // every byte
  std::array<Range, kMost> ranges_;  // the widest first
};

}  // namespace trtlens
