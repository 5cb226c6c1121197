// Reads the node's label and formats from the error, and the channels of the layers that it names.
#include "analyzers/precision/no_implementation.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::int64_t kInt8Multiple = 4;  // of IConvolutionLayer::setNbGroups

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::int64_t up_to_multiple(std::int64_t n) {
  return (n + kInt8Multiple - 1) / kInt8Multiple * kInt8Multiple;
}

std::string dims_text(const std::vector<std::int64_t>& dims) {
  std::string text = "(";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + ")";
}

std::string numbers_text(const OnnxNode& node, const GroupedConv& conv) {
  std::string text =
      fmt::format("weights {}, input of {} channels → {} {}, {} in and {} out per group",
                  dims_text(node.inputs[1].dims), conv.channels_in, conv.groups,
                  conv.groups == 1 ? "group" : "groups", conv.in_per_group, conv.out_per_group);
  if (conv.depthwise()) {
    const std::int64_t next = up_to_multiple(conv.channels_in);
    text += "; depthwise: a total that is a multiple of 4 has kernels everywhere";
    if (next != conv.channels_in) text += fmt::format(", next is {}", next);
  } else if (conv.groups > 1) {
    const std::int64_t in = up_to_multiple(conv.in_per_group);
    const std::int64_t out = up_to_multiple(conv.out_per_group);
    if (in != conv.in_per_group || out != conv.out_per_group) {
      text += in == out ? fmt::format("; pad to {}", in)
                        : fmt::format("; pad to {} in, {} out", in, out);
    }
  }
  return text;
}

std::string channels_text(const GroupedConv& conv) {
  if (conv.depthwise()) {
    const std::int64_t next = up_to_multiple(conv.channels_in);
    return fmt::format("{} channels are depthwise", conv.channels_in) +
           (next != conv.channels_in ? fmt::format("; pad to {}", next) : "");
  }
  const std::int64_t in = conv.in_per_group, out = conv.out_per_group;
  const std::string has = in == out ? fmt::format("{}", in) : fmt::format("{} in, {} out", in, out);
  std::string text = (conv.groups > 1 ? "a group has " : "the convolution has ") + has;
  const std::int64_t next_in = up_to_multiple(in), next_out = up_to_multiple(out);
  if (conv.groups == 1 || (next_in == in && next_out == out)) return text;
  return text + (next_in == next_out ? fmt::format("; pad to {}", next_in)
                                     : fmt::format("; pad to {} in, {} out", next_in, next_out));
}

bool misaligned(const GroupedConv& conv) {
  if (conv.depthwise()) {
    return conv.channels_in % kInt8Multiple != 0 || conv.channels_out % kInt8Multiple != 0;
  }
  return conv.groups > 1 &&
         (conv.in_per_group % kInt8Multiple != 0 || conv.out_per_group % kInt8Multiple != 0);
}

// Format combinations that were tried for the node, newest first.
std::vector<std::string> formats_of(const Build& build, const std::string& name) {
  std::vector<std::string> formats;
  if (build.last_timed && build.last_timed->layer == name) {
    formats.push_back(build.last_timed->format_combination);
  }
  for (const Autotune& tune : build.autotuning) {
    if (tune.layer == name) formats.push_back(tune.format_combination);
  }
  return formats;
}

// An INT8 first input beside a float one: "Int8(…), Float(…) -> Float(…)".
bool mixes_residual(const std::string& format) {
  const std::string inputs = format.substr(0, format.find("->"));
  return inputs.starts_with("Int8(") &&
         has_word(inputs, {" Float(", ",Float(", " Half(", ",Half("});
}

void diagnose_channels(const Build& build, const std::string& name, NodeDiagnosis& out) {
  std::optional<GroupedConv> chosen;
  for (const OnnxNode& node : build.onnx_nodes) {
    if (!names_node(name, node.name)) continue;
    const std::optional<GroupedConv> conv = grouped_conv_of(node);
    if (!conv || (chosen && !misaligned(*conv))) continue;
    chosen = conv;
    out.node = &node;
    if (misaligned(*conv)) break;
  }
  if (!chosen) {
    if (contains(name, "Conv") && !out.is("foreign")) {
      out.no_numbers = build.onnx_nodes.empty() ? "the log has no parser lines (--verbose)"
                                                : "no parser line in the log shows them";
    }
    return;
  }
  out.op = out.node->op;
  out.numbers = numbers_text(*out.node, *chosen);
  out.channels = channels_text(*chosen);
  if (chosen->transposed) out.labels.emplace_back("deconvolution");
  if (!misaligned(*chosen)) {
    out.labels.emplace_back("channels-fit");
  } else {
    out.labels.emplace_back(chosen->depthwise() ? "depthwise-misaligned" : "grouped-misaligned");
  }
}

}  // namespace

