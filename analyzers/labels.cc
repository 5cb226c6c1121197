// Labels from the ONNX nodes of a layer, else from its name.
#include "analyzers/labels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <utility>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::size_t kMostNodes = 4;  // of a layer that are written out

// Where a node stands, and what it is: "layer1.0" and "conv2".
struct NodeParts {
  std::string module, own;
};

// "Conv" of "Conv_34" and of "Conv".
std::string_view operator_of(std::string_view own) {
  const std::size_t end = own.find_last_not_of("0123456789");
  return end != std::string_view::npos && end + 1 < own.size() && own[end] == '_'
             ? own.substr(0, end)
             : own;
}

std::vector<std::string_view> segments_of(std::string_view node) {
  std::vector<std::string_view> segments;
  for (const std::string_view segment : split(node, "/")) {
    if (segment.empty()) continue;
    // "layer1/layer1.0": the second says both.
    if (!segments.empty() && segment.size() > segments.back().size() &&
        segment.starts_with(segments.back()) && segment[segments.back().size()] == '.') {
      segments.pop_back();
    }
    segments.push_back(segment);
  }
  return segments;
}

NodeParts parts_of(std::string_view node) {
  std::vector<std::string_view> segments = segments_of(node);
  if (segments.empty()) return {"", std::string(node)};
  if (segments.size() > 1 &&
      holds_ignoring_case(segments[segments.size() - 2], operator_of(segments.back()))) {
    segments.pop_back();
  }
  NodeParts parts{"", std::string(segments.back())};
  segments.pop_back();
  for (const std::string_view segment : segments) {
    if (!parts.module.empty()) parts.module += '.';
    parts.module += segment;
  }
  // A path with dots alone, "layer1.0.conv2", has its module in front of the last one. A number
  // says nothing by itself: "conv.0" stays whole.
  const std::size_t dot = parts.own.rfind('.');
  if (dot != std::string::npos &&
      parts.own.find_first_not_of("0123456789", dot + 1) != std::string::npos) {
    parts.module += (parts.module.empty() ? "" : ".") + parts.own.substr(0, dot);
    parts.own.erase(0, dot + 1);
  }
  return parts;
}

std::string whole(const NodeParts& parts) {
  return parts.module.empty() ? parts.own : parts.module + '.' + parts.own;
}

// "a.weight_Dequantize", "QuantizeLinear_7", "QuantLinearNode__694"; and what TensorFlow calls a
// tensor: "conv1/ReadVariableOp:0". "addmm_constant_0" is Torch-TensorRT's.
bool is_quantizer_or_weight(std::string_view node) {
  const std::size_t end = node.find_last_not_of("0123456789");
  if (end == std::string_view::npos) return false;
  if (node[end] == ':') return end + 1 < node.size();
  node = node.substr(0, node.find_last_not_of('_', end) + 1);
  constexpr std::array<std::string_view, 6> kEnds = {"QuantizeLinear",  "DequantizeLinear",
                                                     "_Quantize",       "_Dequantize",
                                                     "QuantLinearNode", "_constant"};
  return std::ranges::any_of(kEnds, [&](std::string_view one) { return node.ends_with(one); });
}

// Without those, but where there are no others.
std::vector<std::string_view> telling(const std::vector<SharedText>& nodes) {
  std::vector<std::string_view> all, some;
  for (const SharedText& node : nodes) {
    all.push_back(node.str());
    if (!is_quantizer_or_weight(node.str())) some.push_back(node.str());
  }
  return some.empty() ? all : some;
}

// Nodes of the module of the node before them by their own names alone.
std::string label_of_nodes(const std::vector<SharedText>& of_layer) {
  const std::vector<std::string_view> nodes = telling(of_layer);
  std::string label, module;
  const std::size_t shown = nodes.size() > kMostNodes ? kMostNodes - 1 : nodes.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const NodeParts parts = parts_of(nodes[i]);
    if (i > 0) label += " + ";
    label += i > 0 && parts.module == module ? parts.own : whole(parts);
    module = parts.module;
  }
  if (shown < nodes.size()) label += " + " + std::to_string(nodes.size() - shown) + " more";
  return label;
}

// Of "{ForeignNode[blocks.0.n1.weight...(Unnamed Layer* 416) [ElementWise]]}": "blocks.0.n1".
std::string module_of_first_weight(std::string_view name) {
  constexpr std::string_view kHead = "{ForeignNode[";
  if (!name.starts_with(kHead)) return {};
  name.remove_prefix(kHead.size());
  name = name.substr(0, name.find("..."));
  const std::size_t dot = name.rfind('.');
  const bool is_weight = dot != std::string_view::npos && name.find('/') == std::string_view::npos;
  return is_weight ? std::string(name.substr(0, dot)) : std::string();
}

