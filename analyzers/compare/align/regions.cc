// What stands between the same layers on both sides, and is all that stands there, is the same
// work, however it is fused.
#include <algorithm>
#include <optional>
#include <string_view>
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

Region region_from(const GraphSide& s, Node start, std::vector<bool>& seen) {
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

std::vector<Region> regions_of(const GraphSide& s) {
  std::vector<Region> regions;
  std::vector<bool> seen(s.size(), false);
  for (Node start = 0; start < s.size(); ++start) {
    if (seen[start] || s.mate[start] != kNoMate) continue;
    Region region = region_from(s, start, seen);
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

LayerRole role_of(const GraphSide& s, Node n) {
  return s.side.analysis.verdicts[s.graph[n].layer].role;
}

// One kernel of fused attention is all its arithmetic.
bool is_fused_attention(const GraphSide& s, const Region& region) {
  return region.arithmetic.size() == 1 && role_of(s, region.arithmetic[0]) == LayerRole::attention;
}

// Two matrix products and a softmax.
bool is_attention_in_parts(const GraphSide& s, const Region& region) {
  return region.arithmetic.size() == 2 &&
         std::ranges::all_of(region.arithmetic,
                             [&](Node n) { return role_of(s, n) == LayerRole::gemm; }) &&
         std::ranges::count_if(region.work,
                               [&](Node n) { return role_of(s, n) == LayerRole::softmax; }) == 1;
}

// The part of the network that its nodes are in: "/blocks.0/attn/"; empty without nodes.
std::string_view scope_of(const GraphSide& s, const Region& region) {
  std::optional<std::string_view> scope;
  for (const Node n : region.work) {
    for (const SharedText& text : s.side.layer(s.graph[n].layer).onnx_nodes) {
      const std::string_view node = text.str();
      const std::string_view known = scope.value_or(node);
      const auto differs = std::ranges::mismatch(known, node).in1;
      const auto same = static_cast<std::size_t>(differs - known.begin());
      scope = known.substr(0, known.substr(0, same).rfind('/') + 1);  // npos + 1 is 0
    }
  }
  return scope.value_or(std::string_view());
}

// Fused attention here, its parts there. Layers whose names have no counterpart must say that they
// are of one part of the network.
bool are_one_attention(const GraphSide& left, const Region& l, const GraphSide& right,
                       const Region& r) {
  const bool fused_left = is_fused_attention(left, l) && is_attention_in_parts(right, r);
  const bool fused_right = is_fused_attention(right, r) && is_attention_in_parts(left, l);
  if (!fused_left && !fused_right) return false;
  const std::string_view scope_left = scope_of(left, l), scope_right = scope_of(right, r);
  const bool one_scope =
      scope_left.size() > 1 && scope_right.size() > 1 &&
      (scope_left.starts_with(scope_right) || scope_right.starts_with(scope_left));
  return one_scope || (l.whole && r.whole);
}

bool may_be_fused(const GraphSide& left, const Region& l, const GraphSide& right, const Region& r) {
  if (l.before.empty() || l.after.empty() || l.work.size() > kLargestRegion ||
      r.work.size() > kLargestRegion) {
    return false;
  }
  return (l.whole && r.whole && l.arithmetic.size() == r.arithmetic.size()) ||
         are_one_attention(left, l, right, r);
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

std::vector<RegionPair> equal_regions(const GraphSide& left, const GraphSide& right) {
  const std::vector<Region> of_left = regions_of(left), of_right = regions_of(right);
  std::unordered_map<Key, std::pair<std::vector<const Region*>, std::vector<const Region*>>> at;
  for (const Region& region : of_left) at[border_of(region)].first.push_back(&region);
  for (const Region& region : of_right) at[border_of(region)].second.push_back(&region);
  std::vector<RegionPair> pairs;
  for (const Region& l : of_left) {
    const auto& [same_left, same_right] = at[border_of(l)];
    if (same_left.size() != 1 || same_right.size() != 1) continue;
    const Region& r = *same_right[0];
    if (!may_be_fused(left, l, right, r)) continue;
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
