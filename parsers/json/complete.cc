// Last steps over the layers of a document.
#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "parsers/json/collector.h"
#include "parsers/text/names.h"

namespace trtlens::json_detail {
namespace {

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

// Of the bindings only; none: no layer names it.
class Mentions {
 public:
  explicit Mentions(const std::vector<IoTensor>& io_tensors) {
    for (const IoTensor& io : io_tensors) {
      of_.try_emplace(io.tensor.name);
      sizes_.set(io.tensor.name.size() % sizes_.size());
    }
  }
  void add(const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
      if (!sizes_[tensor.name.size() % sizes_.size()]) continue;  // most tensors are no bindings
      const auto found = of_.find(tensor.name);
      if (found == of_.end()) continue;
      if (found->second) {
        found->second->join(tensor);
      } else {
        found->second = Mention{tensor};
      }
    }
  }
  [[nodiscard]] const std::optional<Mention>& of(const IoTensor& io) const {
    return of_.at(io.tensor.name);
  }

 private:
  std::unordered_map<std::string_view, std::optional<Mention>> of_;
  std::bitset<256> sizes_;  // of the names
};

// Myelin's "memset_8", "cjmp_10", "add_9" (a loop's counter), "l2_cache_policy_0": TensorRT 11
// lists them as layers; they compute no node, and Metadata names none.
bool is_bookkeeping(const Layer& layer) {
  constexpr std::array<std::string_view, 4> kTypes = {"memset", "cjmp", "add", "custom_layer"};
  return layer.metadata.empty() && !layer.name.str().starts_with('/') &&
         std::ranges::find(kTypes, layer.layer_type.str()) != kTypes.end();
}

}  // namespace

void complete_layer(Layer& layer) {
  layer.opt_profile = opt_profile_of_name(layer.name);
  if (!layer.metadata.empty()) layer.onnx_nodes = onnx_nodes_of_metadata(layer.metadata);
  if (layer.onnx_nodes.empty() && !is_bookkeeping(layer)) {
    layer.onnx_nodes = onnx_nodes_of_name(layer.name);
  }
  for (SharedText& node : layer.onnx_nodes) {
    if (node == layer.name) node = layer.name;  // one text for both
  }
}

// Whoever writes a tensor makes it an output.
void complete_bindings(JsonRecords& records) {
  Mentions reads(records.io_tensors), writes(records.io_tensors);
  for (const Layer& layer : records.layers) {
    reads.add(layer.inputs);
    writes.add(layer.outputs);
  }
  bool after_output = false;
  for (std::size_t i = 0; i < records.io_tensors.size(); ++i) {
    IoTensor& io = records.io_tensors[i];
    const std::optional<Mention>& written = writes.of(io);
    const std::optional<Mention>& read = reads.of(io);
    if (written) {
      io.is_input = false;
      written->apply(io.tensor);
    } else if (read) {
      io.is_input = true;
      read->apply(io.tensor);
    } else {
      // A guess: inputs come first; an engine has one output at least.
      const bool is_last = records.io_tensors.size() > 1 && i + 1 == records.io_tensors.size();
      io.is_input = !after_output && !is_last;
    }
    after_output = after_output || !io.is_input;
  }
}

bool looks_like_layer_name(std::string_view name) {
  for (std::string_view mark : {" + ", " || ", "Reformatting CopyNode", "PWN(", "ForeignNode[",
                                "(Unnamed Layer*", "_myl", "]-[", "[ONNX Layer"}) {
    if (name.find(mark) != std::string_view::npos) return true;
  }
  return name.size() > 1 && name.front() == '/';
}

}  // namespace trtlens::json_detail
