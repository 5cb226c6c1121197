// Why a QuantizeLinear stayed a kernel of its own: what else becomes of the tensor that it reads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"

namespace trtlens {

// A layer takes in the quantizer behind it where that alone reads its output, and reads all of it.
struct UnfusedReasons {
  std::vector<std::size_t> slicers;        // quantizers that read a part of what a layer wrote
  std::vector<std::size_t> float_readers;  // of the same tensors

  [[nodiscard]] bool any() const { return !slicers.empty() || !float_readers.empty(); }
};

[[nodiscard]] UnfusedReasons unfused_reasons(const RuleContext& c,
                                             const std::vector<std::size_t>& quantizers);
// "Q takes a slice of it, and ADD reads it in floating point"
[[nodiscard]] std::string text_of(const RuleContext& c, const UnfusedReasons& reasons);
// What to change in the model. Only for reasons of which there are any.
[[nodiscard]] std::string remedy_of(const UnfusedReasons& reasons);

}  // namespace trtlens