std::string label_of_region(const Layer& layer) {
  const std::vector<SharedText>& nodes = layer.onnx_nodes;
  const std::string& name = layer.name.str();
  const std::string first = node_label(nodes.front().str());
  if (name.find("...(Unnamed Layer*") == std::string::npos) {
    // "{ForeignNode[onnx::Add_12 + (Unnamed Layer* 3) [Shuffle].../a/Reshape + /a/Transpose]}"
    const bool names_end_only = name.find(nodes.front().str()) > name.find("...");
    if (nodes.size() > 1 && names_end_only) return "region to " + node_label(nodes.back().str());
    if (nodes.size() > 1) return "region " + first + " to " + node_label(nodes.back().str());
    const bool ends_there = name.find("..." + nodes.front().str()) != std::string::npos;
    return (ends_there ? "region to " : "region from ") + first;
  }
  if (!first.starts_with("(Unnamed Layer*")) return "region from " + first;
  const std::string module = module_of_first_weight(name);
  return module.empty() ? "region" : "region from " + module;
}

// A network's input has a name of its own; those that exporters number say nothing.
bool is_plain_name(const std::string& tensor) {
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return std::ranges::all_of(tensor, is_of_name) &&
         std::ranges::any_of(tensor, [](unsigned char c) { return std::isalpha(c) != 0; });
}

// Of a Q or DQ kernel, whose name is a number: what it reads. "maxpool -> Q"
std::string label_of_quantizer(const Layer& layer) {
  constexpr std::string_view kOutput = "_output_";  // how torch.onnx names what a node writes
  const std::string& node = layer.onnx_nodes.front().str();
  const std::string_view kind = operator_of(node);
  const bool quantizes = kind == "QuantizeLinear";
  if (layer.onnx_nodes.size() != 1 || layer.inputs.empty()) return {};
  if (!quantizes && kind != "DequantizeLinear") return {};
  const std::string& read = layer.inputs.front().name.str();
  const char* const arrow = quantizes ? " -> Q" : " -> DQ";
  const std::size_t end = read.rfind(kOutput);
  if (read.starts_with('/') && end != std::string::npos) {
    return node_label(std::string_view(read).substr(0, end)) + arrow;
  }
  return is_plain_name(read) ? read + arrow : std::string();
}

// Of a conversion: the nodes in the name of the layer that it serves, else that name.
std::string label_of_target(std::string_view target) {
  if (target.starts_with("{ForeignNode[")) return "region";
  const std::vector<SharedText> nodes = onnx_nodes_of_name(SharedText(target));
  return nodes.empty() ? std::string(target) : label_of_nodes(nodes);
}

std::string label_of(const Layer& layer) {
  const std::string& name = layer.name.str();
  const std::string_view target = target_in_name(name);
  if (!target.empty()) {
    const std::string other = label_of_target(target);
    return name.find(" Output Tensor ") == std::string::npos ? "reformat -> " + other
                                                             : other + " -> reformat";
  }
  if (layer.onnx_nodes.empty()) return name;
  if (names_a_range(layer)) return label_of_region(layer);
  const std::string quantizer = label_of_quantizer(layer);
  return quantizer.empty() ? label_of_nodes(layer.onnx_nodes) : quantizer;
}

}  // namespace

std::string node_label(std::string_view node) {
  return whole(parts_of(node));
}

std::string module_label(std::string_view node) {
  return parts_of(node).module;
}

std::string name_label(const std::string& layer) {
  Layer named;
  named.name = layer;
  named.onnx_nodes = onnx_nodes_of_name(named.name);
  return label_of(named);
}

SharedLabels::SharedLabels(const Build& build) : is_shared_(build.layers.size()) {
  std::vector<std::pair<std::size_t, std::size_t>> hashes;  // of a label, and whose it is
  hashes.reserve(build.layers.size());
  for (const Layer& layer : build.layers) {
    hashes.emplace_back(std::hash<std::string>()(label_of(layer)), hashes.size());
  }
  std::ranges::sort(hashes);
  for (std::size_t k = 1; k < hashes.size(); ++k) {
    if (hashes[k].first != hashes[k - 1].first) continue;
    is_shared_[hashes[k].second] = is_shared_[hashes[k - 1].second] = true;
  }
}

std::string SharedLabels::of(const Build& build, std::size_t layer) const {
  const bool is_shared = layer < is_shared_.size() && is_shared_[layer];
  return label_of(build.layers[layer]) + (is_shared ? " #" + std::to_string(layer) : "");
}

}  // namespace trtlens
