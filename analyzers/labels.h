// Short labels of layers, for people: module path and operators, without the names of weights and
// Q/DQ nodes. "onnx::Conv_199 + QuantizeLinear_15 + /layer1/layer1.0/conv2/Conv +
// /layer1/layer1.0/Add" is "layer1.0.conv2 + Add".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

// "/layer1/layer1.0/conv2/Conv" -> "layer1.0.conv2": a module whose name the next one repeats is
// left out, and an operator whose name the module holds.
[[nodiscard]] std::string node_label(std::string_view node);

// The module of the node, as node_label() writes it: "layer1.0". Empty: none.
[[nodiscard]] std::string module_label(std::string_view node);

// Of a layer that only a log of its build names, before there is an engine.
[[nodiscard]] std::string name_label(const std::string& layer);

// Which layers of a build have a label that another one has too: one bit a layer, since an engine
// may have hundreds of thousands. Their number in the engine, from 0, follows the label.
class SharedLabels {
 public:
  SharedLabels() = default;
  explicit SharedLabels(const Build& build);
  [[nodiscard]] std::string of(const Build& build, std::size_t layer) const;

 private:
  std::vector<bool> is_shared_;
};

}  // namespace trtlens
