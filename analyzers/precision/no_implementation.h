// Why no kernel implements a node: its labels, and the channel counts that INT8 kernels care about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

// A convolution as the parser's `inputs:` line shows it. Channels per group are exact quotients.
struct GroupedConv {
  std::int64_t channels_in = 0, channels_out = 0, groups = 0;
  std::int64_t in_per_group = 0, out_per_group = 0;
  bool transposed = false;

  [[nodiscard]] bool depthwise() const { return groups > 1 && groups == channels_in; }
};

// None unless the node is a Conv or ConvTranspose whose channel dimensions are known and
// consistent.
[[nodiscard]] std::optional<GroupedConv> grouped_conv_of(const OnnxNode& node);

// Labels: "foreign" (a Myelin region), "quantised" (Q/DQ in the name, or timed with INT8 formats),
// "deconvolution", "swish-tail" (Sigmoid and Mul fused behind), "mixed-residual" (an INT8 and a
// float input), "plugin", and for convolutions whose parser line is in the log
// "grouped-misaligned", "depthwise-misaligned" or "channels-fit".
struct NodeDiagnosis {
  std::vector<std::string> labels;
  std::string numbers;             // the channel counts of a convolution, all of them
  std::string channels;            // "a group has 6; pad to 8"
  std::string no_numbers;          // or why they are not known; both empty for other kinds of nodes
  std::string op;                  // ONNX operator of the node that decided, "" when unknown
  const OnnxNode* node = nullptr;  // of the build: its parser line is evidence

  [[nodiscard]] bool is(const std::string& label) const;
};

// `name` is the fused name that the error gives.
[[nodiscard]] NodeDiagnosis diagnose_node(const Build& build, const std::string& name);

// Whether `part` stands in the fused name on its own, not as a piece of a longer name.
[[nodiscard]] bool names_node(const std::string& fused, const std::string& part);

}  // namespace trtlens
