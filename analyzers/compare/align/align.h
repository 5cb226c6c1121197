// Shared by the stages of the alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/graph/graph.h"

namespace trtlens {

// Sets of layers of both sides: those of the base first.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(b)] = find(a); }

 private:
  std::vector<std::size_t> parent_;
};

// How two layers were found to be the same work, surest first.
enum class Link : std::uint8_t { onnx, name, tensors, signature, none };

struct AlignSide {
  const Analysis& analysis;
  Graph graph;
  std::size_t offset;            // number of its first layer in the sets
  std::vector<bool> conversion;  // by layer

  AlignSide(const Analysis& of, std::size_t first);
  [[nodiscard]] std::size_t size() const { return analysis.build.layers.size(); }
  [[nodiscard]] const Layer& layer(std::size_t i) const { return analysis.build.layers[i]; }
};

struct Alignment {
  AlignSide base, candidate;
  Sets sets;
  std::vector<Link> links;  // by layer of both sides: the surest that ties it to the other side
  // By layer: it has a name that holds from one export to the next, and such names are common to
  // the sides. Without a counterpart of its name it has none; its shape proves nothing.
  std::vector<bool> named_alone;

  Alignment(const Analysis& b, const Analysis& c);
  // Layer `b` of the base and `c` of the candidate are the same work.
  void tie(std::size_t b, std::size_t c, Link link);
  [[nodiscard]] bool tied(const AlignSide& side, std::size_t i) const {
    return links[side.offset + i] != Link::none;
  }
};

// Names that hold from one export to the next: paths, weights. `Conv_12`, `449` and
// `onnx::Conv_193` count what was exported before them.
[[nodiscard]] bool is_numbered(std::string_view name);
// Q and DQ nodes come and go with quantization; they do not tell which layer this is.
[[nodiscard]] bool is_quantizer(std::string_view name);

// Operations of a layer's nodes, sorted, without Q and DQ: `Conv` of `Conv_12` and of
// `/layer1/conv1/Conv`.
using Ops = std::vector<std::string_view>;
[[nodiscard]] Ops ops_of(const Layer& layer);

// Work of its own that nothing ties to the other side yet. No-ops and constants have no signature
// worth the name.
[[nodiscard]] bool is_left_over(const Alignment& alignment, const AlignSide& side, std::size_t i);
// Whether kind and shapes may find its counterpart.
[[nodiscard]] bool is_free(const Alignment& alignment, const AlignSide& side, std::size_t i);

// By shared ONNX nodes: Metadata, fused names, ranges of ForeignNodes; weights in fused names.
// Numbered names only when the two sides number alike. Returns whether they do.
bool align_by_nodes(Alignment& alignment);
void align_by_name(Alignment& alignment, bool numbers_hold);
// Fused attention writes what the last of its parts writes: such pairs wait, for the graph may find
// the others, unless `also_attention`.
void align_by_tensors(Alignment& alignment, bool numbers_hold, bool also_attention);
// By kind, shapes and neighbours; without tensors by operations, in order.
void align_by_signature(Alignment& alignment);
// Myelin's kernels, whose names differ in their number only.
void align_by_myelin_name(Alignment& alignment);
void align_by_graph(Alignment& alignment);
// Pointwise work that one side fused into the layer before it.
void absorb_fused(Alignment& alignment);
// Conversions: the same ones on both sides are groups of their own; those of one side only join the
// neighbour whose precision or format changed.
void align_conversions(Alignment& alignment);

}  // namespace trtlens
