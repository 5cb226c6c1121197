// Alignment of what has no name in common by kind, shapes and neighbours. From what is known to be
// the same (layers aligned by name, inputs and outputs of the network) along the tensors: of those
// that read the same value, or write it, two that are alone in their kind and shape are the same.
// Where a step is ambiguous the layers stay apart: a wrong pair is worse than a missing one.
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "analyzers/compare/align/graph.h"

namespace trtlens {
namespace {

// A set of layers is looked at again when one of its neighbours was matched, so often at most.
constexpr std::uint32_t kMostVisits = 6;
constexpr Node kNoNode = static_cast<Node>(-1);

struct MateSet {
  Nodes left, right;
  std::uint32_t visits = 0;
  bool queued = false;
};

class GraphMatcher {
 public:
  explicit GraphMatcher(Alignment& alignment)
      : alignment_(alignment),
        first_(alignment, alignment.base),
        second_(alignment, alignment.candidate),
        // One of the sides is always the left one, whichever was given first.
        swapped_(order_of(second_) < order_of(first_)),
        left_(swapped_ ? second_ : first_),
        right_(swapped_ ? first_ : second_),
        sets_(1) {}

  void run() {
    take_over_tied();
    match_ends(WorkNode::Kind::input);
    match_ends(WorkNode::Kind::output);
    propagate();
    for (const bool surroundings : {true, false, true}) {
      match_unique(surroundings);
      propagate();
    }
    match_in_engine_order();
    propagate();
    match_unique(true);
    propagate();
    tie_regions();
    tie_fused_activations();
    tie_lone_sums();
  }

 private:
  static std::vector<Key> order_of(const GraphSide& side) {
    std::vector<Key> keys;
    for (Node n = 0; n < side.size(); ++n) {
      keys.push_back(mixed(side.graph[n].signature, side.free[n] ? 0 : 1));
    }
    return keys;
  }

  // Layers that names have tied: their nodes are one set.
  void take_over_tied() {
    std::unordered_map<std::size_t, Mate> mate_of_root;
    for (GraphSide* s : {&left_, &right_}) {
      for (Node n = 0; n < s->size(); ++n) {
        if (!s->has_layer(n) || !alignment_.tied(s->side, s->graph[n].layer)) continue;
        const std::size_t root = alignment_.sets.find(s->side.offset + s->graph[n].layer);
        const auto [at, is_new] = mate_of_root.try_emplace(root, static_cast<Mate>(sets_.size()));
        if (is_new) sets_.emplace_back();
        MateSet& set = sets_[at->second];
        (s == &left_ ? set.left : set.right).push_back(n);
        s->mate[n] = at->second;
      }
    }
    for (Mate m = 1; m < sets_.size(); ++m) enqueue(m);
  }

  // Inputs, or outputs, of the network: one of that shape on each side.
  void match_ends(WorkNode::Kind kind) {
    match_keys([&](const GraphSide& s, Node n) { return s.graph[n].kind == kind; },
               [](const GraphSide& s, Node n) { return s.graph[n].signature; });
  }

  // Alone with its signature on each side; with `surroundings`, also that of its neighbours.
  void match_unique(bool surroundings) {
    match_keys([](const GraphSide& s, Node n) { return s.graph[n].kind == WorkNode::Kind::work; },
               [&](const GraphSide& s, Node n) {
                 const Key own = s.graph[n].signature;
                 return surroundings ? mixed(mixed(own, around(s, n, false)), around(s, n, true))
                                     : own;
               });
  }

  Key around(const GraphSide& s, Node n, bool forward) const {
    std::vector<Key> keys;
    for (const Node at : s.neighbours(n, forward)) {
      if (keys.size() == 64) break;
      keys.push_back(s.mate[at] != kNoMate ? mixed(2, s.mate[at]) : s.graph[at].signature);
    }
    std::ranges::sort(keys);
    Key key = forward ? 5 : 6;
    for (const Key k : keys) key = mixed(key, k);
    return key;
  }

  template <typename Takes, typename KeyOf>
  void match_keys(Takes takes, KeyOf key_of) {
    struct Found {
      Nodes left, right;
    };
    std::unordered_map<Key, Found> found;
    std::vector<Key> keys;  // in order of the left side
    for (GraphSide* s : {&left_, &right_}) {
      for (Node n = 0; n < s->size(); ++n) {
        if (!s->open(n) || !takes(*s, n)) continue;
        const Key key = key_of(*s, n);
        Found& at = found[key];
        if (s == &left_ && at.left.empty()) keys.push_back(key);
        (s == &left_ ? at.left : at.right).push_back(n);
      }
    }
    for (const Key key : keys) {
      const Found& at = found[key];
      if (at.left.size() == 1 && at.right.size() == 1) try_match(at.left[0], at.right[0]);
    }
  }

