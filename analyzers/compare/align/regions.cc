// What stands between the same layers on both sides, and is all that stands there, is the same
// work, however it is fused.
#include <algorithm>
#include <unordered_map>

#include "analyzers/compare/align/graph.h"

namespace trtlens {
namespace {

// More work than this between matched layers is no fusion.
constexpr std::size_t kLargestRegion = 12;

// Unmatched work in one piece, and what it is matched to at its border.
struct Region {
  Nodes work, arithmetic;  // in the order of the engine
  std::vector<Mate> before, after;
  bool whole = true;  // all of it may be matched
};

Region region_from(const GraphSide& s, Node start, std::vector<bool>& seen, std::size_t& steps) {
  Region region;
  Nodes stack{start};
  seen[start] = true;
  while (!stack.empty()) {
    const Node n = stack.back();
    stack.pop_back();
    region.whole = region.whole && s.free[n];
    if (s.graph[n].kind == WorkNode::Kind::work) region.work.push_back(n);
    if (s.is_arithmetic_work(n)) region.arithmetic.push_back(n);
    for (const bool forward : {false, true}) {
      for (const Node at : s.neighbours(n, forward)) {
        ++steps;
        if (s.mate[at] != kNoMate) {
          (forward ? region.after : region.before).push_back(s.mate[at]);
        } else if (!seen[at]) {
          seen[at] = true;
          stack.push_back(at);
        }
      }
    }
  }
  region.work = sorted_once(std::move(region.work));
  region.arithmetic = sorted_once(std::move(region.arithmetic));
  region.before = sorted_once(std::move(region.before));
  region.after = sorted_once(std::move(region.after));
  return region;
}

std::vector<Region> regions_of(const GraphSide& s, std::size_t& steps) {
  std::vector<Region> regions;
  std::vector<bool> seen(s.size(), false);
  for (Node start = 0; start < s.size(); ++start) {
    if (seen[start] || s.mate[start] != kNoMate) continue;
    Region region = region_from(s, start, seen, steps);
    if (!region.work.empty()) regions.push_back(std::move(region));
  }
  return regions;
}

Key border_of(const Region& region) {
  Key key = 7;
  for (const Mate m : region.before) key = mixed(key, m);
  key = mixed(key, 8);
  for (const Mate m : region.after) key = mixed(key, m);
  return key;
}

bool may_be_fused(const Region& l, const Region& r) {
  return l.whole && r.whole && !l.before.empty() && !l.after.empty() &&
         l.work.size() <= kLargestRegion && r.work.size() <= kLargestRegion &&
         l.arithmetic.size() == r.arithmetic.size();
}

// `to` reads what `from` computes, through unmatched work without arithmetic.
bool feeds(const GraphSide& s, Node from, Node to) {
  Nodes stack{to};
  for (std::size_t looked = 0; !stack.empty() && looked < 4 * kLargestRegion; ++looked) {
    const Node n = stack.back();
    stack.pop_back();
    for (const Node at : s.neighbours(n, false)) {
      if (at == from) return true;
      if (s.mate[at] == kNoMate && !s.is_arithmetic_work(at)) stack.push_back(at);
    }
  }
  return false;
}

using Layers = std::vector<std::size_t>;

// The region cut behind each arithmetic layer, when these feed each other one by one; else whole.
std::vector<Layers> stages_of(const GraphSide& s, const Region& region) {
  for (std::size_t k = 1; k < region.arithmetic.size(); ++k) {
    if (!feeds(s, region.arithmetic[k - 1], region.arithmetic[k])) return {};
  }
  std::vector<Layers> stages(1);
  std::size_t next = 0;  // of the arithmetic
  for (const Node n : region.work) {
    const bool is_next = next < region.arithmetic.size() && n == region.arithmetic[next];
    if (is_next && next++ > 0) stages.emplace_back();
    Layers& stage = stages.back();
    // The layer that the stage is about stands first.
    stage.insert(is_next ? stage.begin() : stage.end(), s.graph[n].layer);
  }
  return stages;
}

Layers all_of(const GraphSide& s, const Region& region) {
  Layers layers;
  for (const Node n : region.arithmetic) layers.push_back(s.graph[n].layer);
  for (const Node n : region.work) {
    if (!s.is_arithmetic_work(n)) layers.push_back(s.graph[n].layer);
  }
  return layers;
}

}  // namespace

std::vector<RegionPair> equal_regions(const GraphSide& left, const GraphSide& right,
                                      std::size_t& steps) {
  const std::vector<Region> of_left = regions_of(left, steps), of_right = regions_of(right, steps);
  std::unordered_map<Key, std::pair<std::vector<const Region*>, std::vector<const Region*>>> at;
  for (const Region& region : of_left) at[border_of(region)].first.push_back(&region);
  for (const Region& region : of_right) at[border_of(region)].second.push_back(&region);
  std::vector<RegionPair> pairs;
  for (const Region& l : of_left) {
    const auto& [same_left, same_right] = at[border_of(l)];
    if (same_left.size() != 1 || same_right.size() != 1) continue;
    const Region& r = *same_right[0];
    if (!may_be_fused(l, r)) continue;
    const std::vector<Layers> stages_left = stages_of(left, l), stages_right = stages_of(right, r);
    if (!stages_left.empty() && stages_left.size() == stages_right.size()) {
      for (std::size_t k = 0; k < stages_left.size(); ++k) {
        pairs.emplace_back(stages_left[k], stages_right[k]);
      }
    } else {
      pairs.emplace_back(all_of(left, l), all_of(right, r));
    }
  }
  return pairs;
}

}  // namespace trtlens
