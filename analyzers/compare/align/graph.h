// What the matching along the graph (graph.cc, regions.cc) knows of a side.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzers/compare/align/work.h"

namespace trtlens {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Mate = std::uint32_t;
inline constexpr Mate kNoMate = 0;

struct GraphSide {
  const AlignSide& side;
  WorkGraph graph;
  std::vector<Mate> mate;   // by node; equal on both sides: the same work
  std::vector<bool> free;   // by node: may be matched here
  std::vector<Node> other;  // by node: the one that the order of the engines proposes, + 1

  GraphSide(const Alignment& alignment, const AlignSide& of)
      : side(of), graph(of), mate(graph.nodes().size(), kNoMate) {
    for (const WorkNode& node : graph.nodes()) {
      free.push_back(node.kind != WorkNode::Kind::work || is_free(alignment, of, node.layer));
    }
  }
  [[nodiscard]] std::size_t size() const { return mate.size(); }
  [[nodiscard]] bool open(Node n) const { return mate[n] == kNoMate && free[n]; }
  [[nodiscard]] bool has_layer(Node n) const { return graph[n].layer != Graph::kNone; }
  [[nodiscard]] bool is_arithmetic_work(Node n) const {
    return graph[n].kind == WorkNode::Kind::work &&
           is_arithmetic(side.analysis.verdicts[graph[n].layer].role);
  }
  // Element by element from one tensor.
  [[nodiscard]] bool is_activation(Node n) const {
    return graph[n].kind == WorkNode::Kind::work && graph[n].producers.size() == 1 &&
           side.analysis.verdicts[graph[n].layer].role == LayerRole::pointwise;
  }
  [[nodiscard]] const Nodes& neighbours(Node n, bool forward) const {
    return forward ? graph[n].consumers : graph[n].producers;
  }
};

// Layers of both sides that stand between the same matched work, and are all that stands there;
// never empty, the layer that each list is about first.
using RegionPair = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
[[nodiscard]] std::vector<RegionPair> equal_regions(const GraphSide& left, const GraphSide& right);

}  // namespace trtlens
