// The words are of three letters up to 10.x and in TensorRT-RTX (Cas, Res, Tra), of four since.
#include "analyzers/precision/precision.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzers/graph/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

using Operators = std::vector<std::string_view>;

constexpr std::array<std::string_view, 34> kElementwise = {
    "Add",  "Sub",  "Mul",  "Div", "Max", "Min",  "Cas", "Cast", "Neg",  "Abs",  "Exp",  "Log",
    "Sqr",  "Sqrt", "Rsqr", "Erf", "Sig", "Tanh", "Pow", "Sele", "Resh", "Reci", "Relu", "Clip",
    "Gelu", "Silu", "Ceil", "Cmp", "Eq",  "Gt",   "Lt",  "And",  "Not",  "Fma"};

bool is_move(std::string_view word) {
  return word == "Move";
}

bool is_transpose(std::string_view word) {
  return word == "Tran" || word == "Tra";
}

bool is_cast(std::string_view word) {
  return word == "Cast" || word == "Cas";
}

bool is_layout(std::string_view word) {
  return is_move(word) || is_transpose(word) ||
         is_one_of(word, {"Resh", "Res", "Slic", "Sli", "Conc", "Con", "Repl", "Rep"});
}

bool is_reduction(std::string_view word) {
  return is_one_of(word, {"Sum", "Mean", "Mea", "Maxr", "Minr", "Prod"});
}

bool is_value(DataType type) {
  return is_float(type) || is_narrow(type) || type == DataType::uint8;
}

Operators operators_of(const Layer& layer) {
  Operators operators = myelin_operators(layer.name.str());
  return operators.empty() ? myelin_operators(layer.tactic_name.str()) : operators;
}

// A copy of every element into another layout, which no node of the network asks for.
bool changes_layout_alone(const Layer& layer, const Operators& operators) {
  if (!std::ranges::all_of(operators, [](auto w) { return is_move(w) || is_transpose(w); })) {
    return false;
  }
  if (layer.inputs.size() != 1 || layer.outputs.size() != 1) return false;
  const auto read = layer.inputs[0].elements(), written = layer.outputs[0].elements();
  const bool moves_all = read && written && *read == *written;
  // A transposition of the network's own has its node; sizes in another order are one, too.
  const bool same_dims = layer.inputs[0].dims == layer.outputs[0].dims;
  return (moves_all || same_dims) && (same_dims || layer.onnx_nodes.empty());
}

// Of kernels that move bytes and at most convert them.
std::optional<LayerRole> role_of_move(const Layer& layer, const Operators& operators) {
  const bool casts = std::ranges::any_of(operators, is_cast);
  if (layer.inputs.empty() || layer.outputs.empty()) {
    if (casts) return std::nullopt;
    return std::ranges::all_of(operators, is_move) ? LayerRole::reformat : LayerRole::shuffle;
  }
  const DataType in = layer.inputs[0].type, out = layer.outputs[0].type;
  // Casts of indices, sizes and masks are no matter of the precision of the layers beside them.
  if (in != out && is_value(in) && is_value(out)) return LayerRole::reformat;
  return changes_layout_alone(layer, operators) ? LayerRole::reformat : LayerRole::shuffle;
}

// Mul and Sum are a matrix product where a matrix was found among the constants, or where what is
// written is no sum over a dimension of what is read: it is broadcast against another matrix.
bool is_product(const Layer& layer, const Operators& operators) {
  if (!has_operators(operators, {"Mul", "Sum"})) return false;
  if (layer.weights) return true;
  if (operators[0] != "Mul" || operators[1] != "Sum") return false;
  if (layer.inputs.empty() || layer.outputs.empty()) return false;
  std::int64_t largest = 0;
  for (const Tensor& input : layer.inputs) {
    largest = std::max(largest, input.elements().value_or(0));
  }
  const std::int64_t written = layer.outputs[0].elements().value_or(0);
  return largest > 0 && written > 1 && largest % written != 0;
}

// QuantizeLinear: scaled, rounded or clamped, converted. ReLU6 with a cast has such a name, too, so
// that the types decide; and an Add is the network's own.
bool quantizes(const Layer& layer, const Operators& operators) {
  if (layer.inputs.empty() || layer.outputs.empty()) return false;
  const auto has_any = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(operators, [&](auto word) { return is_one_of(word, words); });
  };
  const bool rounds = has_any({"Roun", "Rou", "Clip"});
  const bool clamps = has_any({"Max", "Maxr"}) && has_any({"Min", "Minr"});
  return (rounds || clamps) && std::ranges::any_of(operators, is_cast) &&
         std::ranges::all_of(operators,
                             [](auto word) {
                               return is_cast(word) || is_layout(word) ||
                                      is_one_of(word, {"Mul", "Div", "Roun", "Rou", "Clip", "Max",
                                                       "Maxr", "Min", "Minr"});
                             }) &&
         is_float(layer.inputs[0].type) &&
         std::ranges::all_of(layer.outputs, [](const Tensor& t) { return is_narrow(t.type); });
}

}  // namespace

std::optional<LayerRole> role_of_myelin_kernel(const Layer& layer) {
  const Operators operators = operators_of(layer);
  if (operators.empty()) return std::nullopt;
  const auto all = [&](auto test) { return std::ranges::all_of(operators, test); };
  const auto has = [&](std::initializer_list<std::string_view> run) {
    return has_operators(operators, run);
  };
  if (all([](auto word) { return is_layout(word) || is_cast(word); })) {
    return role_of_move(layer, operators);
  }
  if (quantizes(layer, operators)) return LayerRole::quantize;
  if (has({"Corr"})) return LayerRole::convolution;
  if (has({"Fc"})) return LayerRole::gemm;
  if (is_product(layer, operators)) return LayerRole::gemm;
  if (has({"Sub", "Exp", "Sum"}) || has({"Softmax"})) return LayerRole::softmax;
  const bool averages = has({"Mean"}) || has({"Mea"});
  if ((averages && (has({"Sqrt"}) || has({"Sqr"}) || has({"Rsqr"}))) || has({"Inor"})) {
    return LayerRole::normalisation;
  }
  if (all([](auto word) { return is_reduction(word) || is_layout(word) || is_cast(word); })) {
    return LayerRole::reduction;
  }
  return std::nullopt;
}

bool is_elementwise_kernel(const Layer& layer) {
  const Operators operators = myelin_operators(layer.name.str());
  return !operators.empty() && std::ranges::all_of(operators, [](std::string_view word) {
    return std::ranges::find(kElementwise, word) != kElementwise.end();
  });
}

}  // namespace trtlens
