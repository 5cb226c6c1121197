// Weights among alpha, beta, scales and a bias: nothing but their shapes tells them apart.
#include "parsers/text/constants.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "parsers/model/limits.h"

namespace trtlens {
namespace {

bool is_convolution(const Layer& layer, const std::vector<std::string_view>& operators) {
  return layer.layer_type == "correlation" || has_operators(operators, {"Corr"});
}

bool is_product(const Layer& layer, const std::vector<std::string_view>& operators) {
  return layer.layer_type == "gemm" || has_operators(operators, {"Fc"}) ||
         has_operators(operators, {"Mul", "Sum"});
}

// One of the last two dimensions; 0 and below are none.
std::int64_t from_end(const Tensor& tensor, std::size_t back) {
  const std::size_t rank = tensor.dims.size();
  return back < rank ? tensor.dims[rank - 1 - back] : 0;
}

// Whether [.., M, K] and [.., M, N] have one number of rows; true where dimensions are open.
bool same_rows(const Tensor& in, std::int64_t k, const Tensor& out, std::int64_t n) {
  const auto read = in.elements(), written = out.elements();
  return !read || !written || (*read % k == 0 && *written % n == 0 && *read / k == *written / n);
}

// [K, N] of a product of [M, K], in either order, also as one matrix of a batch that all share.
bool fits_product(const Tensor& constant, const Tensor& in, const Tensor& out) {
  const auto count = constant.elements();
  if (!count || constant.dims.size() < 2) return false;
  constexpr std::size_t kMostDims = 8;  // nvinfer1::Dims::MAX_DIMS
  if (in.dims.size() > kMostDims || out.dims.size() > kMostDims) return false;
  const std::int64_t a = from_end(constant, 0), b = from_end(constant, 1);
  if (a <= 0 || b <= 0 || *count / a != b || *count % a != 0) return false;
  for (const std::size_t k_place : {0U, 1U}) {
    const std::int64_t k = from_end(in, k_place);
    for (const std::size_t n_place : {0U, 1U}) {
      const std::int64_t n = from_end(out, n_place);
      const bool fits = (a == k && b == n) || (a == n && b == k);
      if (fits && same_rows(in, k, out, n)) return true;
    }
  }
  return false;
}

// [K, C / groups, R, S]: whatever the order in memory, dimensions stand in this one.
bool fits_convolution(const Tensor& constant, const Tensor& in, const Tensor& out) {
  const std::size_t rank = constant.dims.size();
  if (rank < 3 || in.dims.size() != rank || out.dims.size() != rank) return false;
  const std::int64_t maps = constant.dims[0], channels = constant.dims[1];
  return maps > 0 && channels > 0 && maps == out.dims[1] && in.dims[1] > 0 &&
         in.dims[1] % channels == 0 && maps % (in.dims[1] / channels) == 0;
}

void take_geometry(Layer& layer, const Tensor& weights) {
  const Dims& dims = weights.dims;
  if (!layer.out_maps) layer.out_maps = dims[0];
  if (!layer.groups) layer.groups = layer.inputs[0].dims[1] / dims[1];
  if (!layer.kernel.empty()) return;
  std::vector<std::int64_t> kernel;
  for (std::size_t i = 2; i < dims.size(); ++i) kernel.push_back(dims[i]);
  layer.kernel = kernel;
}

}  // namespace

void take_constants(Layer& layer, const std::vector<Tensor>& constants) {
  if (constants.empty() || layer.weights || layer.inputs.empty() || layer.outputs.empty()) return;
  const std::vector<std::string_view> operators = myelin_operators(layer.name.str());
  const bool convolves = is_convolution(layer, operators);
  if (!convolves && !is_product(layer, operators)) return;
  const auto fits = convolves ? fits_convolution : fits_product;
  const Tensor* largest = nullptr;
  for (const Tensor& constant : constants) {
    const auto count = constant.elements();
    if (!count || *count <= 0 || *count > kMaxWeights) continue;
    if (!fits(constant, layer.inputs[0], layer.outputs[0])) continue;
    if (largest == nullptr || *count > largest->elements().value_or(0)) largest = &constant;
  }
  if (largest == nullptr) return;
  layer.weights = Weights{largest->type, largest->elements().value_or(0)};
  if (convolves) take_geometry(layer, *largest);
}

}  // namespace trtlens
