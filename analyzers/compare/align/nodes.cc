// Alignment by what the network called its parts: nodes, weights, layers, tensors.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <unordered_map>
#include <utility>

#include "analyzers/compare/align/align.h"

namespace trtlens {
namespace {

// A node that so many layers of one side hold (a constant, a shape) does not tell them apart.
constexpr std::size_t kMostOwners = 8;
// Both sides number alike: of the numbered names of the side with fewer, at least so many are on
// the other, and at least so many of the layers that share one write the same shape.
constexpr double kLeastCommon = 0.5;
constexpr double kLeastSameShape = 0.9;

// Names stay where they are in the builds.
using Owners = std::unordered_map<std::string_view, std::vector<std::size_t>>;

// Parts of a fused name that are no nodes: initializers such as `features.0.0.weight`.
void add_weights(const Layer& layer, std::vector<std::string_view>& out) {
  const std::string_view name = layer.name.str();
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t end = std::min(name.find(" + ", at), name.size());
    const std::string_view part = name.substr(at, end - at);
    at = end + 3;
    if (part.size() < 3 || part.size() == name.size() || is_numbered(part) || is_quantizer(part) ||
        part.find_first_of("()[]{}|") != std::string_view::npos) {
      continue;
    }
    out.push_back(part);
  }
}

std::vector<std::string_view> telling_names(const Layer& layer) {
  std::vector<std::string_view> names;
  for (const std::string& node : layer.onnx_nodes) {
    if (!is_quantizer(node)) names.emplace_back(node);
  }
  add_weights(layer, names);
  return sorted_once(std::move(names));
}

Owners owners_of(const AlignSide& side) {
  Owners owners;
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side.conversion[i]) continue;
    for (const std::string_view name : telling_names(side.layer(i))) {
      owners[name].push_back(i);
    }
  }
  return owners;
}

bool same_shape(const Layer& a, const Layer& b) {
  return a.outputs[0].dims == b.outputs[0].dims;
}

bool shaped(const Layer& layer) {
  return !layer.outputs.empty() && layer.outputs[0].has_dims;
}

bool numbers_hold(const Alignment& alignment, const Owners& of_base, const Owners& of_candidate) {
  const auto numbered = [](const Owners& owners) {
    return std::ranges::count_if(owners,
                                 [](const auto& entry) { return is_numbered(entry.first); });
  };
  const auto fewer = std::min(numbered(of_base), numbered(of_candidate));
  if (fewer == 0) return true;
  std::size_t common = 0, checked = 0, same = 0;
  for (const auto& [name, left] : of_base) {
    const auto right = of_candidate.find(name);
    if (!is_numbered(name) || right == of_candidate.end()) continue;
    ++common;
    const Layer& b = alignment.base.layer(left[0]);
    const Layer& c = alignment.candidate.layer(right->second[0]);
    if (left.size() != 1 || right->second.size() != 1 || !shaped(b) || !shaped(c)) continue;
    ++checked;
    same += same_shape(b, c) ? 1 : 0;
  }
  return static_cast<double>(common) >= kLeastCommon * static_cast<double>(fewer) &&
         static_cast<double>(same) >= kLeastSameShape * static_cast<double>(checked);
}

// Kernels that share no more than weights may go by one name.
void tie_by_node(Alignment& alignment, std::size_t b, std::size_t c) {
  const Layer& of_base = alignment.base.layer(b);
  const Layer& of_candidate = alignment.candidate.layer(c);
  const bool by_name = of_base.name == of_candidate.name && ops_of(of_base).empty();
  alignment.tie(b, c, by_name ? Link::name : Link::onnx);
}

