// Alignment of what has no name in common: by the graph of the work (graph.cc) where the
// sides have tensors, else by the operations in the names, in the order of the engines.
#include <functional>

#include "analyzers/compare/align/align.h"
#include "analyzers/compare/align/work.h"

namespace trtlens {
namespace {

struct Sequence {
  std::vector<Key> keys;
  std::vector<std::size_t> layers;
  std::vector<Key> order;  // of its own side alone: which side is the left one
};

Key key_of_ops(const AlignSide& side, std::size_t i) {
  Key key = mixed(1, static_cast<Key>(side.analysis.verdicts[i].role));
  for (const std::string_view op : ops_of(side.layer(i))) {
    key = mixed(key, std::hash<std::string_view>()(op));
  }
  return key;
}

// Layers in order; those that are aligned stand for their set, so that both sides agree on them.
Sequence sequence_of(Alignment& alignment, const AlignSide& side) {
  Sequence sequence;
  for (std::size_t i = 0; i < side.size(); ++i) {
    const bool tied = alignment.tied(side, i);
    if (side.conversion[i] || (!tied && !is_free(alignment, side, i))) continue;
    // Without operations there is nothing to tell it by.
    if (!tied && ops_of(side.layer(i)).empty()) continue;
    const Key own = key_of_ops(side, i);
    sequence.keys.push_back(tied ? mixed(2, alignment.sets.find(side.offset + i)) : own);
    sequence.layers.push_back(i);
    sequence.order.push_back(mixed(own, tied ? 1 : 0));
  }
  return sequence;
}

void match_names(Alignment& alignment) {
  const Sequence b = sequence_of(alignment, alignment.base);
  const Sequence c = sequence_of(alignment, alignment.candidate);
  // One of the sides is always the left one, whichever was given first.
  const bool swapped = c.order < b.order;
  const auto pairs = swapped ? match_in_order(c.keys, b.keys) : match_in_order(b.keys, c.keys);
  for (const auto& [left, right] : pairs) {
    const std::size_t i = b.layers[swapped ? right : left];
    const std::size_t j = c.layers[swapped ? left : right];
    if (!alignment.tied(alignment.base, i) && !alignment.tied(alignment.candidate, j)) {
      alignment.tie(i, j, Link::signature);
    }
  }
}

bool is_detailed(const AlignSide& side) {
  return side.analysis.build.has_layer_info && !side.analysis.build.layer_names_only;
}

}  // namespace

void align_by_signature(Alignment& alignment) {
  if (is_detailed(alignment.base) && is_detailed(alignment.candidate)) {
    align_by_graph(alignment);
  } else {
    match_names(alignment);
  }
}

}  // namespace trtlens
