// Attributes and tensors out of both forms; nested brackets and names with commas are expected.
#include "parsers/log/grammar/layer_text.h"

#include <utility>

#include "parsers/log/grammar/numbers.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/model/limits.h"
#include "parsers/text/names.h"
#include "parsers/text/word_search.h"

namespace trtlens {
namespace {

// Text between `key` and the next `end` (none: to the end), null without the key. Names may hold
// ", ": keys are searched, commas are not split at.
std::string_view between(std::string_view text, const WordSearch& key, std::string_view end) {
  const char* const at = key.first(text.data(), text.data() + text.size());
  if (at == nullptr) return {};
  text.remove_prefix(static_cast<std::size_t>(at - text.data()) + key.word().size());
  return text.substr(0, end.empty() ? std::string_view::npos : text.find(end));
}

std::optional<Weights> weights_of(std::string_view text, const WordSearch& key) {
  // Weights: {"Type": "Float", "Count": 800}
  static constexpr WordSearch kType("\"Type\": \""), kCount("\"Count\": ");
  const std::string_view object = between(text, key, "}");
  const std::string_view type = between(object, kType, "\"");
  const auto count = whole_number(between(object, kCount, ","));
  if (type.empty() || !count || *count < 0 || *count > kMaxWeights) return std::nullopt;
  return Weights{data_type_of(type), *count};
}

}  // namespace

std::vector<Tensor> tensors_of_oneline(RunBuilder& b, std::string_view text) {
  std::vector<Tensor> tensors;
  std::size_t at = text.find("{ Name: ");
  while (at != std::string_view::npos) {
    const std::size_t next = text.find("{ Name: ", at + 1);
    const std::string_view item =
        text.substr(at, next == std::string_view::npos ? next : next - at);
    Tensor tensor;
    std::string_view name = item.substr(8);
    for (const std::string_view end : {", Location: ", ", Dimensions: "}) {
      name = name.substr(0, name.find(end));
    }
    tensor.name = b.shared_text(name);
    static constexpr WordSearch kDimensions(", Dimensions: [");
    if (const std::string_view dims = between(item, kDimensions, "]"); dims.data() != nullptr) {
      tensor.dims = b.shared_dims(dims);
      tensor.has_dims = true;
    }
    const std::size_t tail = item.rfind(" }");
    const std::string_view body = item.substr(0, tail);
    static constexpr WordSearch kFormatAndType("Format/Datatype: ");
    static constexpr WordSearch kType("Datatype: "), kFormat(", Format: ");
    if (const std::string_view format = between(body, kFormatAndType, "");
        format.data() != nullptr) {
      tensor.format = b.shared_text(format);
    } else {  // 11.x: "Datatype: FP8, Format: (Linear) …"
      tensor.format = between(body, kType, ",");
      tensor.type = data_type_of(tensor.format);
      const std::string_view layout = between(body, kFormat, "");
      if (!layout.empty()) tensor.format = tensor.format.str() + " " + std::string(layout);
    }
    if (tensor.type == DataType::unknown) tensor.type = data_type_of(tensor.format);
    tensors.push_back(std::move(tensor));
    at = next;
  }
  return tensors;
}

std::vector<Tensor> tensors_of_layer_line(RunBuilder& b, std::string_view text) {
  std::vector<Tensor> tensors;
  while (!text.empty()) {
    while (!text.empty() && (text[0] == ' ' || text[0] == ',')) text.remove_prefix(1);
    // The item ends at ")" or "]" in front of ", " or the end; names may hold both alone.
    const std::size_t new_end = text.find("]), ");
    const std::size_t old_end = text.find(")], ");
    const std::size_t end = std::min(new_end, old_end);
    const std::string_view item = text.substr(0, end == std::string_view::npos ? end : end + 2);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
    const bool modern = item.size() > 2 && item.substr(item.size() - 2) == "])";
    const std::size_t open = modern ? item.rfind(" (") : item.rfind('[');
    if (open == std::string_view::npos || item.size() < open + 4) continue;
    std::string_view kind = item.substr(open + (modern ? 2 : 1));
    kind.remove_suffix(2);  // "])" or ")]"
    const std::size_t dims = kind.find(modern ? '[' : '(');
    Tensor tensor;
    tensor.name = b.shared_text(item.substr(0, open));
    tensor.format = b.shared_text(kind.substr(0, dims));
    tensor.type = data_type_of(tensor.format);
    if (dims != std::string_view::npos) {
      tensor.dims = b.shared_dims(kind.substr(dims + 1));
      tensor.has_dims = true;
      // ≤ 8.4: dynamic dimensions are negative codes such as -2 and -24.
      for (std::size_t i = 0; i < tensor.dims.size(); ++i) {
        if (std::as_const(tensor.dims)[i] < -1) tensor.dims[i] = -1;
      }
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void read_oneline_attributes(std::string_view text, Layer& layer) {
  static constexpr WordSearch kParameterType("ParameterType: "), kOrigin("Origin: "),
      kTacticName("TacticName: "), kTacticValue("TacticValue: "), kWeights(", Weights: {"),
      kConvWeights(", ConvWeights: {"), kBias(", Bias: {"), kGroups("Groups: "),
      kOutMaps("OutMaps: "), kHasSparseWeights("HasSparseWeights: "), kKernel("Kernel: ["),
      kStride(", Stride: ["), kActivation(", Activation: "), kPluginType("PluginType: "),
      kStreamId("StreamId: "), kMetadata(", Metadata: ");
  layer.parameter_type = between(text, kParameterType, ",");
  layer.origin = between(text, kOrigin, ",");
  layer.tactic_name = between(text, kTacticName, ",");
  if (const auto id = tactic_id_of(between(text, kTacticValue, ","))) layer.tactic_id = id;
  layer.weights = weights_of(text, kWeights);
  if (!layer.weights) layer.weights = weights_of(text, kConvWeights);
  layer.bias = weights_of(text, kBias);
  layer.groups = whole_number(between(text, kGroups, ","));
  layer.out_maps = whole_number(between(text, kOutMaps, ","));
  if (const auto flag = whole_number(between(text, kHasSparseWeights, ","))) {
    layer.sparse_weights = *flag != 0;
  }
  layer.kernel = dims_of(between(text, kKernel, "]"));
  layer.stride = dims_of(between(text, kStride, "]"));
  layer.activation = between(text, kActivation, ",");
  layer.plugin_type = between(text, kPluginType, ",");
  if (const auto id = whole_number(between(text, kStreamId, ","))) {
    layer.stream_id = static_cast<int>(*id);
  }
  layer.metadata = between(text, kMetadata, "");
  if (!layer.metadata.empty()) layer.onnx_nodes = onnx_nodes_of_metadata(layer.metadata);
}

}  // namespace trtlens
