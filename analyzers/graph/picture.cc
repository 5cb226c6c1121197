// Ranks by the longest path, places by the mean of the neighbours' places.
#include "analyzers/graph/picture.h"

#include <algorithm>

#include "analyzers/graph/graph.h"

namespace trtlens {
namespace {

constexpr std::size_t kMostWriters = 16;  // of a tensor that are drawn
constexpr int kSweeps = 4;

std::vector<PictureEdge> edges_of(const Build& build, const Graph& graph) {
  std::vector<PictureEdge> edges;
  for (std::size_t to = 0; to < build.layers.size(); ++to) {
    if (!graph.takes_part(to)) continue;
    const std::vector<Tensor>& inputs = build.layers[to].inputs;
    const std::size_t most = edges.size() + kMostWriters * 2;  // of a layer
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      std::size_t writers = 0;
      for (const std::uint32_t from : graph.writers(inputs[input].name.str())) {
        if (from == to) continue;
        if (++writers > kMostWriters || edges.size() == most) break;
        edges.push_back({from, static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(input)});
      }
    }
  }
  return edges;
}

// Edges come in the order of `to`, so every rank above is final when it is read.
std::vector<std::uint32_t> ranks_of(std::size_t layers, const std::vector<PictureEdge>& edges) {
  std::vector<std::uint32_t> rank(layers, 0);
  for (const PictureEdge& edge : edges) {
    if (edge.from < edge.to) rank[edge.to] = std::max(rank[edge.to], rank[edge.from] + 1);
  }
  return rank;
}

class Placing {
 public:
  Placing(const Picture& picture, std::vector<std::int32_t>& place)
      : picture_(picture), place_(place) {
    const std::uint32_t ranks =
        picture.rank.empty() ? 0 : *std::ranges::max_element(picture.rank) + 1;
    members_.resize(ranks);
    for (std::uint32_t i = 0; i < picture.rank.size(); ++i) {
      members_[picture.rank[i]].push_back(i);
    }
    for (const std::vector<std::uint32_t>& rank : members_) number(rank);
  }

  // Orders every rank by the places of the layers on the other side of its edges.
  void sweep(bool downwards) {
    std::vector<double> sum(place_.size(), 0);
    std::vector<std::uint32_t> count(place_.size(), 0);
    for (const PictureEdge& edge : picture_.edges) {
      const std::uint32_t moved = downwards ? edge.to : edge.from;
      const std::uint32_t fixed = downwards ? edge.from : edge.to;
      sum[moved] += place_[fixed];
      ++count[moved];
    }
    for (std::vector<std::uint32_t>& rank : members_) {
      if (rank.size() < 2) continue;
      const auto mean = [&](std::uint32_t i) {
        return count[i] == 0 ? place_[i] : sum[i] / count[i];
      };
      std::ranges::stable_sort(rank, {}, mean);
      number(rank);
    }
  }

 private:
  void number(const std::vector<std::uint32_t>& rank) {
    const auto half = static_cast<std::int32_t>(rank.size() / 2);
    for (std::size_t k = 0; k < rank.size(); ++k) {
      place_[rank[k]] = static_cast<std::int32_t>(k) - half;
    }
  }

  const Picture& picture_;
  std::vector<std::int32_t>& place_;
  std::vector<std::vector<std::uint32_t>> members_;  // by rank
};

}  // namespace

Picture picture_of(const Analysis& analysis) {
  const Graph graph(analysis.build, analysis.verdicts);
  Picture picture;
  const std::size_t layers = analysis.build.layers.size();
  picture.edges = edges_of(analysis.build, graph);
  picture.rank = ranks_of(layers, picture.edges);
  picture.place.resize(layers);
  Placing placing(picture, picture.place);
  for (int i = 0; i < kSweeps; ++i) placing.sweep(i % 2 == 0);
  return picture;
}

}  // namespace trtlens
