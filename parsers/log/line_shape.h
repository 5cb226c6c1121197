// The shape of a log line: its words, with everything that varies folded into placeholders. For
// lint: a thousand lines that differ in names and numbers are one shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/lint.h"

namespace trtlens {

// "Layer(Conv) /m/conv1 took 0.5 ms, 0x1f" -> "Layer(<…>) <name> took <n> ms, <hex>". Placeholders:
// <n> numbers, <hex>, <name> (paths, layers, identifiers), <type> of data, <…> what brackets hold,
// <text> what quotes hold; "…" repetitions of what stands before it. Words of letters are kept.
[[nodiscard]] std::string line_shape(std::string_view body);

// Counts shapes in bounded memory. Shapes that differ in one word only are one shape when there are
// many of them, or when one of them has a name in that place: plain words are layer names, too.
class ShapeCounter {
 public:
  static constexpr std::size_t kMaxShapes = 10000;
  static constexpr std::size_t kMaxSampleBytes = 400;

  // `shape` is of one line; its count, and the shape itself, are worked out here.
  void add(LineShape line, std::string_view body);
  // Most frequent first; equal ones by first line.
  [[nodiscard]] std::vector<LineShape> finish();
  [[nodiscard]] std::uint64_t lines_left_out() const { return lines_left_out_; }

 private:
  void merge();
  void rebuild_index();

  std::vector<LineShape> shapes_;
  std::unordered_map<std::string, std::size_t> index_;  // key_of(shape) -> place in shapes_
  std::uint64_t lines_left_out_ = 0;
  bool full_ = false;
};

}  // namespace trtlens
