// Walks through what only moves data, to the layers that compute on the other side.
#include "analyzers/graph/neighbours.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analyzers/precision/precision.h"

namespace trtlens {
namespace {

// Larger numbers are no channels or kernels, whatever the file says; products of them fit.
constexpr std::int64_t kMaxChannels = std::int64_t{1} << 30U;
constexpr std::int64_t kMaxKernel = std::int64_t{1} << 30U;

}  // namespace

Walk walk(const RuleContext& c, std::size_t from, Direction direction, bool (*through)(LayerRole)) {
  constexpr std::size_t kMaxLayers = 64;
  Walk result;
  std::vector<std::size_t> stack{from};
  std::set<std::size_t> seen{from};
  while (!stack.empty() && seen.size() <= kMaxLayers) {
    const std::size_t at = stack.back();
    stack.pop_back();
    const Places next = direction == Direction::forward ? c.graph.after(at) : c.graph.before(at);
    for (const std::size_t n : next) {
      if (seen.size() > kMaxLayers) break;
      if (!seen.insert(n).second) continue;
      if (through(c.verdict(n).role)) {
        result.between.push_back(n);
        stack.push_back(n);
      } else {
        result.ends.push_back(n);
      }
    }
  }
  return result;
}

bool is_conversion_or_pointwise(LayerRole role) {
  return is_conversion(role) || role == LayerRole::pointwise;
}

bool is_layout_or_pointwise(LayerRole role) {
  return is_conversion_or_pointwise(role) || role == LayerRole::shuffle;
}

bool computes_narrow(const RuleContext& c, std::size_t layer) {
  const int width = width_of(c.verdict(layer).compute);
  return is_arithmetic(c.verdict(layer).role) && width > 0 && width <= 8;
}

bool computes_in_32_bits(const RuleContext& c, std::size_t layer) {
  const Precision compute = c.verdict(layer).compute;
  return is_arithmetic(c.verdict(layer).role) &&
         (compute == Precision::fp32 || compute == Precision::tf32);
}

bool any_computes_narrow(const RuleContext& c, const std::vector<std::size_t>& layers) {
  return std::ranges::any_of(layers, [&](std::size_t i) { return computes_narrow(c, i); });
}

std::string compute_text(const RuleContext& c, std::size_t layer) {
  return std::string("computes in ") + to_string(c.verdict(layer).compute);
}

std::string float_text(const RuleContext& c, const std::vector<std::size_t>& layers) {
  std::string type;
  for (const std::size_t i : layers) {
    const Precision compute = c.verdict(i).compute;
    const bool known = compute != Precision::unknown && compute != Precision::none;
    const std::string one = known                        ? to_string(compute)
                            : !c.layer(i).inputs.empty() ? to_string(c.layer(i).inputs[0].type)
                                                         : "";
    if (one.empty() || (!type.empty() && one != type)) return "floating point";
    type = one;
  }
  return type;
}

std::vector<std::size_t> together(std::initializer_list<std::vector<std::size_t>> lists) {
  std::vector<std::size_t> all;
  for (const std::vector<std::size_t>& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

std::vector<std::size_t> with_conversions(const RuleContext& c,
                                          const std::vector<std::size_t>& layers) {
  const Fence fence = fence_of(layers, c.graph, c.analysis);
  return unclaimed(c, together({layers, fence.before, fence.after}));
}

ArithmeticCount count_arithmetic(const RuleContext& c) {
  ArithmeticCount count;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i)) continue;
    count.has_region = count.has_region || c.verdict(i).role == LayerRole::region;
    if (!is_arithmetic(c.verdict(i).role)) continue;
    ++count.all;
    count.narrow += computes_narrow(c, i) ? 1 : 0;
    count.unknown += c.verdict(i).compute == Precision::unknown ? 1 : 0;
  }
  return count;
}

bool is_explicitly_quantized(const RuleContext& c) {
  const Build& build = c.analysis.build;
  const auto is_node = [](const OnnxNode& node) {
    return node.op == "QuantizeLinear" || node.op == "DequantizeLinear";
  };
  if (std::ranges::any_of(build.onnx_nodes, is_node)) return true;
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const LayerRole role = c.verdict(i).role;
    if (role == LayerRole::quantize || role == LayerRole::dequantize) return true;
    const Layer& layer = build.layers[i];
    if (has_word(layer.name.str(), {"QuantizeLinear", "DequantizeLinear"})) return true;
    // Where every Q/DQ is fused, their tensors keep the names.
    for (const Tensor& input : layer.inputs) {
      if (has_word(input.name.str(), {"QuantizeLinear_output_0", "DequantizeLinear_output_0"}))
        return true;
    }
  }
  return false;
}

bool allows_int8(const RuleContext& c) {
  const AllowedPrecision& allowed = c.analysis.build.allowed;
  if (!allowed.labels.empty()) return allows(allowed, "INT8");
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (computes_narrow(c, i) && c.verdict(i).compute == Precision::int8) return true;
  }
  return false;
}