// The counterpart of each layer by its whole name, where that stands once on both sides and, as far
// as shapes are known, writes the same.
std::vector<std::size_t> namesakes_of(const Alignment& alignment, bool numbers_hold) {
  std::unordered_map<std::string_view, std::array<std::vector<std::size_t>, 2>> named;
  for (const AlignSide* side : {&alignment.base, &alignment.candidate}) {
    for (std::size_t i = 0; i < side->size(); ++i) {
      const std::string_view name = side->layer(i).name.str();
      if (side->conversion[i] || (!numbers_hold && is_numbered(name))) continue;
      named[name].at(side == &alignment.base ? 0 : 1).push_back(i);
    }
  }
  std::vector<std::size_t> namesakes(alignment.links.size(), Graph::kNone);
  for (const auto& [name, sides] : named) {
    if (sides[0].size() != 1 || sides[1].size() != 1) continue;
    const std::size_t b = sides[0][0], c = sides[1][0];
    const Layer& of_base = alignment.base.layer(b);
    const Layer& of_candidate = alignment.candidate.layer(c);
    if (shaped(of_base) && shaped(of_candidate) && !same_shape(of_base, of_candidate)) continue;
    namesakes[alignment.base.offset + b] = c;
    namesakes[alignment.candidate.offset + c] = b;
  }
  return namesakes;
}

// Marks the layers that go by a lasting name, when the sides have such names in common.
void mark_named(Alignment& alignment, const Owners& of_base, const Owners& of_candidate) {
  const auto lasting = [](const Owners& owners) {
    return std::ranges::count_if(owners,
                                 [](const auto& entry) { return !is_numbered(entry.first); });
  };
  const auto common = std::ranges::count_if(of_base, [&](const auto& entry) {
    return !is_numbered(entry.first) && of_candidate.count(entry.first) != 0;
  });
  const auto fewer = std::min(lasting(of_base), lasting(of_candidate));
  if (common == 0 || static_cast<double>(common) < kLeastCommon * static_cast<double>(fewer)) {
    return;
  }
  const auto mark = [&](const AlignSide& side, const Owners& owners) {
    for (const auto& [name, layers] : owners) {
      if (is_numbered(name)) continue;
      for (const std::size_t i : layers) alignment.named_alone[side.offset + i] = true;
    }
  };
  mark(alignment.base, of_base);
  mark(alignment.candidate, of_candidate);
}

// Places of nodes in the order of the network: the parser's, else that of the layers.
std::unordered_map<std::string_view, std::size_t> node_order(const AlignSide& own,
                                                             const AlignSide& other) {
  std::unordered_map<std::string_view, std::size_t> order;
  for (const AlignSide* side : {&own, &other}) {
    for (const OnnxNode& node : side->analysis.build.onnx_nodes) {
      order.try_emplace(node.name, order.size());
    }
    if (!order.empty()) return order;
  }
  for (std::size_t i = 0; i < other.size(); ++i) {
    for (const std::string& node : other.layer(i).onnx_nodes) {
      order.try_emplace(node, order.size());
    }
  }
  return order;
}

std::string_view op_of(std::string_view node) {
  const std::size_t slash = node.rfind('/');
  if (slash != std::string_view::npos) node.remove_prefix(slash + 1);
  const std::size_t end = node.find_last_not_of("0123456789");
  if (end != std::string_view::npos && end + 1 < node.size() && node[end] == '_') {
    node = node.substr(0, end);
  }
  return node;
}

struct NodeRange {
  std::size_t layer, first, last;
};

// `{ForeignNode[a...b]}` names only its ends: it owns every node between them that no layer of its
// side names. Short ranges choose first.
void add_ranges(const AlignSide& own, const AlignSide& other, Owners& owners) {
  std::vector<NodeRange> ranges;
  std::unordered_map<std::string_view, std::size_t> order;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Layer& layer = own.layer(i);
    if (layer.name.str().find("ForeignNode[") == std::string::npos || layer.onnx_nodes.size() < 2) {
      continue;
    }
    if (order.empty()) order = node_order(own, other);
    const auto a = order.find(layer.onnx_nodes.front().str());
    const auto b = order.find(layer.onnx_nodes.back().str());
    if (a == order.end() || b == order.end()) continue;
    ranges.push_back({i, std::min(a->second, b->second), std::max(a->second, b->second)});
  }
  if (ranges.empty()) return;
  std::vector<std::string_view> nodes(order.size());
  for (const auto& [node, place] : order) nodes[place] = node;
  std::ranges::sort(ranges, {},
                    [](const NodeRange& a) { return std::make_pair(a.last - a.first, a.layer); });
  Sets next(nodes.size() + 1);  // the first place from here on that is free
  for (const NodeRange& range : ranges) {
    for (std::size_t at = next.find(range.first); at <= range.last; at = next.find(at)) {
      if (owners.find(nodes[at]) == owners.end()) owners[nodes[at]].push_back(range.layer);
      next.join(at + 1, at);
    }
  }
}

