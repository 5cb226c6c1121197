// Short labels of layers, for people: module path and operators, without the names of weights and
// Q/DQ nodes. "onnx::Conv_199 + QuantizeLinear_15 + /layer1/layer1.0/conv2/Conv +
// /layer1/layer1.0/Add" is "layer1.0.conv2 + Add".
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "parsers/model/build.h"

namespace trtlens {

// "/layer1/layer1.0/conv2/Conv" -> "layer1.0.conv2": a module whose name the next one repeats is
// left out, and an operator whose name the module holds.
[[nodiscard]] std::string node_label(std::string_view node);

// The module of the node, as node_label() writes it: "layer1.0". Empty: none.
[[nodiscard]] std::string module_label(std::string_view node);

// Of a layer that only a log of its build names, before there is an engine.
[[nodiscard]] std::string name_label(const std::string& layer);

// Of the layers of a build, which must outlive this. Where two layers have the same, the layer's
// number in the engine, from 0, follows. Holds no label: an engine may have 100,000 layers.
class LayerLabels {
 public:
  explicit LayerLabels(const Build& build);
  [[nodiscard]] std::string of(std::size_t layer) const;

 private:
  const Build& build_;
  std::unordered_set<std::size_t> shared_;  // hashes of the labels that several layers have
};

}  // namespace trtlens