bool reads_dequantized_fp8(const RuleContext& c, std::size_t layer) {
  const Places before = c.graph.before(layer);
  return std::ranges::any_of(before, [&](std::size_t p) {
    const Layer& conversion = c.layer(p);
    return is_conversion(c.verdict(p).role) && !conversion.inputs.empty() &&
           conversion.inputs[0].type == DataType::fp8;
  });
}

bool reads_network_input(const RuleContext& c, std::size_t layer) {
  const std::vector<Tensor>& inputs = c.layer(layer).inputs;
  return !inputs.empty() && c.graph.is_network_input(inputs[0].name);
}

bool writes_network_output(const RuleContext& c, std::size_t layer) {
  const std::vector<Tensor>& outputs = c.layer(layer).outputs;
  return !outputs.empty() && c.graph.is_network_output(outputs[0].name);
}

bool is_lone_add(const RuleContext& c, std::size_t layer) {
  const Layer& of = c.layer(layer);
  return c.graph.takes_part(layer) && c.verdict(layer).role == LayerRole::pointwise &&
         of.inputs.size() >= 2 && has_word(of.name.str(), {"Add", "add", "Sum", "sum"}) &&
         of.inputs[0].dims == of.inputs[1].dims;
}

bool could_take_add(const RuleContext& c, std::size_t layer) {
  const Layer& of = c.layer(layer);
  return c.verdict(layer).role == LayerRole::convolution && computes_narrow(c, layer) &&
         of.outputs.size() == 1 && is_narrow(of.outputs[0].type) && of.inputs.size() == 1 &&
         c.graph.after(layer).size() == 1 && !c.graph.is_network_output(of.outputs[0].name);
}

bool ends_network(const RuleContext& c, std::size_t layer) {
  const auto is_tail = [](LayerRole role) {
    return !is_arithmetic(role) && role != LayerRole::region;
  };
  return walk(c, layer, Direction::forward, is_tail).ends.empty();
}

bool is_depthwise(const Layer& layer) {
  return layer.groups && *layer.groups > 1 && layer.out_maps && *layer.groups == *layer.out_maps;
}

std::int64_t kernel_elements(const Layer& layer) {
  if (layer.kernel.empty()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t size : layer.kernel.values()) {
    if (size <= 0 || size > kMaxKernel) return 0;
    product = std::min(product * size, kMaxKernel);
  }
  return product;
}

bool takes_share(const RuleContext& c, const std::vector<std::size_t>& layers, double share) {
  const double total = c.analysis.build.profile_sum_ms;
  return total <= 0 || c.time_ms(layers) >= share * total;
}

std::vector<std::size_t> unclaimed(const RuleContext& c, std::vector<std::size_t> layers) {
  layers = sorted_once(std::move(layers));
  std::erase_if(layers, [&](std::size_t i) { return c.claimed.count(i) != 0; });
  return layers;
}

std::vector<std::size_t> slowest_first(const RuleContext& c, std::vector<std::size_t> layers) {
  std::ranges::stable_sort(layers, std::ranges::greater(),
                           [&](std::size_t a) { return time_or_zero(c.layer(a)); });
  return layers;
}

void show_layers(const RuleContext& c, const std::vector<std::size_t>& layers, Finding& finding,
                 const std::function<std::string(std::size_t)>& note) {
  const std::vector<std::size_t> sorted = slowest_first(c, layers);
  for (const std::size_t i : first_of(sorted, 8)) {
    finding.evidence.push_back(c.measured(i, note ? note(i) : std::string()));
  }
}

void show_first(const RuleContext& c, const std::vector<std::size_t>& layers, std::size_t most,
                Finding& finding) {
  for (const std::size_t i : first_of(layers, most)) finding.evidence.push_back(c.measured(i));
}

void show_sum(const RuleContext& c, const std::vector<std::size_t>& layers, std::string what,
              Finding& finding) {
  Evidence evidence;
  evidence.note = std::move(what);
  if (c.analysis.build.has_profile) {
    evidence.metric = "time_ms";
    evidence.value = c.time_ms(layers);
  }
  finding.evidence.push_back(std::move(evidence));
}

std::string arithmetic_text(const RuleContext& c, const std::vector<std::size_t>& layers) {
  const auto all_are = [&](LayerRole role) {
    return std::ranges::all_of(layers, [&](std::size_t i) { return c.verdict(i).role == role; });
  };
  const char* const noun = all_are(LayerRole::convolution)     ? "convolution"
                           : all_are(LayerRole::deconvolution) ? "deconvolution"
                           : all_are(LayerRole::gemm)          ? "matrix product"
                                                               : "layer";
  return count_text(layers.size(), noun);
}

bool avoids_tensor_cores(std::string_view tactic) {
  // Products with a vector and small batches have nothing that tensor cores could take.
  return is_off_tensor_cores(tactic) && !has_word(tactic, {"gemv", "small_batch", "__myl_MulSum"});
}

std::int64_t channels_of(const Tensor& tensor) {
  if (!tensor.has_dims || tensor.dims.size() < 3) return 0;
  const std::int64_t channels = tensor.dims[1];
  return channels > 0 && channels <= kMaxChannels ? channels : 0;
}

}  // namespace trtlens
