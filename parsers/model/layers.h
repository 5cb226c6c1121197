// Layers of the engine, nodes of the network, and what the builder said of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "parsers/model/shared_value.h"
#include "parsers/model/tensor.h"

namespace trtlens {

struct LayerTime {
  double mean_ms = 0;               // profile `averageMs`, or the table's Avg. column
  std::optional<double> median_ms;  // 8.4+
  std::optional<double> total_ms;   // over all iterations
  double quantum_ms = 0;            // value of the last printed digit of mean_ms
};

// Which inputs name a layer; bits of Layer::found_in.
inline constexpr unsigned kFoundInLayerInfo = 1;
inline constexpr unsigned kFoundInProfile = 2;
inline constexpr unsigned kFoundInLog = 4;

struct Layer {
  SharedText name;
  SharedText layer_type;      // implementation: CaskConvolution, Reformat, kgen, …
  SharedText parameter_type;  // operation: Convolution, Reformat, …; empty when not given
  SharedText origin;          // Reformat: REFORMAT, QDQ, CONCAT, SLICE, CAST
  SharedText tactic_name;
  std::optional<std::uint64_t> tactic_id;
  std::vector<Tensor> inputs, outputs;
  std::optional<Weights> weights, bias;
  std::optional<std::int64_t> groups, out_maps;
  Dims kernel, stride;
  SharedText activation;
  SharedText plugin_type;
  SharedText metadata;                 // as written
  std::vector<SharedText> onnx_nodes;  // from Metadata, else from the grammar of fused names
  std::optional<int> stream_id;
  int opt_profile = 0;  // N of the suffix "[profile N]"
  // Two of every four are zero, for a sparse kernel. Between two ints it takes no room: an engine
  // has up to 200000 layers.
  std::optional<bool> sparse_weights;
  std::optional<LayerTime> time;
  unsigned found_in = 0;  // kFoundIn…
  SourcePos pos;          // where the first input names it
};

// The operators in the name of a kernel that Myelin generated: Add, Maxr, Sub, Exp, Sum of
// "__myl_AddMaxrSubExpSum_myl0_9", and of its tactic "__myl_AddMaxrSubExpSum_0x574a…". None in any
// other name. "Etc" stands at the end of a list that was cut.
[[nodiscard]] std::vector<std::string_view> myelin_operators(std::string_view name);
// Whether these stand among them, one behind the other.
[[nodiscard]] bool has_operators(const std::vector<std::string_view>& operators,
                                 std::initializer_list<std::string_view> run);

// ONNX nodes from the grammar of fused names: `A + B`, `A || B`, `PWN(A, B)`,
// `{ForeignNode[first...last]}` (its two ends), `[OP]-[aten…]-[path]`. In order, each once.
// A reformat, a copy and a kernel with a generated name have none. Initializers, broadcasts and
// `(Unnamed Layer* N) [Kind]` are named only when the layer holds nothing else.
[[nodiscard]] std::vector<SharedText> onnx_nodes_of_name(const SharedText& name);

// Where the builder put a layer: "[DlaLayer] {ForeignNode[…]}", "[GpuLayer] SHUFFLE: Reshape_2".
struct Placement {
  std::string layer;
  bool on_dla = false;
  SourcePos pos{};
};

// Layers that sparse kernels could compute, and that they do: as many as the lines "(Sparsity) …"
// name or, from 10.x on, count.
struct SparseLayers {
  std::optional<std::uint64_t> eligible, chosen;
  SourcePos eligible_pos, chosen_pos;  // of the first such line
};

struct OnnxNode {
  std::string name, op;
  std::vector<Tensor> inputs, outputs;
  SourcePos pos;  // of its `inputs:` line
};

struct MissingScale {
  std::string tensor;
  std::uint64_t count = 1;
  SourcePos pos;
};

// "Rejecting some int8 implementation of layer X due to missing int8 scales for tensor T"
struct RejectedInt8 {
  std::string layer, tensor;
  SourcePos pos;
};

struct LayerNote {
  std::string layer;
  std::string text;
  SourcePos pos;
};

}  // namespace trtlens