  void enqueue(Mate m) {
    MateSet& set = sets_[m];
    if (set.queued || set.visits >= kMostVisits || set.left.empty() || set.right.empty()) return;
    set.queued = true;
    queue_.push_back(m);
  }

  void propagate() {
    while (!queue_.empty()) {
      const Mate m = queue_.front();
      queue_.pop_front();
      sets_[m].queued = false;
      ++sets_[m].visits;
      for (const bool forward : {true, false}) {
        pair_alone(open_around(left_, sets_[m].left, forward),
                   open_around(right_, sets_[m].right, forward));
      }
    }
  }

  // Unmatched neighbours, and those behind an activation: the other side may have fused it.
  Nodes open_around(const GraphSide& s, const Nodes& of, bool forward) {
    Nodes found;
    for (const Node n : of) {
      for (const Node at : s.neighbours(n, forward)) {
        if (s.mate[at] != kNoMate) continue;
        if (s.free[at]) found.push_back(at);
        if (!s.is_activation(at)) continue;
        for (const Node behind : s.neighbours(at, forward)) {
          if (s.open(behind)) found.push_back(behind);
        }
      }
    }
    return sorted_once(std::move(found));
  }

  // Of two lists of neighbours those that are alone with their signature.
  void pair_alone(const Nodes& left, const Nodes& right) {
    if (left.empty() || right.empty()) return;
    std::unordered_map<Key, std::pair<Nodes, Nodes>> by_key;
    for (const Node n : left) by_key[left_.graph[n].signature].first.push_back(n);
    for (const Node n : right) by_key[right_.graph[n].signature].second.push_back(n);
    for (const Node n : left) {
      const auto& [of_left, of_right] = by_key[left_.graph[n].signature];
      if (of_left.size() == 1 && of_right.size() == 1) try_match(n, of_right[0]);
    }
  }

  // Both have matched neighbours on that side, and none of them in common.
  [[nodiscard]] bool contradicts(Node l, Node r, bool forward) {
    bool any_left = false, any_right = false;
    std::vector<Mate> seen;
    for (const Node n : left_.neighbours(l, forward)) {
      if (left_.mate[n] == kNoMate) continue;
      any_left = true;
      seen.push_back(left_.mate[n]);
      if (seen.size() == 64) break;
    }
    for (const Node n : right_.neighbours(r, forward)) {
      const Mate m = right_.mate[n];
      if (m == kNoMate) continue;
      any_right = true;
      if (std::ranges::find(seen, m) != seen.end()) return false;
    }
    return any_left && any_right;
  }

  bool try_match(Node l, Node r) {
    if (!left_.open(l) || !right_.open(r)) return false;
    if (contradicts(l, r, false) || contradicts(l, r, true)) return false;
    const auto m = static_cast<Mate>(sets_.size());
    sets_.push_back({{l}, {r}, 0, false});
    left_.mate[l] = right_.mate[r] = m;
    tie_layers(l, r);
    enqueue(m);
    for (const bool forward : {true, false}) {
      for (const Node n : left_.neighbours(l, forward)) {
        if (left_.mate[n] != kNoMate) enqueue(left_.mate[n]);
      }
    }
    return true;
  }

  void tie_layers(Node l, Node r) {
    const WorkNode& left = left_.graph[l];
    const WorkNode& right = right_.graph[r];
    if (left.kind == WorkNode::Kind::work && right.kind == WorkNode::Kind::work) {
      tie(left.layer, right.layer);
    } else if (left.kind != right.kind) {
      lone_sums_.emplace_back(l, r);  // fused on one side only
    }
  }

  void tie(std::size_t left, std::size_t right) {
    alignment_.tie(swapped_ ? right : left, swapped_ ? left : right, Link::signature);
  }

  // A sum that is a kernel of its own here and fused there joins the convolution's group, once that
  // has a counterpart.
  void tie_lone_sums() {
    for (const auto& [l, r] : lone_sums_) {
      const bool left_fused = left_.graph[l].kind == WorkNode::Kind::sum;
      const GraphSide& fused = left_fused ? left_ : right_;
      const std::size_t layer = fused.graph[left_fused ? l : r].layer;
      if (alignment_.tied(fused.side, layer)) tie(left_.graph[l].layer, right_.graph[r].layer);
    }
  }

  struct Sequence {
    std::vector<Key> keys;
    Nodes nodes;
  };

  Sequence sequence_of(const GraphSide& s) {
    Sequence sequence;
    for (Node n = 0; n < s.size(); ++n) {
      if (s.graph[n].kind != WorkNode::Kind::work || (s.mate[n] == kNoMate && !s.free[n])) continue;
      sequence.keys.push_back(s.mate[n] != kNoMate ? mixed(2, s.mate[n]) : s.graph[n].signature);
      sequence.nodes.push_back(n);
    }
    return sequence;
  }

