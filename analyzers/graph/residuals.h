// Adds whose residual input has no Q/DQ, and the conversions that are there because of them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"

namespace trtlens {

// An Add that runs alone between a float tensor, which is quantized for other readers, and the
// dequantized output of a convolution that could take it in.
struct LoneAdd {
  std::size_t add = 0;
  std::vector<std::size_t> dequantizers;
  std::string residual;
};

struct Residuals {
  std::vector<std::size_t> adds;     // INT8 convolutions that add a float residual
  std::vector<LoneAdd> lone;         // Adds whose Q/DQ stands on the wrong input
  std::set<std::size_t> quantizers;  // Q kernels on the float block outputs and residual inputs
  std::set<std::size_t> reformats;   // in front of those, or behind the convolution in front
  std::set<std::size_t> islands;     // float layers and their conversions upstream of a residual
  // Of `quantizers`, their reformats and the DQ of `lone`: the Add that they are there for. Of two,
  // the one that writes the float tensor stands before the one that only reads it.
  std::map<std::size_t, std::size_t> because_of;

  [[nodiscard]] std::set<std::size_t> all() const {
    std::set<std::size_t> members = quantizers;
    members.insert(reformats.begin(), reformats.end());
    members.insert(islands.begin(), islands.end());
    for (const LoneAdd& one : lone) {
      members.insert(one.add);
      members.insert(one.dequantizers.begin(), one.dequantizers.end());
    }
    return members;
  }
};

// The float tensors that a narrow convolution adds to its result.
[[nodiscard]] std::vector<const Tensor*> residual_inputs(const RuleContext& c, std::size_t i);
// Without the layers that `c` has claimed.
[[nodiscard]] Residuals residuals_of(const RuleContext& c);
// `because_of` of a whole build, where no finding has claimed anything.
[[nodiscard]] std::map<std::size_t, std::size_t> residual_conversions(const Analysis& analysis,
                                                                      const Graph& graph,
                                                                      const WidthReasons& reasons);

}  // namespace trtlens
