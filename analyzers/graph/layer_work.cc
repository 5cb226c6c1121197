// Counts for convolutions, matrix products and attention; whatever shape is missing makes the work
// unknown.
#include "analyzers/graph/layer_work.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace trtlens {
namespace {

double product(const Dims& dims) {
  double result = 1;
  for (const std::int64_t dim : dims) result *= static_cast<double>(dim);
  return result;
}

bool is_static(const Tensor& tensor) {
  return tensor.has_dims &&
         std::ranges::all_of(tensor.dims, [](std::int64_t dim) { return dim > 0; });
}

bool has_convolution_parameters(const Layer& layer) {
  return layer.parameter_type == "Convolution" || layer.parameter_type == "ConvActPool" ||
         layer.parameter_type == "Deconvolution" || layer.parameter_type == "FullyConnected" ||
         !layer.kernel.empty();
}

// A pooling behind the convolution is part of the layer: the output is the pooling's.
bool has_pooling(const Layer& layer) {
  return layer.parameter_type == "ConvActPool" || layer.layer_type == "conv_act_pool" ||
         layer.layer_type.str().find("ConvActPool") != std::string::npos;
}

// Channels stand behind the batch, or first where the batch is implicit.
std::optional<std::size_t> channel_axis(const Layer& layer, const Tensor& tensor) {
  const std::size_t rank = tensor.dims.size();
  if (layer.kernel.empty()) return rank >= 2 ? std::optional<std::size_t>(1) : std::nullopt;
  if (rank == layer.kernel.size() + 2) return 1;
  if (rank == layer.kernel.size() + 1) return 0;
  return std::nullopt;
}

// Multiply-accumulates of one element: of an output of a convolution, an input of a deconvolution.
// The number of weights and the geometry must say the same where both are known.
std::optional<double> macs_per_element(const Layer& layer, double own_channels,
                                       double other_channels) {
  std::optional<double> by_weights, by_shape;
  if (layer.weights && layer.weights->count > 0 && own_channels > 0) {
    by_weights = static_cast<double>(layer.weights->count) / own_channels;
  }
  if (!layer.kernel.empty()) {
    const auto groups = static_cast<double>(std::max<std::int64_t>(layer.groups.value_or(1), 1));
    by_shape = other_channels / groups * product(layer.kernel);
  }
  if (by_weights && by_shape && *by_weights != *by_shape) return std::nullopt;
  return by_weights ? by_weights : by_shape;
}

// Spatial size in front of the pooling, when the convolution pads by half its kernel as first
// layers do: no input says how it pads.
std::optional<double> positions_before_pooling(const Layer& layer, std::size_t channel) {
  const Tensor& in = layer.inputs[0];
  if (layer.stride.size() != layer.kernel.size()) return std::nullopt;
  double positions = 1;
  for (std::size_t i = 0; i < layer.stride.size(); ++i) {
    if (layer.stride[i] <= 0) return std::nullopt;
    const std::int64_t size = in.dims[channel + 1 + i];
    const std::int64_t rounded_up = size / layer.stride[i] + (size % layer.stride[i] != 0 ? 1 : 0);
    positions *= static_cast<double>(rounded_up);
  }
  return positions;
}

struct Macs {
  std::optional<double> count;
  bool is_estimate = false;
  bool weights_unlisted = false;
  double weights = 0;  // elements, when unlisted
};

Macs macs_of_convolution(const Layer& layer, bool transposed) {
  const Tensor& in = layer.inputs[0];
  const Tensor& out = layer.outputs[0];
  const auto in_channel = channel_axis(layer, in);
  const auto out_channel = channel_axis(layer, out);
  if (!in_channel || !out_channel || in_channel != out_channel) return {};
  const auto in_channels = static_cast<double>(in.dims[*in_channel]);
  const auto out_channels = static_cast<double>(layer.out_maps.value_or(out.dims[*out_channel]));
  if (transposed) {
    const auto each = macs_per_element(layer, in_channels, out_channels);
    if (!each) return {};
    return {product(in.dims) * *each};
  }
  const auto each = macs_per_element(layer, out_channels, in_channels);
  if (!each) return {};
  if (!has_pooling(layer)) return {product(out.dims) * *each};
  const auto positions = positions_before_pooling(layer, *in_channel);
  if (!positions) return {};
  const double batch = *in_channel == 0 ? 1 : static_cast<double>(in.dims[0]);
  return {batch * out_channels * *positions * *each, true};
}

// Length of the sums of a product of two matrices with that output; either may be transposed.
std::optional<double> common_dimension(const Tensor& a, const Tensor& b, const Dims& out) {
  const auto last_two = [](const Tensor& t) {
    return static_cast<double>(t.dims[t.dims.size() - 1]) *
           static_cast<double>(t.dims[t.dims.size() - 2]);
  };
  if (a.dims.size() < 2 || b.dims.size() < 2 || out.size() < 2) return std::nullopt;
  const auto rows = static_cast<double>(out[out.size() - 2]);
  const auto columns = static_cast<double>(out[out.size() - 1]);
  const auto has = [](const Tensor& t, double size) {
    return static_cast<double>(t.dims[t.dims.size() - 1]) == size ||
           static_cast<double>(t.dims[t.dims.size() - 2]) == size;
  };
  const double by_a = last_two(a) / rows;
  const double by_b = last_two(b) / columns;
  if (by_a != by_b || !has(a, rows) || !has(a, by_a) || !has(b, columns) || !has(b, by_b)) {
    return std::nullopt;
  }
  return by_a;
}

// One input: the other matrix is a constant that the layer info does not list, and every row of the
// input makes a row of the output. An input of the output's shape is what is added to it.
Macs macs_with_constant(const std::vector<const Tensor*>& inputs, const Tensor& out) {
  const auto columns = static_cast<double>(out.dims[out.dims.size() - 1]);
  const double rows = product(out.dims) / columns;
  std::optional<double> common;
  for (const Tensor* input : inputs) {
    const auto length = static_cast<double>(input->dims[input->dims.size() - 1]);
    if (product(input->dims) != rows * length) continue;
    if (inputs.size() > 1 && input->dims == out.dims) continue;
    if (common && *common != length) return {};
    common = length;
  }
  if (!common) return {};
  return {rows * columns * *common, true, true, *common * columns};
}

Macs macs_of_product(const Layer& layer) {
  const Tensor& out = layer.outputs[0];
  if (out.dims.size() < 2) return {};
  std::vector<const Tensor*> matrices;  // neither alpha, beta nor a bias of one row
  for (const Tensor& input : layer.inputs) {
    if (input.dims.size() >= 2 && is_static(input) && product(input.dims) > 1) {
      matrices.push_back(&input);
    }
  }
  if (matrices.size() >= 2) {
    for (const bool swapped : {false, true}) {
      const Tensor& a = *matrices[swapped ? 1 : 0];
      const Tensor& b = *matrices[swapped ? 0 : 1];
      if (const auto common = common_dimension(a, b, out.dims)) {
        return {product(out.dims) * *common};
      }
    }
  }
  if (layer.weights && layer.weights->count > 0) {
    const auto columns = static_cast<double>(out.dims[out.dims.size() - 1]);
    return {product(out.dims) / columns * static_cast<double>(layer.weights->count), false, false,
            0};
  }
  return macs_with_constant(matrices, out);
}

// Fused attention whose queries, keys and values are tensors of their own, [B, H, S, D] each, keys
// also [B, H, D, S]: the product of queries and keys, and that of its softmax and the values. A
// packed tensor of all three does not tell.
Macs macs_of_attention(const Layer& layer) {
  constexpr std::size_t kRank = 4;
  if (layer.inputs.size() < 3 || layer.outputs[0].dims.size() != kRank) return {};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!is_static(layer.inputs[i]) || layer.inputs[i].dims.size() != kRank) return {};
  }
  const Dims& q = layer.inputs[0].dims;
  const Dims& k = layer.inputs[1].dims;
  const Dims& v = layer.inputs[2].dims;
  if (q[0] != v[0] || q[1] != v[1] || k[0] != q[0] || k[1] != q[1]) return {};
  const bool as_values = k[2] == v[2] && k[3] == q[3];
  const bool transposed = k[2] == q[3] && k[3] == v[2];
  const Dims& out = layer.outputs[0].dims;
  const bool fits = product(out) == static_cast<double>(q[0]) * static_cast<double>(q[1]) *
                                        static_cast<double>(q[2]) * static_cast<double>(v[3]);
  if (!fits || !(as_values || transposed)) return {};
  const double each = static_cast<double>(q[3]) + static_cast<double>(v[3]);
  return {product(q) / static_cast<double>(q[3]) * static_cast<double>(v[2]) * each};
}