// Myelin numbers its kernels anew in every version: __myl_CastReshCast_myl15_1 without _myl15_1.
std::string_view without_myelin_number(std::string_view name) {
  const std::size_t at = name.rfind("_myl");
  if (at == std::string_view::npos || at == 0) return name;
  const std::string_view number = name.substr(at + 4);
  const bool is_number =
      !number.empty() && number.find_first_not_of("0123456789_") == std::string_view::npos;
  return is_number ? name.substr(0, at) : name;
}

// Of node_linear_1's layers, version 10.16 calls the kernel of a later one node_linear_1_2_myl11_1.
void tie_later_layers(Alignment& alignment, const AlignSide& own, const Owners& of_own,
                      const Owners& of_other) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Layer& layer = own.layer(i);
    if (!is_left_over(alignment, own, i) ||
        without_myelin_number(layer.name.str()) == std::string_view(layer.name.str())) {
      continue;
    }
    for (const SharedText& text : layer.onnx_nodes) {
      const std::string_view node = text.str();
      const std::size_t at = node.find_last_not_of("0123456789");
      if (at == std::string_view::npos || at + 1 == node.size() || node[at] != '_') continue;
      const std::string_view whole = node.substr(0, at);
      const auto other = of_other.find(whole);
      if (of_other.count(node) != 0 || of_own.count(whole) == 0 || other == of_other.end()) {
        continue;
      }
      const bool is_base = &own == &alignment.base;
      alignment.tie(is_base ? i : other->second[0], is_base ? other->second[0] : i, Link::name);
    }
  }
}

}  // namespace

bool is_numbered(std::string_view name) {
  const bool ends_in_digit =
      !name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0;
  return (ends_in_digit && name.find('/') == std::string_view::npos) ||
         name.find("(Unnamed Layer*") != std::string_view::npos;
}

bool is_quantizer(std::string_view name) {
  return name.find("QuantizeLinear") != std::string_view::npos ||
         name.find("quantizer") != std::string_view::npos;
}

Ops ops_of(const Layer& layer) {
  Ops ops;
  for (const std::string& node : layer.onnx_nodes) {
    if (!is_quantizer(node)) ops.push_back(op_of(node));
  }
  std::ranges::sort(ops);
  return ops;
}

bool align_by_nodes(Alignment& alignment) {
  Owners of_base = owners_of(alignment.base);
  Owners of_candidate = owners_of(alignment.candidate);
  const bool hold = numbers_hold(alignment, of_base, of_candidate);
  const std::vector<std::size_t> namesakes = namesakes_of(alignment, hold);
  mark_named(alignment, of_base, of_candidate);
  add_ranges(alignment.base, alignment.candidate, of_base);
  add_ranges(alignment.candidate, alignment.base, of_candidate);
  for (const auto& [name, left] : of_base) {
    if (!hold && is_numbered(name)) continue;
    const auto found = of_candidate.find(name);
    if (found == of_candidate.end()) continue;
    const auto& right = found->second;
    if (left.size() > kMostOwners || right.size() > kMostOwners) continue;
    // Kernels that both sides have under one name stay pairs: version 8.6 says of every slice that
    // a Split became that it is the Split.
    for (const std::size_t b : left) {
      const std::size_t namesake = namesakes[alignment.base.offset + b];
      tie_by_node(alignment, b, namesake == Graph::kNone ? right[0] : namesake);
    }
    for (const std::size_t c : right) {
      const std::size_t namesake = namesakes[alignment.candidate.offset + c];
      tie_by_node(alignment, namesake == Graph::kNone ? left[0] : namesake, c);
    }
  }
  if (hold) {
    tie_later_layers(alignment, alignment.base, of_base, of_candidate);
    tie_later_layers(alignment, alignment.candidate, of_candidate, of_base);
  }
  return hold;
}

