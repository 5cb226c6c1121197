// Alignment of what has no name in common: by kind and shapes, in the order of the engines.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "analyzers/compare/align_internal.h"
#include "analyzers/compare/align_sequence.h"

namespace trtlens {
namespace {

constexpr std::size_t kRounds = 3;  // of matching by neighbours: chains of so many free layers

using Key = std::uint64_t;

Key mixed(Key seed, Key value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U));
}

Key of_text(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

Key mixed(Key seed, const Dims& dims) {
  seed = mixed(seed, dims.size());
  for (const std::int64_t d : dims) seed = mixed(seed, static_cast<Key>(d));
  return seed;
}

// `Conv` of `Conv_12` and of `/layer1/conv1/Conv`.
std::string_view op_of(std::string_view node) {
  const std::size_t slash = node.rfind('/');
  if (slash != std::string_view::npos) node.remove_prefix(slash + 1);
  const std::size_t end = node.find_last_not_of("0123456789");
  if (end != std::string_view::npos && end + 1 < node.size() && node[end] == '_') {
    node = node.substr(0, end);
  }
  return node;
}

// What stays when precision, tactic and names change. Without details on either side the
// operations in the name have to do.
Key signature(const AlignSide& side, std::size_t i, bool detailed) {
  const Layer& layer = side.layer(i);
  Key key = mixed(1, static_cast<Key>(side.analysis.verdicts[i].role));
  if (!detailed) {
    for (const std::string& node : layer.onnx_nodes) {
      if (!is_quantizer(node)) key = mixed(key, of_text(op_of(node)));
    }
    return key;
  }
  for (const Tensor& tensor : layer.outputs) key = mixed(key, tensor.dims);
  key = mixed(key, layer.kernel);
  key = mixed(key, layer.stride);
  key = mixed(key, static_cast<Key>(layer.groups.value_or(0)));
  return mixed(key, static_cast<Key>(layer.out_maps.value_or(0)));
}

bool is_detailed(const AlignSide& side) {
  return side.analysis.build.has_layer_info && !side.analysis.build.layer_names_only;
}

// Work of its own that nothing ties to the other side yet. No-ops and constants have no signature
// worth the name.
bool is_left_over(const Alignment& alignment, const AlignSide& side, std::size_t i) {
  return !side.conversion[i] && !alignment.tied(side, i) &&
         side.analysis.verdicts[i].role != LayerRole::none && side.graph.takes_part(i);
}

// Whether kind and shapes may find its counterpart.
bool is_free(const Alignment& alignment, const AlignSide& side, std::size_t i) {
  return is_left_over(alignment, side, i) && !alignment.named_alone[side.offset + i];
}

using Ops = std::vector<std::string_view>;

Ops ops_of(const Layer& layer) {
  Ops ops;
  for (const std::string& node : layer.onnx_nodes) {
    if (!is_quantizer(node)) ops.push_back(op_of(node));
  }
  std::sort(ops.begin(), ops.end());
  return ops;
}

struct Sequence {
  std::vector<Key> keys;
  std::vector<std::size_t> layers;
  std::vector<Key> order;  // of its own side alone: which side is the left one
};

// Layers in order; those that are aligned stand for their set, so that both sides agree on them.
Sequence sequence_of(Alignment& alignment, const AlignSide& side, bool detailed) {
  Sequence sequence;
  for (std::size_t i = 0; i < side.size(); ++i) {
    ++alignment.steps;
    const bool tied = alignment.tied(side, i);
    if (side.conversion[i] || (!tied && !is_free(alignment, side, i))) continue;
    // Neither shapes nor operations: nothing to tell it by.
    if (!tied && !detailed && ops_of(side.layer(i)).empty()) continue;
    const Key own = signature(side, i, detailed);
    sequence.keys.push_back(tied ? mixed(2, alignment.sets.find(side.offset + i)) : own);
    sequence.layers.push_back(i);
    sequence.order.push_back(mixed(own, tied ? 1 : 0));
  }
  return sequence;
}

void match_sequences(Alignment& alignment, bool detailed) {
  const Sequence b = sequence_of(alignment, alignment.base, detailed);
  const Sequence c = sequence_of(alignment, alignment.candidate, detailed);
  // One of the sides is always the left one, whichever was given first.
  const bool swapped = c.order < b.order;
  const auto pairs = swapped ? match_in_order(c.keys, b.keys, alignment.steps)
                             : match_in_order(b.keys, c.keys, alignment.steps);
  for (const auto& [left, right] : pairs) {
    const std::size_t i = b.layers[swapped ? right : left];
    const std::size_t j = c.layers[swapped ? left : right];
    if (!alignment.tied(alignment.base, i) && !alignment.tied(alignment.candidate, j)) {
      alignment.tie(i, j, Link::signature);
    }
  }
}

// Sets of the neighbours on one side of a layer, through conversions.
Key neighbour_key(Alignment& alignment, const AlignSide& side, std::size_t i, bool before) {
  std::vector<std::size_t> roots;
  for (const std::size_t n : before ? side.graph.before(i) : side.graph.after(i)) {
    std::size_t at = n;
    if (side.conversion[at]) {  // one conversion lies between at most, nearly always
      const Places next = before ? side.graph.before(at) : side.graph.after(at);
      if (next.empty()) continue;
      at = next[0];
    }
    ++alignment.steps;
    if (alignment.tied(side, at)) roots.push_back(alignment.sets.find(side.offset + at));
  }
  if (roots.empty()) return 0;
  std::sort(roots.begin(), roots.end());
  Key key = 3;
  for (const std::size_t root : roots) key = mixed(key, root);
  return key;
}

// Parallel branches may stand in another order on each side: what reads from, or writes to, the
// same aligned layers and has the same signature is the same.
bool match_neighbours(Alignment& alignment, bool before) {
  const auto keyed = [&](const AlignSide& side) {
    std::unordered_map<Key, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (!is_free(alignment, side, i)) continue;
      const Key near = neighbour_key(alignment, side, i, before);
      if (near != 0) found[mixed(signature(side, i, true), near)].push_back(i);
    }
    return found;
  };
  const auto of_base = keyed(alignment.base);
  const auto of_candidate = keyed(alignment.candidate);
  bool any = false;
  for (const auto& [key, left] : of_base) {
    const auto right = of_candidate.find(key);
    if (right == of_candidate.end() || left.size() != 1 || right->second.size() != 1) continue;
    alignment.tie(left[0], right->second[0], Link::signature);
    any = true;
  }
  return any;
}

