// The graph of layers for Graphviz: an edge a tensor, with its shape, type and format.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzers/graph/picture.h"
#include "report/charts/palette.h"
#include "report/document/parts.h"
#include "report/formats/convert/convert.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

// In double quotes. Graphviz reads entities of HTML and expands backslashes ("\N": the node's
// name): in labels once, in tooltips twice, first line ends, then names.
std::string quoted(const std::string& text, std::string_view backslash) {
  return '"' + replaced(visible(text), {{'"', "\\\""}, {'\\', backslash}, {'&', "&amp;"}}) + '"';
}
std::string label(const std::string& text) {
  return quoted(text, "\\\\");
}
// Of lines that are made harmless each.
std::string label(const std::string& first, const std::string& second) {
  std::string text = label(first);
  text.pop_back();
  return text + "\\n" + label(second).substr(1);
}
std::string tooltip(const SharedText& name) {
  return quoted(name.str(), "\\\\\\\\");
}

void write_node(const Context& context, std::size_t i, const std::string& name, TextStream& out) {
  const Layer& layer = context.build.layers[i];
  const std::string kind = kind_of(context, i);
  const std::string time =
      layer.time ? fmt::format("{:.4f} ms", layer.time->mean_ms) : "time unknown";
  out += fmt::format("  l{} [label={}, tooltip={}, color=\"{}\"];\n", i,
                     label(fmt::format("#{} {}", i, name), kind + ", " + time), tooltip(layer.name),
                     precision_colour(kind).colour);
}

void write_edge(const std::string& from, const std::string& to, const Tensor& tensor,
                TextStream& out) {
  out += "  " + from + " -> " + to + " [label=" +
         (tensor.format.empty() ? label(shape_text(tensor))
                                : label(shape_text(tensor), tensor.format.str())) +
         ", tooltip=" + tooltip(tensor.name) + "];\n";
}

// A tensor at the border of the network, as a node of its own: its number in `nodes`.
std::string border_node(char kind, const std::string& tensor,
                        std::unordered_map<std::string, std::size_t>& nodes, TextStream& out) {
  const auto [node, is_new] = nodes.try_emplace(tensor, nodes.size());
  std::string name = kind + std::to_string(node->second);
  if (is_new) out += "  " + name + " [shape=ellipse, label=" + label(tensor) + "];\n";
  return name;
}

// What no layer writes comes into the network, what no layer reads leaves it.
void write_borders(const std::vector<Layer>& layers, TextStream& out) {
  std::unordered_set<std::string_view> written, read;
  for (const Layer& layer : layers) {
    for (const Tensor& tensor : layer.outputs) written.insert(tensor.name.str());
    for (const Tensor& tensor : layer.inputs) read.insert(tensor.name.str());
  }
  std::unordered_map<std::string, std::size_t> inputs, outputs;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string node = "l" + std::to_string(i);
    for (const Tensor& tensor : layers[i].inputs) {
      if (written.contains(tensor.name.str())) continue;
      write_edge(border_node('i', tensor.name.str(), inputs, out), node, tensor, out);
    }
    for (const Tensor& tensor : layers[i].outputs) {
      if (read.contains(tensor.name.str())) continue;
      write_edge(node, border_node('o', tensor.name.str(), outputs, out), tensor, out);
    }
  }
}

void write_dot(const Analysis& analysis, TextStream& out) {
  const std::vector<Layer>& layers = analysis.build.layers;
  const auto context = make_context(analysis, 0, nullptr);
  out += "digraph engine {\n  node [shape=box, penwidth=3];\n";
  for (std::size_t i = 0; i < layers.size(); ++i)
    write_node(*context, i, label_of(analysis, i), out);
  for (const PictureEdge& edge : picture_of(analysis).edges) {
    write_edge("l" + std::to_string(edge.from), "l" + std::to_string(edge.to),
               layers[edge.to].inputs[edge.input], out);
  }
  write_borders(layers, out);
  out += "}\n";
}

}  // namespace

const Converter kDot{"dot", false, write_dot};

}  // namespace trtlens