Macs macs_of(const Layer& layer, LayerRole role) {
  if (layer.inputs.empty() || layer.outputs.empty()) return {};
  if (!is_static(layer.inputs[0]) || !is_static(layer.outputs[0])) return {};
  if (role == LayerRole::convolution) return macs_of_convolution(layer, false);
  if (role == LayerRole::deconvolution) return macs_of_convolution(layer, true);
  if (role == LayerRole::attention) return macs_of_attention(layer);
  if (role != LayerRole::gemm) return {};
  if (has_convolution_parameters(layer)) return macs_of_convolution(layer, false);
  return macs_of_product(layer);
}

double bytes_of(const Weights& weights, bool sparse) {
  const auto count = static_cast<double>(weights.count);
  if (!sparse) return count * bits_of(weights.type) / 8;
  constexpr int kPlaceBits = 2;
  return count / 2 * (bits_of(weights.type) + kPlaceBits) / 8;
}

// Each tensor once: one that is read twice comes from a cache the second time.
std::optional<double> activation_bytes(const Layer& layer) {
  double total = 0;
  for (const std::vector<Tensor>* side : {&layer.inputs, &layer.outputs}) {
    std::unordered_set<std::string_view> seen;
    for (const Tensor& tensor : *side) {
      if (!tensor.name.empty() && !seen.insert(tensor.name.str()).second) continue;
      const auto bytes = tensor.stored_bytes();
      if (!bytes) return std::nullopt;
      total += static_cast<double>(*bytes);
    }
  }
  return layer.inputs.empty() && layer.outputs.empty() ? std::nullopt
                                                       : std::optional<double>(total);
}

}  // namespace

std::optional<std::int64_t> implicit_batch_of(const Build& build) {
  if (!has_implicit_batch(build).value_or(false)) return 1;
  const std::optional<std::int64_t> batch = build.inference.batch;
  return batch && *batch > 0 ? batch : std::nullopt;
}

LayerWork work_of(const Layer& layer, LayerRole role, std::optional<std::int64_t> implicit_batch) {
  LayerWork work;
  if (!implicit_batch) return work;
  const auto batch = static_cast<double>(*implicit_batch);
  const Macs macs = macs_of(layer, role);
  if (macs.count) work.macs = *macs.count * batch;
  work.is_estimate = macs.is_estimate;
  const std::optional<double> activations = activation_bytes(layer);
  if (!activations) return work;
  double weights = 0;
  for (const std::optional<Weights>* w : {&layer.weights, &layer.bias}) {
    if (!*w || (**w).count <= 0) continue;
    if (bits_of((**w).type) == 0) return work;
    weights += bytes_of(**w, w == &layer.weights && layer.sparse_weights.value_or(false));
  }
  if (macs.weights_unlisted) weights += macs.weights * bits_of(layer.inputs[0].type) / 8;
  work.bytes = *activations * batch + weights;
  return work;
}

}  // namespace trtlens
