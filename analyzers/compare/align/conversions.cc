// Which group a reformat, quantize or dequantize kernel belongs to.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "analyzers/compare/align/align.h"

namespace trtlens {
namespace {

constexpr std::size_t kNone = Graph::kNone;
constexpr std::size_t kMostConversions = 8;  // of conversions behind each other

// Where a conversion stands: the work in front of it and behind it, through other conversions.
struct Ends {
  std::size_t producer = kNone, consumer = kNone;  // layers of its side
};

class Conversions {
 public:
  explicit Conversions(Alignment& alignment)
      : alignment_(alignment),
        sets_(alignment.sets),
        both_have_tensors_(alignment.base.analysis.build.has_layer_info &&
                           alignment.candidate.analysis.build.has_layer_info) {
    label(alignment.base);
    label(alignment.candidate);
  }

  void run() {
    const std::vector<std::size_t> of_base = conversions_of(alignment_.base);
    const std::vector<std::size_t> of_candidate = conversions_of(alignment_.candidate);
    pair_equal(of_base, of_candidate,
               [&](const AlignSide& side, std::size_t i) { return place_key(side, i); });
    // Between the same layers by name: profiles without layer info.
    pair_equal(of_base, of_candidate,
               [&](const AlignSide& side, std::size_t i) { return name_key(side, i); });
    for (const AlignSide* side : {&alignment_.base, &alignment_.candidate}) {
      for (const std::size_t i : side == &alignment_.base ? of_base : of_candidate) {
        if (!alignment_.tied(*side, i)) give_away(*side, i);
      }
    }
  }

 private:
  // What a set of layers is worth comparing by: the precision of its slowest arithmetic on each
  // side.
  struct SetLabel {
    std::array<Precision, 2> precision{Precision::none, Precision::none};
    std::array<double, 2> most{-1, -1};
  };

  void label(const AlignSide& side) {
    const std::size_t which = &side == &alignment_.base ? 0 : 1;
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (!is_arithmetic(side.analysis.verdicts[i].role)) continue;
      SetLabel& set = labels_[sets_.find(side.offset + i)];
      const double ms = time_or_zero(side.layer(i));
      if (ms <= set.most[which]) continue;
      set.most[which] = ms;
      set.precision[which] = side.analysis.verdicts[i].compute;
    }
  }

  std::vector<std::size_t> conversions_of(const AlignSide& side) {
    std::vector<std::size_t> found;
    std::vector<Ends>& ends = ends_[&side == &alignment_.base ? 0 : 1];
    ends.resize(side.size());
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (!side.conversion[i]) continue;
      found.push_back(i);
      ends[i] = {neighbour(side, i, true), neighbour(side, i, false)};
      if (ends[i].producer == kNone && ends[i].consumer == kNone) {
        // All there is without tensors.
        const std::string_view target = target_in_name(side.layer(i).name.str());
        if (!target.empty()) ends[i].consumer = side.graph.find(target);
      }
    }
    return found;
  }

  // The work next to a conversion: arithmetic before anything else.
  std::size_t neighbour(const AlignSide& side, std::size_t i, bool before) {
    std::size_t at = i;
    for (std::size_t k = 0; k < kMostConversions; ++k) {
      std::size_t found = kNone, chain = kNone;
      for (const std::size_t n : before ? side.graph.before(at) : side.graph.after(at)) {
        const LayerRole role = side.analysis.verdicts[n].role;
        if (side.conversion[n]) {
          if (chain == kNone) chain = n;
        } else if (is_arithmetic(role)) {
          return n;
        } else if (found == kNone && role != LayerRole::none) {
          found = n;
        }
      }
      if (found != kNone || chain == kNone || chain == i) return found;
      at = chain;
    }
    return kNone;
  }

  [[nodiscard]] const Ends& ends(const AlignSide& side, std::size_t i) const {
    return ends_[&side == &alignment_.base ? 0 : 1][i];
  }
  std::size_t root(const AlignSide& side, std::size_t i) {
    return i == kNone ? kNone : sets_.find(side.offset + i);
  }

