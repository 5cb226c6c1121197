// Counts the shapes of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/log/lint/lint.h"

namespace trtlens {

// Counts shapes in bounded memory. Plain words are layer names, too: shapes that differ in one word
// only are one shape when there are many of them, or when one of them has a name in that place; so
// are dozens of shapes that differ in several.
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
  void find_floods();
  bool fold_flood(LineShape& line) const;
  bool count_in(const std::string& key);  // false when there is no such shape
  void rebuild_index();

  std::vector<LineShape> shapes_;
  std::unordered_map<std::string, std::size_t> index_;  // key_of(shape) -> place in shapes_
  // Skeletons of which there are dozens of shapes, and which of their words are names.
  std::unordered_map<std::string, std::vector<bool>> floods_;
  std::uint64_t lines_left_out_ = 0;
  bool full_ = false;
};

}  // namespace trtlens