  // Between what is matched, in the order of the engines; believed only where a neighbour is
  // matched, too, or would be.
  void match_in_engine_order() {
    const Sequence left = sequence_of(left_), right = sequence_of(right_);
    left_.other.assign(left_.size(), 0);
    right_.other.assign(right_.size(), 0);
    std::vector<std::pair<Node, Node>> proposed;
    for (const auto& [i, j] : match_in_order(left.keys, right.keys)) {
      const Node l = left.nodes[i], r = right.nodes[j];
      if (!left_.open(l) || !right_.open(r)) continue;
      proposed.emplace_back(l, r);
      left_.other[l] = r + 1;
      right_.other[r] = l + 1;
    }
    for (const auto& [l, r] : proposed) {
      if (supported(l, r) && !has_odd_twin(l, r)) try_match(l, r);
    }
  }

  [[nodiscard]] bool supported(Node l, Node r) {
    bool alone = true;
    for (const bool forward : {false, true}) {
      const Nodes near_left = seen_through_sums(left_, l, forward);
      const Nodes near_right = seen_through_sums(right_, r, forward);
      alone = alone && near_left.empty() && near_right.empty();
      for (const Node n : near_left) {
        for (const Node k : near_right) {
          if (left_.mate[n] != kNoMate && left_.mate[n] == right_.mate[k]) return true;
          if (left_.other[n] == k + 1) return true;
        }
      }
    }
    return alone;
  }

  // Neighbours, and those behind an unmatched sum; not all of very many.
  static Nodes seen_through_sums(const GraphSide& s, Node n, bool forward) {
    Nodes found;
    for (const Node at : s.neighbours(n, forward)) {
      if (found.size() >= 16) break;
      found.push_back(at);
      if (s.graph[at].kind != WorkNode::Kind::sum || s.mate[at] != kNoMate) continue;
      for (const Node behind : s.neighbours(at, forward)) {
        if (behind != n && found.size() < 16) found.push_back(behind);
      }
    }
    return found;
  }

  // Of equal work that reads the same value one side has more: which one has no counterpart is not
  // known.
  [[nodiscard]] bool has_odd_twin(Node l, Node r) { return twins(left_, l) != twins(right_, r); }
  std::size_t twins(const GraphSide& s, Node n) {
    if (s.graph[n].producers.empty()) return 0;
    std::size_t count = 0, looked = 0;
    for (const Node at : s.graph[s.graph[n].producers[0]].consumers) {
      if (++looked > 64) break;
      if (s.open(at) && s.graph[at].signature == s.graph[n].signature) ++count;
    }
    return count;
  }

  // An activation that only this side runs on its own, between layers that feed each other directly
  // on the other side: fused there into the first of them.
  void tie_fused_activations() {
    for (GraphSide* s : {&left_, &right_}) {
      for (Node n = 0; n < s->size(); ++n) {
        if (!s->open(n) || !s->is_activation(n)) continue;
        if (alignment_.tied(s->side, s->graph[n].layer)) continue;
        const Node other = fused_into(*s, n);
        if (other == kNoNode) continue;
        const GraphSide& o = s == &left_ ? right_ : left_;
        const std::size_t own = s->graph[n].layer, there = o.graph[other].layer;
        s == &left_ ? tie(own, there) : tie(there, own);
      }
    }
  }

  // The node of the other side that holds activation `n`; kNoNode when that is not certain.
  Node fused_into(const GraphSide& s, Node n) {
    const GraphSide& o = &s == &left_ ? right_ : left_;
    const auto others = [&](Node of) -> const Nodes& {
      const MateSet& set = sets_[s.mate[of]];
      return &s == &left_ ? set.right : set.left;
    };
    const Nodes& producers = others(s.graph[n].producers[0]);
    if (producers.size() != 1 || !o.has_layer(producers[0])) return kNoNode;
    const Nodes& readers = s.graph[n].consumers;
    if (readers.empty() || readers.size() > 16) return kNoNode;
    for (const Node reader : readers) {
      bool direct = false;
      for (const Node at : others(reader)) {
        const Nodes& before = o.graph[at].producers;
        direct = direct || std::ranges::find(before, producers[0]) != before.end();
      }
      if (!direct) return kNoNode;
    }
    return producers[0];
  }

  void tie_regions() {
    for (const auto& [left, right] : equal_regions(left_, right_)) {
      for (const std::size_t l : left) tie(l, right[0]);
      for (const std::size_t r : right) tie(left[0], r);
    }
  }

  Alignment& alignment_;
  GraphSide first_, second_;
  bool swapped_;
  GraphSide& left_;
  GraphSide& right_;
  std::vector<MateSet> sets_;  // by mate; the first is none
  std::deque<Mate> queue_;
  std::vector<std::pair<Node, Node>> lone_sums_;
};

}  // namespace

void align_by_graph(Alignment& alignment) {
  GraphMatcher(alignment).run();
}

}  // namespace trtlens
