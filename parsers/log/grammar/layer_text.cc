// Attributes and tensors out of both forms; nested brackets and names with commas are expected.
#include "parsers/log/grammar/layer_text.h"

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "parsers/log/runs/run_builder.h"
#include "parsers/model/limits.h"
#include "parsers/text/names.h"
#include "parsers/text/numbers.h"
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

// Weights: {"Type": "Float", "Count": 800}
std::optional<Weights> weights_of(std::string_view object) {
  static constexpr WordSearch kType("\"Type\": \""), kCount("\"Count\": ");
  const std::string_view type = between(object, kType, "\"");
  const auto count = whole_number(between(object, kCount, ","));
  if (type.empty() || !count || *count < 0 || *count > kMaxWeights) return std::nullopt;
  return Weights{data_type_of(type), *count};
}

// What stands behind each key of a layer; null: the key is not there.
struct Attributes {
  std::string_view parameter_type, origin, tactic_name, tactic_value, weights, conv_weights, bias,
      groups, out_maps, has_sparse_weights, kernel, stride, activation, plugin_type, stream_id,
      metadata;
};

struct AttributeKey {
  std::string_view name, opens;  // in front of ": " and behind it
  std::string_view end;          // of the value; empty: that of the text
  std::string_view Attributes::*value;
};

constexpr std::array<AttributeKey, 16> kAttributeKeys{{
    {"ParameterType", "", ",", &Attributes::parameter_type},
    {"Origin", "", ",", &Attributes::origin},
    {"TacticName", "", ",", &Attributes::tactic_name},
    {"TacticValue", "", ",", &Attributes::tactic_value},
    {", Weights", "{", "}", &Attributes::weights},
    {", ConvWeights", "{", "}", &Attributes::conv_weights},
    {", Bias", "{", "}", &Attributes::bias},
    {"Groups", "", ",", &Attributes::groups},
    {"OutMaps", "", ",", &Attributes::out_maps},
    {"HasSparseWeights", "", ",", &Attributes::has_sparse_weights},
    {"Kernel", "[", "]", &Attributes::kernel},
    {", Stride", "[", "]", &Attributes::stride},
    {", Activation", "", ",", &Attributes::activation},
    {"PluginType", "", ",", &Attributes::plugin_type},
    {"StreamId", "", ",", &Attributes::stream_id},
    {", Metadata", "", "", &Attributes::metadata},
}};

// The last four bytes of each name.
constexpr auto kLastFours = [] {
  std::array<std::uint32_t, kAttributeKeys.size()> fours{};
  for (std::size_t i = 0; i < fours.size(); ++i) {
    const char* const last = kAttributeKeys[i].name.end() - 4;
    fours[i] = std::bit_cast<std::uint32_t>(std::array{last[0], last[1], last[2], last[3]});
  }
  return fours;
}();

// The first of each key counts. All are looked for at once, at the colons.
Attributes attributes_of(std::string_view text) {
  Attributes attributes;
  for (std::size_t colon = text.find(": ", 4); colon < text.size();
       colon = text.find(": ", colon + 2)) {
    const std::uint32_t four = four_at(text.data() + colon - 4);
    bool may_be_key = false;  // most words of a layer are none
    for (const std::uint32_t one : kLastFours) may_be_key |= one == four;
    if (!may_be_key) continue;
    const std::string_view before = text.substr(0, colon), behind = text.substr(colon + 2);
    for (std::size_t i = 0; i < kLastFours.size(); ++i) {
      const AttributeKey& key = kAttributeKeys[i];
      if (kLastFours[i] != four || !before.ends_with(key.name) || !behind.starts_with(key.opens)) {
        continue;
      }
      std::string_view& value = attributes.*key.value;
      if (value.data() != nullptr) continue;
      value = behind.substr(key.opens.size());
      if (!key.end.empty()) value = value.substr(0, value.find(key.end));
    }
  }
  return attributes;
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
      b.shared_dims(dims, tensor);
    }
    const std::size_t tail = item.rfind(" }");
    const std::string_view body = item.substr(0, tail);
    static constexpr WordSearch kFormatAndType("Format/Datatype: ");
    static constexpr WordSearch kType("Datatype: "), kFormat(", Format: ");
    if (const std::string_view format = between(body, kFormatAndType, "");
        format.data() != nullptr) {
      std::tie(tensor.format, tensor.type) = b.shared_format(format);
    } else {  // 11.x: "Datatype: FP8, Format: (Linear) …"
      tensor.format = between(body, kType, ",");
      tensor.type = data_type_of(tensor.format);
      const std::string_view layout = between(body, kFormat, "");
      if (!layout.empty()) tensor.format = tensor.format.str() + " " + std::string(layout);
      if (tensor.type == DataType::unknown) tensor.type = data_type_of(tensor.format);
    }
    tensors.push_back(std::move(tensor));
    at = next;
  }
  return tensors;
}

std::vector<Tensor> tensors_of_layer_line(RunBuilder& b, std::string_view text) {
  std::vector<Tensor> tensors;
  // An item ends at ")" or "]" in front of ", " or the end; names may hold both alone. Each end is
  // looked for once: a line may hold thousands of the one and none of the other.
  std::size_t new_end = text.find("]), "), old_end = text.find(")], ");
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',')) ++at;
    if (new_end < at) new_end = text.find("]), ", at);
    if (old_end < at) old_end = text.find(")], ", at);
    const std::size_t end = std::min(new_end, old_end);
    const std::size_t next = end == std::string_view::npos ? text.size() : end + 2;
    const std::string_view item = text.substr(at, next - at);
    at = next;
    const bool modern = item.size() > 2 && item.substr(item.size() - 2) == "])";
    const std::size_t open = modern ? item.rfind(" (") : item.rfind('[');
    if (open == std::string_view::npos || item.size() < open + 4) continue;
    std::string_view kind = item.substr(open + (modern ? 2 : 1));
    kind.remove_suffix(2);  // "])" or ")]"
    const std::size_t dims = kind.find(modern ? '[' : '(');
    Tensor tensor;
    tensor.name = b.shared_text(item.substr(0, open));
    std::tie(tensor.format, tensor.type) = b.shared_format(kind.substr(0, dims));
    if (dims != std::string_view::npos) {
      b.shared_dims(kind.substr(dims + 1), tensor);
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
  const Attributes attributes = attributes_of(text);
  layer.parameter_type = attributes.parameter_type;
  layer.origin = attributes.origin;
  layer.tactic_name = attributes.tactic_name;
  if (const auto id = tactic_id_of(attributes.tactic_value)) layer.tactic_id = id;
  layer.weights = weights_of(attributes.weights);
  if (!layer.weights) layer.weights = weights_of(attributes.conv_weights);
  layer.bias = weights_of(attributes.bias);
  layer.groups = whole_number(attributes.groups);
  layer.out_maps = whole_number(attributes.out_maps);
  if (const auto flag = whole_number(attributes.has_sparse_weights)) {
    layer.sparse_weights = *flag != 0;
  }
  layer.kernel = dims_of(attributes.kernel);
  layer.stride = dims_of(attributes.stride);
  layer.activation = attributes.activation;
  layer.plugin_type = attributes.plugin_type;
  if (const auto id = whole_number(attributes.stream_id); id && *id >= 0 && *id <= kMaxStreamId) {
    layer.stream_id = static_cast<int>(*id);
  }
  layer.metadata = attributes.metadata;
  if (!layer.metadata.empty()) layer.onnx_nodes = onnx_nodes_of_metadata(layer.metadata);
}

}  // namespace trtlens
