// The graph of layers for Graphviz: an edge a tensor, with its shape, type and format.
#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "analyzers/labels.h"
#include "report/formats/convert/convert.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

// In double quotes. Graphviz expands backslashes in labels.
std::string quoted(const std::string& text) {
  return '"' + replaced(visible(text), {{'"', "\\\""}, {'\\', "\\\\"}}) + '"';
}
// Of lines that are made harmless each.
std::string label(const std::string& first, const std::string& second) {
  std::string text = quoted(first);
  text.pop_back();
  return text + "\\n" + quoted(second).substr(1);
}

std::string tensor_text(const Tensor& tensor) {
  std::string text;
  for (const std::int64_t dim : tensor.dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  if (tensor.type != DataType::unknown) {
    text += (text.empty() ? "" : " ") + std::string(to_string(tensor.type));
  }
  return tensor.format.empty() ? text : text + (text.empty() ? "" : "\n") + tensor.format.str();
}

const char* colour_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return "#f4c7ab";
    case Precision::fp16:
    case Precision::bf16:
      return "#bcd7ee";
    case Precision::int8:
    case Precision::fp8:
    case Precision::int4:
    case Precision::fp4:
      return "#c5e3c0";
    default:
      return "#eeeeee";
  }
}

void write_node(const Analysis& analysis, std::size_t i, const std::string& name, TextStream& out) {
  const Layer& layer = analysis.build.layers[i];
  const Precision precision = analysis.verdicts[i].compute;
  const std::string time =
      layer.time ? fmt::format("{:.4f} ms", layer.time->mean_ms) : "time unknown";
  const std::string kind =
      precision == Precision::none ? "" : std::string(to_string(precision)) + ", ";
  out += fmt::format("  l{} [label={}, tooltip={}, fillcolor=\"{}\"];\n", i,
                     label(fmt::format("#{} {}", i, name), kind + time), quoted(layer.name.str()),
                     colour_of(precision));
}

class Edges {
 public:
  explicit Edges(const std::vector<Layer>& layers) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      for (const Tensor& tensor : layers[i].outputs) writers_[tensor.name.str()].push_back(i);
    }
  }

  void write(const Layer& layer, std::size_t i, TextStream& out) {
    for (const Tensor& tensor : layer.inputs) {
      read_.insert_or_assign(tensor.name.str(), true);
      const auto writers = writers_.find(tensor.name.str());
      if (writers == writers_.end()) {
        write_edge(input(tensor, out), "l" + std::to_string(i), tensor, out);
        continue;
      }
      for (const std::size_t writer : writers->second) {
        write_edge("l" + std::to_string(writer), "l" + std::to_string(i), tensor, out);
      }
    }
  }
  // What nobody reads leaves the network.
  void write_outputs(const Layer& layer, std::size_t i, TextStream& out) {
    for (const Tensor& tensor : layer.outputs) {
      if (read_.count(tensor.name.str()) > 0) continue;
      const std::string node = "o" + std::to_string(outputs_++);
      out += "  " + node + " [shape=ellipse, label=" + quoted(tensor.name.str()) + "];\n";
      write_edge("l" + std::to_string(i), node, tensor, out);
    }
  }

 private:
  std::string input(const Tensor& tensor, TextStream& out) {
    const auto [node, is_new] = inputs_.try_emplace(tensor.name.str(), inputs_.size());
    std::string name = "i" + std::to_string(node->second);
    if (is_new) out += "  " + name + " [shape=ellipse, label=" + quoted(tensor.name.str()) + "];\n";
    return name;
  }
  static void write_edge(const std::string& from, const std::string& to, const Tensor& tensor,
                         TextStream& out) {
    const std::string text = tensor_text(tensor);
    const std::size_t end = text.find('\n');
    const std::string shown =
        end == std::string::npos ? quoted(text) : label(text.substr(0, end), text.substr(end + 1));
    out += "  " + from + " -> " + to + " [label=" + shown +
           ", tooltip=" + quoted(tensor.name.str()) + "];\n";
  }

  std::unordered_map<std::string, std::vector<std::size_t>> writers_;
  std::unordered_map<std::string, std::size_t> inputs_;
  std::unordered_map<std::string, bool> read_;
  std::size_t outputs_ = 0;
};

void write_dot(const Analysis& analysis, TextStream& out) {
  const std::vector<Layer>& layers = analysis.build.layers;
  const LayerLabels labels(analysis.build);
  out += "digraph engine {\n  node [shape=box, style=filled, fillcolor=\"#ffffff\"];\n";
  for (std::size_t i = 0; i < layers.size(); ++i) write_node(analysis, i, labels.of(i), out);
  Edges edges(layers);
  for (std::size_t i = 0; i < layers.size(); ++i) edges.write(layers[i], i, out);
  for (std::size_t i = 0; i < layers.size(); ++i) edges.write_outputs(layers[i], i, out);
  out += "}\n";
}

}  // namespace

const Converter kDot{"dot", false, write_dot};

}  // namespace trtlens