void align_by_name(Alignment& alignment, bool numbers_hold) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> named;
  const auto free = [&](const AlignSide& side, std::size_t i) {
    const Layer& layer = side.layer(i);
    if (side.conversion[i] || alignment.tied(side, i)) return false;
    if (numbers_hold) return true;
    const auto& nodes = layer.onnx_nodes;
    return !is_numbered(layer.name.str()) &&
           !std::ranges::any_of(nodes, [](const std::string& node) { return is_numbered(node); });
  };
  for (std::size_t i = 0; i < alignment.base.size(); ++i) {
    if (free(alignment.base, i)) named[alignment.base.layer(i).name.str()].push_back(i);
  }
  std::unordered_map<std::string_view, std::size_t> used;
  for (std::size_t i = 0; i < alignment.candidate.size(); ++i) {
    const std::string_view name = alignment.candidate.layer(i).name.str();
    const auto found = named.find(name);
    if (found == named.end() || !free(alignment.candidate, i)) continue;
    std::size_t& nth = used[name];
    if (nth < found->second.size()) alignment.tie(found->second[nth++], i, Link::name);
  }
}

void align_by_myelin_name(Alignment& alignment) {
  // What has no work of the network (__mye1085_myl0_0) has nothing but a number for a name: by
  // type.
  std::map<std::pair<bool, std::string_view>, std::array<std::vector<std::size_t>, 2>> named;
  for (const AlignSide* side : {&alignment.base, &alignment.candidate}) {
    for (std::size_t i = 0; i < side->size(); ++i) {
      const std::string_view name = side->layer(i).name.str();
      const std::string_view folded = without_myelin_number(name);
      const bool works = side->analysis.verdicts[i].role != LayerRole::none;
      const bool is_open = works ? is_left_over(alignment, *side, i)
                                 : !alignment.tied(*side, i) && side->graph.takes_part(i);
      if (folded == name || !is_open) continue;
      const std::string_view key = works ? folded : side->layer(i).layer_type.str();
      named[{works, key}].at(side == &alignment.base ? 0 : 1).push_back(i);
    }
  }
  for (const auto& [key, sides] : named) {
    // Of other numbers of kernels the order tells nothing.
    if (sides[0].size() != sides[1].size()) continue;
    for (std::size_t k = 0; k < sides[0].size(); ++k) {
      alignment.tie(sides[0][k], sides[1][k], Link::name);
    }
  }
}

void align_by_tensors(Alignment& alignment, bool numbers_hold, bool also_attention) {
  const auto is_attention = [](const AlignSide& side, std::size_t i) {
    return side.analysis.verdicts[i].role == LayerRole::attention;
  };
  const auto written = [&](const AlignSide& side) {
    Owners owners;
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (side.conversion[i] || alignment.tied(side, i)) continue;
      for (const Tensor& tensor : side.layer(i).outputs) {
        const std::string_view name = tensor.name.str();
        // TensorRT's own names say no more than the layer's.
        if (name.substr(0, 9) == "Reformatt" || (!numbers_hold && is_numbered(name))) continue;
        owners[name].push_back(i);
      }
    }
    return owners;
  };
  const Owners of_base = written(alignment.base);
  const Owners of_candidate = written(alignment.candidate);
  for (const auto& [name, left] : of_base) {
    const auto found = of_candidate.find(name);
    if (found == of_candidate.end() || left.size() != 1 || found->second.size() != 1) continue;
    const std::size_t b = left[0], c = found->second[0];
    if (!also_attention &&
        is_attention(alignment.base, b) != is_attention(alignment.candidate, c)) {
      continue;
    }
    alignment.tie(b, c, Link::tensors);
  }
}

}  // namespace trtlens
