// Last steps over the layers of a document.
#include <string>
#include <unordered_map>

#include "parsers/json/collector.h"
#include "parsers/json/names.h"

namespace trtlens::json_detail {
namespace {

void complete_layer(Layer& layer) {
  layer.opt_profile = opt_profile_of_name(layer.name);
  layer.onnx_nodes = onnx_nodes_of_metadata(layer.metadata);
  if (layer.onnx_nodes.empty()) layer.onnx_nodes = onnx_nodes_of_name(layer.name);
}

// What the layers say of one tensor. Slices of a Concat are written under the name of the whole,
// so differing mentions leave the fact unknown.
struct Mention {
  Tensor tensor;
  bool same_dims = true, same_type = true, same_format = true;

  void join(const Tensor& other) {
    same_dims = same_dims && tensor.has_dims == other.has_dims && tensor.dims == other.dims;
    same_type = same_type && tensor.type == other.type;
    same_format = same_format && tensor.format == other.format;
  }
  void apply(Tensor& to) const {
    if (same_dims) {
      to.dims = tensor.dims;
      to.has_dims = tensor.has_dims;
    }
    if (same_type) to.type = tensor.type;
    if (same_format) to.format = tensor.format;
  }
};

using Mentions = std::unordered_map<std::string, Mention>;

void add_mentions(const std::vector<Tensor>& tensors, Mentions& mentions) {
  for (const Tensor& tensor : tensors) {
    const auto [entry, is_new] = mentions.try_emplace(tensor.name, Mention{tensor});
    if (!is_new) entry->second.join(tensor);
  }
}

// `Bindings` has names only: whoever writes a tensor makes it an output.
void complete_bindings(JsonRecords& records) {
  Mentions reads, writes;
  for (const Layer& layer : records.layers) {
    add_mentions(layer.inputs, reads);
    add_mentions(layer.outputs, writes);
  }
  bool after_output = false;
  for (std::size_t i = 0; i < records.io_tensors.size(); ++i) {
    IoTensor& io = records.io_tensors[i];
    const auto written = writes.find(io.tensor.name);
    const auto read = reads.find(io.tensor.name);
    if (written != writes.end()) {
      io.is_input = false;
      written->second.apply(io.tensor);
    } else if (read != reads.end()) {
      io.is_input = true;
      read->second.apply(io.tensor);
    } else {
      // Inputs come first; an engine has one output at least.
      const bool is_last = records.io_tensors.size() > 1 && i + 1 == records.io_tensors.size();
      io.is_input = !after_output && !is_last;
      records.io_modes_known = false;
    }
    after_output = after_output || !io.is_input;
  }
}

}  // namespace

bool looks_like_layer_name(std::string_view name) {
  for (std::string_view mark : {" + ", " || ", "Reformatting CopyNode", "PWN(", "ForeignNode[",
                                "(Unnamed Layer*", "_myl", "]-[", "[ONNX Layer"}) {
    if (name.find(mark) != std::string_view::npos) return true;
  }
  return name.size() > 1 && name.front() == '/';
}

void complete_layers(JsonRecords& records, bool modes_given) {
  for (Layer& layer : records.layers) complete_layer(layer);
  for (Layer& layer : records.profile) complete_layer(layer);
  if (!modes_given) complete_bindings(records);
}

}  // namespace trtlens::json_detail
