// The work of one side as a graph for the alignment: conversions and no-ops are looked through, and
// a sum that is fused into a convolution is a node of its own, since builds of one network fuse it
// into either of the convolutions that it adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzers/compare/align/align.h"

namespace trtlens {

using Key = std::uint64_t;

// Pairs of equal elements, increasing on both sides: keys that occur once on each side first (the
// longest increasing run of them), then what lies between, ends first. Not always the longest such
// list, but never more than a bounded number of steps beyond the lengths.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> match_in_order(
    const std::vector<Key>& left, const std::vector<Key>& right);

inline Key mixed(Key seed, Key value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U));
}

struct WorkNode {
  enum class Kind : std::uint8_t { work, sum, input, output };
  Kind kind = Kind::work;
  std::size_t layer = Graph::kNone;  // none: input or output of the network
  // What stays when precision, tactic and names change; equal work has equal ones.
  Key signature = 0;
  // In the order of the layer's inputs; no duplicates. A convolution reads its data only; what it
  // adds goes into the sum.
  std::vector<std::uint32_t> producers, consumers;
};

class WorkGraph {
 public:
  explicit WorkGraph(const AlignSide& side);

  [[nodiscard]] const std::vector<WorkNode>& nodes() const { return nodes_; }
  [[nodiscard]] const WorkNode& operator[](std::size_t i) const { return nodes_[i]; }

 private:
  void add_nodes();
  void add_edges();
  void add_outputs();
  void collect_sources(std::string_view tensor, std::size_t depth, std::vector<std::uint32_t>& out);
  void connect(std::string_view tensor, std::uint32_t to);
  std::uint32_t input_of(std::string_view tensor, const Tensor* seen);

  const AlignSide& side_;
  std::vector<WorkNode> nodes_;
  std::vector<std::uint32_t> work_of_, out_of_;  // by layer
  std::size_t lookups_ = 0;                      // for the sources of one tensor
  std::unordered_map<std::string_view, std::uint32_t> inputs_;
  std::unordered_map<std::string_view, const Tensor*> unwritten_;
};

}  // namespace trtlens