// Operations that the layers of a set have, side by side.
struct SetOps {
  Ops base, candidate;
};

class Absorber {
 public:
  explicit Absorber(Alignment& alignment) : alignment_(alignment), roots_(alignment.links.size()) {
    for (std::size_t i = 0; i < roots_.size(); ++i) roots_[i] = alignment.sets.find(i);
    collect(alignment.base, true);
    collect(alignment.candidate, false);
    for (auto& [root, set] : sets_) {
      std::sort(set.base.begin(), set.base.end());
      std::sort(set.candidate.begin(), set.candidate.end());
    }
  }

  void absorb(const AlignSide& side, bool of_base) {
    for (std::size_t i = 0; i < side.size(); ++i) {
      ++alignment_.steps;
      if (!is_left_over(alignment_, side, i) || is_arithmetic(side.analysis.verdicts[i].role))
        continue;
      const std::size_t at = source_of(side, i);
      if (at == Graph::kNone) continue;
      const Ops wanted = ops_of(side.layer(i));
      const SetOps& set = sets_[roots_[side.offset + at]];
      const Ops& own = of_base ? set.base : set.candidate;
      const Ops& others = of_base ? set.candidate : set.base;
      Ops fused;  // there, and here a layer of its own
      std::set_difference(others.begin(), others.end(), own.begin(), own.end(),
                          std::back_inserter(fused));
      if (wanted.empty() ||
          !std::includes(fused.begin(), fused.end(), wanted.begin(), wanted.end())) {
        continue;
      }
      alignment_.sets.join(side.offset + at, side.offset + i);
      alignment_.links[side.offset + i] = Link::signature;
      roots_[side.offset + i] = roots_[side.offset + at];
    }
  }

 private:
  void collect(const AlignSide& side, bool of_base) {
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (side.conversion[i] || !alignment_.tied(side, i)) continue;
      SetOps& set = sets_[roots_[side.offset + i]];
      Ops& ops = of_base ? set.base : set.candidate;
      for (const std::string_view op : ops_of(side.layer(i))) ops.push_back(op);
    }
  }

  // The aligned layer that `i` reads from.
  [[nodiscard]] std::size_t source_of(const AlignSide& side, std::size_t i) const {
    const Places before = side.graph.before(i);
    if (before.empty()) return Graph::kNone;
    std::size_t at = before[0];
    if (side.conversion[at] && !side.graph.before(at).empty()) at = side.graph.before(at)[0];
    return alignment_.tied(side, at) ? at : Graph::kNone;
  }

  Alignment& alignment_;
  std::vector<std::size_t> roots_;  // before anything was absorbed
  std::unordered_map<std::size_t, SetOps> sets_;
};

}  // namespace

void align_by_signature(Alignment& alignment) {
  const bool detailed = is_detailed(alignment.base) && is_detailed(alignment.candidate);
  match_sequences(alignment, detailed);
  if (!detailed) return;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const bool by_before = match_neighbours(alignment, true);
    const bool by_after = match_neighbours(alignment, false);
    if (!by_before && !by_after) return;
  }
}

void absorb_fused(Alignment& alignment) {
  Absorber absorber(alignment);
  absorber.absorb(alignment.base, true);
  absorber.absorb(alignment.candidate, false);
}

}  // namespace trtlens
