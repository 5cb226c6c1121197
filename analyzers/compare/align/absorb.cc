// Pointwise and pooling kernels that one side fused into the layer before them.
#include <algorithm>
#include <unordered_map>

#include "analyzers/compare/align/align.h"

namespace trtlens {
namespace {

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
      std::ranges::sort(set.base);
      std::ranges::sort(set.candidate);
    }
  }

  void absorb(const AlignSide& side, bool of_base) {
    for (std::size_t i = 0; i < side.size(); ++i) {
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

void absorb_fused(Alignment& alignment) {
  Absorber absorber(alignment);
  absorber.absorb(alignment.base, true);
  absorber.absorb(alignment.candidate, false);
}

}  // namespace trtlens
