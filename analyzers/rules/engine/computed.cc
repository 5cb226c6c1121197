// Facts that take more than a comparison: shapes, weights, the graph of the parser's lines.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens::message_rules {
namespace {

using Producers = std::map<std::string_view, const OnnxNode*>;

Producers producers_of(const Build& build) {
  Producers producers;
  for (const OnnxNode& node : build.onnx_nodes) {
    for (const Tensor& tensor : node.outputs) producers.emplace(tensor.name.str(), &node);
  }
  return producers;
}

bool is_quantizer(const OnnxNode& node) {
  return node.op == "QuantizeLinear" || node.op == "DequantizeLinear";
}

// Back over Q/DQ: where the values of a tensor come from, and the nodes on the way.
struct Origin {
  const Tensor* tensor = nullptr;
  std::vector<const OnnxNode*> through;
};
Origin origin_of(const Tensor& tensor, const Producers& producers) {
  Origin origin{&tensor, {}};
  for (int step = 0; step < 4; ++step) {
    const auto found = producers.find(origin.tensor->name.str());
    if (found == producers.end() || !is_quantizer(*found->second)) break;
    if (found->second->inputs.empty()) break;
    origin.through.push_back(found->second);
    origin.tensor = &found->second->inputs[0];
  }
  return origin;
}

bool is_floating(DataType type) {
  return type == DataType::fp32 || type == DataType::fp16 || type == DataType::bf16 ||
         type == DataType::fp64 || type == DataType::unknown;
}

// Constants of the model: what no node makes and the caller does not give.
std::int64_t constants_of(const Build& build) {
  const Producers producers = producers_of(build);
  std::set<std::string_view> seen;
  for (const IoTensor& io : build.io_tensors) seen.insert(io.tensor.name.str());
  std::int64_t sum = 0;
  for (const OnnxNode& node : build.onnx_nodes) {
    for (const Tensor& tensor : node.inputs) {
      const std::string_view name = tensor.name.str();
      if (name.empty() || producers.count(name) != 0 || !is_floating(tensor.type)) continue;
      if (tensor.dims.size() < 2 || !seen.insert(name).second) continue;
      sum += std::max<std::int64_t>(tensor.elements().value_or(0), 0);
    }
  }
  return sum;
}

struct Width {
  const char* label;
  double bytes;
};
// The narrowest precision that was allowed; null: no more is known.
const Width* narrowest_of(const Build& build) {
  static const Width widths[] = {{"FP4", 0.5}, {"INT4", 0.5}, {"FP8", 1},
                                 {"INT8", 1},  {"FP16", 2},   {"BF16", 2}};
  for (const Width& width : widths) {
    if (allows(build.allowed, width.label)) return &width;
  }
  return nullptr;
}

std::optional<FactHit> weights_wide(const FactPlaces& places) {
  constexpr std::int64_t kLeast = 1 << 20;  // parameters; small models are all overhead
  constexpr double kTolerance = 0.8;        // some layers may well be narrower
  const Build& build = places.build;
  const Width* narrow = narrowest_of(build);
  if (narrow == nullptr || build.memory.weights_bytes.value_or(0) <= 0) return std::nullopt;
  if (build.outcome == Outcome::failed) return std::nullopt;
  const std::int64_t constants = constants_of(build);
  if (constants < kLeast) return std::nullopt;
  const double each =
      static_cast<double>(*build.memory.weights_bytes) / static_cast<double>(constants);
  // More than FP32 takes: kept twice, or constants that the parser's lines do not show.
  if (each < kTolerance * std::min(4.0, 2 * narrow->bytes * (narrow->bytes < 1 ? 2 : 1)) ||
      each > 4.4) {
    return std::nullopt;
  }
  FactHit hit;
  hit.values["narrow"] = narrow->label;
  hit.values["bytes_each"] = fmt::format("{:.1f}", each);
  hit.values["parameters"] = fmt::format("{:.1f} million", static_cast<double>(constants) / 1e6);
  hit.evidence.push_back(
      places.at_run(fmt::format("Total Weights Memory: {} bytes", *build.memory.weights_bytes)));
  return hit;
}

// "x=1x3x8x8" or "x:1x3x8x8", several joined with commas -> elements and text of the first input
// that `wanted` names ("": the first).
struct Shape {
  std::string name, dims;
  double elements = 0;
};
std::vector<Shape> shapes_of(const std::string& text) {
  static const re2::RE2 one(R"(\s*(.+?)[=:](\d+(?:x\d+)*)(?:,|$))", re2::RE2::Latin1);
  std::vector<Shape> shapes;
  re2::StringPiece rest(text);
  Shape shape;
  while (re2::RE2::Consume(&rest, one, &shape.name, &shape.dims)) {
    const char quote = shape.name.front();
    if (shape.name.size() > 2 && (quote == '\'' || quote == '"') && shape.name.back() == quote) {
      shape.name = shape.name.substr(1, shape.name.size() - 2);
    }
    shape.elements = 1;
    for (std::size_t at = 0; at < shape.dims.size();) {
      shape.elements *= std::strtod(shape.dims.c_str() + at, nullptr);
      const std::size_t x = shape.dims.find('x', at);
      at = x == std::string::npos ? shape.dims.size() : x + 1;
    }
    shapes.push_back(shape);
  }
  return shapes;
}

std::vector<Shape> option_shapes(const Build& build, const char* name) {
  const std::optional<std::string> value = build.options.value(name);
  return value ? shapes_of(*value) : std::vector<Shape>();
}

const Shape* find(const std::vector<Shape>& shapes, const std::string& name) {
  for (const Shape& shape : shapes) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

std::optional<FactHit> opt_shapes(const FactPlaces& places) {
  constexpr double kMuchLarger = 8;  // diagnosis-rules: opt-shape-mismatch
  const Build& build = places.build;
  if (profiles_of(build) > 1) return std::nullopt;  // which one is timed is another matter
  const std::vector<Shape> opt = option_shapes(build, "optShapes");
  const std::vector<Shape> timed = option_shapes(build, "shapes");
  const std::vector<Shape> max = option_shapes(build, "maxShapes");
  for (const Shape& shape : opt) {
    const Shape* other = find(timed, shape.name);
    FactHit hit;
    if (other != nullptr && other->dims != shape.dims) {
      hit.values["mismatch"] = "Timed at another shape of " + shortened(shape.name, 80) +
                               " than kernels were chosen for";
      hit.evidence.push_back(places.at_run(fmt::format(
          "--optShapes={}:{} --shapes={}:{}", shape.name, shape.dims, shape.name, other->dims)));
      return hit;
    }
    other = find(max, shape.name);
    if (other != nullptr && other->elements >= kMuchLarger * shape.elements) {
      hit.values["mismatch"] = "The largest shape of " + shortened(shape.name, 80) +
                               " is far above the one that kernels were chosen for";
      hit.evidence.push_back(places.at_run(fmt::format(
          "--optShapes={}:{} --maxShapes={}:{}", shape.name, shape.dims, shape.name, other->dims)));
      return hit;
    }
  }
  return std::nullopt;
}

// Convolutions of one kernel size that read the same tensor over Q/DQ.
std::optional<FactHit> parallel_convs(const FactPlaces& places) {
  const Build& build = places.build;
  const bool merged = std::ranges::any_of(
      build.layers, [](const Layer& l) { return l.name.str().find(" || ") != std::string::npos; });
  if (merged) return std::nullopt;
  const Producers producers = producers_of(build);
  std::map<std::pair<std::string_view, std::vector<std::int64_t>>, std::vector<const OnnxNode*>>
      groups;
  for (const OnnxNode& node : build.onnx_nodes) {
    if (node.op != "Conv" || node.inputs.size() < 2 || node.inputs[1].dims.size() < 3) continue;
    const Origin origin = origin_of(node.inputs[0], producers);
    if (origin.through.empty()) continue;
    const auto& dims = node.inputs[1].dims;
    groups[{origin.tensor->name.str(), {dims.begin() + 2, dims.end()}}].push_back(&node);
  }
  FactHit hit;
  std::size_t count = 0;
  for (const auto& [key, nodes] : groups) {
    if (nodes.size() < 2) continue;
    if (count++ == 0) hit.values["tensor"] = std::string(key.first);
    for (const OnnxNode* node : nodes) {
      if (hit.evidence.size() < 4) hit.evidence.push_back(places.at(node->pos, node->name));
    }
  }
  if (count == 0) return std::nullopt;
  hit.values["groups"] = std::to_string(count);
  return hit;
}

// The table of the hardware guide: what has arithmetic units (tensor cores, DP4A, or native FP16).
bool has_units(const std::string& label, int sm) {
  if (label == "INT8") return sm >= 61 && sm != 62;
  if (label == "FP8") return sm >= 89;
  if (label == "FP4") return sm >= 100;
  if (label == "BF16") return sm >= 80;
  if (label == "FP16") return sm >= 70 || sm == 53 || sm == 60 || sm == 62;
  return true;
}

std::optional<FactHit> without_units(const FactPlaces& places) {
  const Build& build = places.build;
  const std::optional<int> sm = build.gpu ? build.gpu->sm() : std::nullopt;
  if (!sm) return std::nullopt;
  std::string lacking;
  for (const std::string& label : build.allowed.labels) {
    if (has_units(label, *sm)) continue;
    lacking += (lacking.empty() ? "" : " and ") + label;
  }
  if (lacking.empty()) return std::nullopt;
  FactHit hit;
  hit.values["lacking"] = lacking;
  hit.evidence.push_back(places.at_run("Compute Capability: " + build.gpu->compute_capability +
                                       ", allowed: " + lacking));
  return hit;
}

std::optional<FactHit> weights_per_tensor(const FactPlaces& places) {
  const Build& build = places.build;
  const Producers producers = producers_of(build);
  FactHit hit;
  std::size_t count = 0;
  for (const OnnxNode& node : build.onnx_nodes) {
    if (node.op != "Conv" || node.inputs.size() < 2) continue;
    const auto& weights = node.inputs[1].dims;
    if (weights.size() < 3 || weights[0] <= 1) continue;
    const Origin origin = origin_of(node.inputs[1], producers);
    const bool single = std::ranges::any_of(origin.through, [](const OnnxNode* quantizer) {
      return quantizer->inputs.size() > 1 && quantizer->inputs[1].has_dims &&
             quantizer->inputs[1].elements().value_or(0) == 1;
    });
    if (!single) continue;
    ++count;
    if (hit.evidence.size() < 3) {
      hit.evidence.push_back(places.at(origin.through.back()->pos, node.name + ": one scale"));
    }
  }
  if (count == 0) return std::nullopt;
  hit.values["convs"] = std::to_string(count);
  return hit;
}

// The parser prints FLOAT for what QuantizeLinear gives; beside a plugin's trouble that misleads.
std::optional<FactHit> quantize_output_float(const FactPlaces& places) {
  static const re2::RE2 plugin_trouble("(?i)plugin|candidateRequirements");
  const Build& build = places.build;
  const bool trouble = std::ranges::any_of(build.messages, [](const Message& message) {
    return message.severity >= LogSeverity::error &&
           re2::RE2::PartialMatch(message.text, plugin_trouble);
  });
  const bool layer = std::ranges::any_of(build.layers, [](const Layer& l) {
    return l.layer_type.str().find("Plugin") != std::string::npos;
  });
  if (!trouble && !layer) return std::nullopt;
  FactHit hit;
  std::size_t count = 0;
  for (const OnnxNode& node : build.onnx_nodes) {
    if (node.op != "QuantizeLinear" || node.outputs.empty()) continue;
    if (node.outputs[0].type != DataType::fp32) continue;
    ++count;
    if (hit.evidence.size() < 3) {
      hit.evidence.push_back(places.at(node.pos, node.name + " [QuantizeLinear] outputs: FLOAT"));
    }
  }
  if (count == 0) return std::nullopt;
  hit.values["count"] = std::to_string(count);
  return hit;
}

}  // namespace

std::vector<std::string> inputs_with_shapes(const Build& build) {
  std::vector<std::string> names;
  for (const char* option : {"shapes", "minShapes", "optShapes", "maxShapes"}) {
    for (const Shape& shape : option_shapes(build, option)) {
      if (std::ranges::find(names, shape.name) == names.end()) {
        names.push_back(shape.name);
      }
    }
  }
  return names;
}

std::span<const std::pair<std::string_view, Computed>> computed_words() {
  static constexpr std::pair<std::string_view, Computed> kWords[] = {
      {"build-failed", nullptr},
      {"build-truncated", nullptr},
      {"errors-unexplained", nullptr},
      {"quantize-output-float", quantize_output_float},
      {"engine-weights-wide", weights_wide},
      {"opt-shape-mismatch", opt_shapes},
      {"parallel-convs", parallel_convs},
      {"precision-without-units", without_units},
      {"weights-per-tensor", weights_per_tensor}};
  return kWords;
}

Computed computed_by(std::string_view word) {
  for (const auto& [one, compute] : computed_words()) {
    if (one == word) return compute;
  }
  return nullptr;
}

}  // namespace trtlens::message_rules