  // Kind, place and types: equal for a conversion that did not change. "" when its place is
  // unknown.
  std::string place_key(const AlignSide& side, std::size_t i) {
    const Layer& layer = side.layer(i);
    const Ends& at = ends(side, i);
    if (layer.inputs.empty() || layer.outputs.empty()) return {};
    if (at.producer == kNone && at.consumer == kNone) return {};
    std::string key = to_string(side.analysis.verdicts[i].role);
    for (const std::size_t end : {at.producer, at.consumer}) {
      // A neighbour of one side only is no place that the other side knows.
      if (end != kNone && !alignment_.tied(side, end)) return {};
      key += ' ' + std::to_string(root(side, end));
    }
    return key + ' ' + layer.inputs[0].format.str() + '>' + layer.outputs[0].format.str();
  }

  std::string name_key(const AlignSide& side, std::size_t i) {
    const Layer& layer = side.layer(i);
    // With tensors known on both sides the place has decided.
    if (both_have_tensors_ && !layer.inputs.empty() && !layer.outputs.empty() &&
        !(ends(side, i).producer == kNone && ends(side, i).consumer == kNone)) {
      return {};
    }
    return layer.name.str();
  }

  template <typename KeyOf>
  void pair_equal(const std::vector<std::size_t>& of_base,
                  const std::vector<std::size_t>& of_candidate, KeyOf key_of) {
    std::unordered_map<std::string, std::vector<std::size_t>> waiting;
    for (const std::size_t i : of_base) {
      if (alignment_.tied(alignment_.base, i)) continue;
      std::string key = key_of(alignment_.base, i);
      if (!key.empty()) waiting[std::move(key)].push_back(i);
    }
    std::unordered_map<std::string, std::size_t> used;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const std::size_t i : of_candidate) {
      if (alignment_.tied(alignment_.candidate, i)) continue;
      const std::string key = key_of(alignment_.candidate, i);
      const auto found = waiting.find(key);
      if (key.empty() || found == waiting.end()) continue;
      std::size_t& nth = used[key];
      if (nth < found->second.size()) pairs.emplace_back(found->second[nth++], i);
    }
    for (const auto& [b, c] : pairs) {
      const bool named = alignment_.base.layer(b).name == alignment_.candidate.layer(c).name;
      alignment_.tie(b, c, named ? Link::name : Link::tensors);
    }
  }

  // Whether the precision of the set's arithmetic is another one on the other side.
  bool changed(std::size_t root) {
    const auto found = labels_.find(root);
    if (found == labels_.end()) return false;
    const auto& precision = found->second.precision;
    return precision[0] != precision[1];
  }

  // A conversion of one side only: to the neighbour whose precision changed, else to arithmetic
  // behind it, else to what stands behind it, else in front.
  void give_away(const AlignSide& side, std::size_t i) {
    const auto [producer, consumer] = ends(side, i);
    std::size_t target = consumer != kNone ? consumer : producer;
    if (producer != kNone && consumer != kNone) {
      const bool producer_changed = changed(root(side, producer));
      const bool consumer_changed = changed(root(side, consumer));
      if (producer_changed != consumer_changed) {
        target = producer_changed ? producer : consumer;
      } else if (!is_arithmetic(side.analysis.verdicts[consumer].role) &&
                 is_arithmetic(side.analysis.verdicts[producer].role)) {
        target = producer;
      }
      // Better with work that both sides have.
      if (!alignment_.tied(side, target)) {
        const std::size_t other = target == producer ? consumer : producer;
        if (alignment_.tied(side, other)) target = other;
      }
    }
    if (target != kNone) sets_.join(side.offset + target, side.offset + i);
  }

  Alignment& alignment_;
  Sets& sets_;
  bool both_have_tensors_;
  std::unordered_map<std::size_t, SetLabel> labels_;
  std::array<std::vector<Ends>, 2> ends_;
};

}  // namespace

void align_conversions(Alignment& alignment) {
  Conversions(alignment).run();
}

}  // namespace trtlens