bool NodeDiagnosis::is(const std::string& label) const {
  return std::ranges::find(labels, label) != labels.end();
}

bool names_node(const std::string& fused, const std::string& part) {
  if (part.empty()) return false;
  // The grammar of fused names puts names between these; names themselves may hold blanks and
  // brackets.
  const auto is_boundary = [](char c) {
    return c == ' ' || c == ',' || c == '+' || c == '(' || c == ')' || c == '[' || c == ']' ||
           c == '{' || c == '}' || c == '|';
  };
  for (std::size_t at = fused.find(part); at != std::string::npos; at = fused.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool starts = at == 0 || is_boundary(fused[at - 1]);
    if (starts && (end == fused.size() || is_boundary(fused[end]))) return true;
  }
  return false;
}

std::optional<GroupedConv> grouped_conv_of(const OnnxNode& node) {
  if ((node.op != "Conv" && node.op != "ConvTranspose") || node.inputs.size() < 2)
    return std::nullopt;
  const std::vector<std::int64_t>& input = node.inputs[0].dims;
  const std::vector<std::int64_t>& weights = node.inputs[1].dims;
  if (input.size() < 3 || weights.size() < 3) return std::nullopt;
  GroupedConv conv;
  conv.transposed = node.op == "ConvTranspose";
  conv.channels_in = input[1];
  const std::int64_t second = weights[1];  // C/G, or K/G of a transposed convolution
  if (conv.channels_in <= 0 || weights[0] <= 0 || second <= 0) return std::nullopt;
  if (conv.transposed) {
    // Weights are (C, K/G, …), so that G is only known from the channels of the output.
    if (weights[0] != conv.channels_in || node.outputs.empty()) return std::nullopt;
    const std::vector<std::int64_t>& output = node.outputs[0].dims;
    if (output.size() < 3 || output[1] <= 0 || output[1] % second != 0) return std::nullopt;
    conv.channels_out = output[1];
    conv.groups = output[1] / second;
  } else {
    if (conv.channels_in % second != 0) return std::nullopt;
    conv.channels_out = weights[0];
    conv.groups = conv.channels_in / second;
  }
  if (conv.channels_in % conv.groups != 0 || conv.channels_out % conv.groups != 0)
    return std::nullopt;
  conv.in_per_group = conv.channels_in / conv.groups;
  conv.out_per_group = conv.channels_out / conv.groups;
  return conv;
}

namespace {

// "weights + node_of_weights_quantized + node_of_output": a part of a fused name is a Q or DQ node
// of the parser's, or its own name, behind the modules, says that it quantizes.
bool holds_quantize_node(const Build& build, const std::string& fused) {
  const bool parsed = std::ranges::any_of(build.onnx_nodes, [&](const OnnxNode& node) {
    return (node.op == "QuantizeLinear" || node.op == "DequantizeLinear") &&
           names_node(fused, node.name);
  });
  if (parsed) return true;
  static const re2::RE2 part(R"((?i)(?:^|\+ |\/|\.)[\w:-]*quanti[sz]e[\w:-]* \+ )");
  return re2::RE2::PartialMatch(fused, part);
}

}  // namespace

NodeDiagnosis diagnose_node(const Build& build, const std::string& name) {
  NodeDiagnosis out;
  if (contains(name, "ForeignNode[")) out.labels.emplace_back("foreign");
  const std::vector<std::string> formats = formats_of(build, name);
  const auto int8 = [](const std::string& format) { return contains(format, "Int8("); };
  if (has_word(name,
               {"QuantizeLinear", "quantize_scale_node", "_weight_quantizer", "weight_quantizer/",
                "_input_quantizer", "input_quantizer/", "[Quantize]", "[Dequantize]"}) ||
      std::ranges::any_of(formats, int8) || holds_quantize_node(build, name)) {
    out.labels.emplace_back("quantised");
  }
  if (contains(name, "PWN(") && contains(name, "Sigmoid") && out.is("quantised")) {
    out.labels.emplace_back("swish-tail");
  }
  if (std::ranges::any_of(formats, mixes_residual)) out.labels.emplace_back("mixed-residual");
  if (has_word(name, {"Plugin", "PLUGIN", "_TRT"})) out.labels.emplace_back("plugin");
  if (has_word(name, {"ConvTranspose", "Deconvolution"})) out.labels.emplace_back("deconvolution");
  diagnose_channels(build, name, out);
  return out;
}

}  // namespace trtlens
