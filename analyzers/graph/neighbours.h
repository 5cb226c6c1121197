// What rules ask about a layer and what stands around it. It brings graph.h and rule.h, which
// no rule includes beside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/graph/graph.h"
#include "analyzers/rules/rule.h"

namespace trtlens {

// Layers met from one on, along its outputs or its inputs, through those of given roles.
struct Walk {
  std::vector<std::size_t> between;  // of those roles
  std::vector<std::size_t> ends;     // the first ones of another role
};
enum class Direction : std::uint8_t { backward, forward };
// Walks end after 64 layers: what stands farther off explains nothing.
[[nodiscard]] Walk walk(const RuleContext& c, std::size_t from, Direction direction,
                        bool (*through)(LayerRole));
[[nodiscard]] bool is_conversion_or_pointwise(LayerRole role);
[[nodiscard]] bool is_layout_or_pointwise(LayerRole role);  // or a conversion

// The layers for which `is_one` holds, in order, of those that were timed.
template <typename Test>
[[nodiscard]] std::vector<std::size_t> layers_where(const RuleContext& c, Test is_one) {
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (c.graph.takes_part(i) && is_one(i)) layers.push_back(i);
  }
  return layers;
}
template <typename Layers>
[[nodiscard]] bool any_of_role(const RuleContext& c, const Layers& layers, LayerRole role) {
  return std::ranges::any_of(layers, [&](std::size_t i) { return c.verdict(i).role == role; });
}
// One list behind the other.
[[nodiscard]] std::vector<std::size_t> together(
    std::initializer_list<std::vector<std::size_t>> lists);
// `layers` and the conversions around them, without what a finding before has in its stake.
[[nodiscard]] std::vector<std::size_t> with_conversions(const RuleContext& c,
                                                        const std::vector<std::size_t>& layers);

// Arithmetic in 8 bits or less; in 32 bits.
[[nodiscard]] bool computes_narrow(const RuleContext& c, std::size_t layer);
[[nodiscard]] bool computes_in_32_bits(const RuleContext& c, std::size_t layer);
[[nodiscard]] bool any_computes_narrow(const RuleContext& c,
                                       const std::vector<std::size_t>& layers);
[[nodiscard]] std::string compute_text(const RuleContext& c, std::size_t layer);  // "computes in …"
// What they compute in, or read where that is not known: "FP16", "floating point" for several.
[[nodiscard]] std::string float_text(const RuleContext& c, const std::vector<std::size_t>& layers);
// Of the layers that were timed: how many do arithmetic, and how many of them in 8 bits or less.
struct ArithmeticCount {
  std::size_t all = 0, narrow = 0, unknown = 0;
  bool has_region = false;  // what runs inside is not known
};
[[nodiscard]] ArithmeticCount count_arithmetic(const RuleContext& c);
// Whether the network brings its own scales: a Q or DQ kernel, node, or part of a fused name.
[[nodiscard]] bool is_explicitly_quantized(const RuleContext& c);
// Whether INT8 was allowed, or without a log: is seen.
[[nodiscard]] bool allows_int8(const RuleContext& c);

// Whether a conversion from FP8 stands in front of it.
[[nodiscard]] bool reads_dequantized_fp8(const RuleContext& c, std::size_t layer);
// Whether the first input is one of the network's; the first output.
[[nodiscard]] bool reads_network_input(const RuleContext& c, std::size_t layer);
[[nodiscard]] bool writes_network_output(const RuleContext& c, std::size_t layer);
// An addition of two tensors of one shape that runs as a kernel of its own.
[[nodiscard]] bool is_lone_add(const RuleContext& c, std::size_t layer);
// An INT8 convolution that could take in the addition behind it: nobody else reads its INT8 output.
[[nodiscard]] bool could_take_add(const RuleContext& c, std::size_t layer);
// Whether nothing but what needs no arithmetic stands between it and the network's outputs.
[[nodiscard]] bool ends_network(const RuleContext& c, std::size_t layer);
[[nodiscard]] bool is_depthwise(const Layer& layer);
// Product of the kernel's sizes; 0 when it is not known.
[[nodiscard]] std::int64_t kernel_elements(const Layer& layer);

// Whether all of `layers` together take `share` of the profile. True when there is no profile.
[[nodiscard]] bool takes_share(const RuleContext& c, const std::vector<std::size_t>& layers,
                               double share);
// Those that no finding before has in its stake, each once, in layer order.
[[nodiscard]] std::vector<std::size_t> unclaimed(const RuleContext& c,
                                                 std::vector<std::size_t> layers);
[[nodiscard]] std::vector<std::size_t> slowest_first(const RuleContext& c,
                                                     std::vector<std::size_t> layers);
// As evidence: the most costly ones, at most eight, each with what `note` says of it; the first
// ones.
void show_layers(const RuleContext& c, const std::vector<std::size_t>& layers, Finding& finding,
                 const std::function<std::string(std::size_t)>& note = {});
void show_first(const RuleContext& c, const std::vector<std::size_t>& layers, std::size_t most,
                Finding& finding);
// As evidence: what these layers take together, when there is a profile. `what` names them.
void show_sum(const RuleContext& c, const std::vector<std::size_t>& layers, std::string what,
              Finding& finding);
// "2 convolutions", "1 matrix product", or, of several kinds, "3 layers".
[[nodiscard]] std::string arithmetic_text(const RuleContext& c,
                                          const std::vector<std::size_t>& layers);

// By the name of its kernel, where tensor cores could have done it; false when that says nothing.
[[nodiscard]] bool avoids_tensor_cores(std::string_view tactic);
// The channel dimension of a tensor (N, C, …); 0 when it is not known.
[[nodiscard]] std::int64_t channels_of(const Tensor& tensor);

}  // namespace trtlens
