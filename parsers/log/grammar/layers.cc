// Layers in the log: `Layer Information:` (trtexec, 8.2+), `Engine Layer Information:` (builder),
// and the inspector's I/O tensors (11.x, TensorRT-RTX). Later physical lines of one message: no
// header.
#include <algorithm>
#include <iterator>
#include <utility>

#include "parsers/log/grammar/extract.h"
#include "parsers/log/grammar/layer_text.h"
#include "parsers/log/grammar/numbers.h"
#include "parsers/log/runs/run_builder.h"

namespace trtlens {
namespace {

void on_engine_layer(RunBuilder& b, const Match& m) {
  Layer& layer = b.layer(m[1], m.pos);
  if (layer.layer_type.empty()) layer.layer_type = m[0];
  if (!layer.tactic_id) layer.tactic_id = tactic_id_of(m[2]);
  if (layer.inputs.empty()) layer.inputs = tensors_of_layer_line(b, m[3]);
  if (layer.outputs.empty()) layer.outputs = tensors_of_layer_line(b, m[4]);
}

void on_oneline(RunBuilder& b, const Match& m) {
  Layer& layer = b.layer(m[0], m.pos);
  layer.layer_type = m[1];
  layer.inputs = tensors_of_oneline(b, m[2]);
  layer.outputs = tensors_of_oneline(b, m[3]);
  read_oneline_attributes(m[4], layer);
}

void on_layer_name(RunBuilder& b, const Match& m) {
  b.layer(m[0], m.pos);
}

void on_bindings(RunBuilder& b, const Match&) {
  b.section = LogSection::none;
}

void on_io_tensor(RunBuilder& b, const Match& m) {
  IoTensor io;
  io.tensor.name = m[0];
  io.is_input = m[1] == "Input";
  io.tensor.format = m[2];
  io.tensor.type = data_type_of(m.str(2));
  io.tensor.dims = dims_of(m[3]);
  io.tensor.has_dims = true;
  b.io_tensor(std::move(io));
}

// "Layer(T): NAME, Tactic: ID, INPUTS -> OUTPUTS": the name ends at the last tactic, the inputs at
// the first arrow.
bool extract_engine_layer(std::string_view body, Match& m) {
  constexpr std::string_view kTactic = ", Tactic: ";
  Taker line(body);
  if (!line.literal("Layer(") || !line.word(m.field[0]) || !line.literal("): ")) return false;
  const std::string_view text = line.rest();
  const std::size_t tactic = text.rfind(kTactic);
  if (tactic == std::string_view::npos) return false;
  m.field[1] = text.substr(0, tactic);
  Taker behind(text.substr(tactic + kTactic.size()));
  if (!behind.tactic_id(m.field[2]) || !behind.literal(", ")) return false;
  const std::string_view tensors = behind.rest();
  const std::size_t arrow = tensors.find("->");
  if (arrow == std::string_view::npos) return false;
  const bool blank = arrow > 0 && tensors[arrow - 1] == ' ';
  const std::string_view outputs = tensors.substr(arrow + 2);
  if (!outputs.empty() && outputs[0] != ' ') return false;
  m.fields = 5;
  m.field[3] = tensors.substr(0, blank ? arrow - 1 : arrow);
  m.field[4] = outputs.empty() ? outputs : outputs.substr(1);
  return true;
}

// "{ … }" or nothing, with or without a blank at its ends.
bool is_list(std::string_view& text) {
  if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text.empty() || (text.size() > 1 && text.front() == '{' && text.back() == '}');
}

// Lines in which each key stands once, so that there is one way to read them.
bool extract_oneline(std::string_view body, Match& m) {
  constexpr std::string_view kType = ", LayerType: ", kOutputs = "], Outputs: [";
  Taker line(body);
  if (!line.literal("Name: ")) return false;
  const std::string_view text = line.rest();
  const std::size_t type = text.find(kType), outputs = text.find(kOutputs);
  if (outputs == std::string_view::npos || type >= outputs || text.rfind(kType) != type ||
      text.rfind(kOutputs) != outputs) {
    return false;
  }
  m.fields = 5;
  m.field[0] = text.substr(0, type);
  Taker inputs(text.substr(type + kType.size(), outputs - type - kType.size()));
  if (!inputs.word(m.field[1]) || !inputs.literal(", Inputs: [")) return false;
  m.field[2] = inputs.rest();
  if (m.field[2].find(", Constants: [") != std::string_view::npos || !is_list(m.field[2])) {
    return false;
  }
  const std::string_view rest = text.substr(outputs + kOutputs.size());
  for (std::size_t end = rest.find(']'); end != std::string_view::npos;
       end = rest.find(']', end + 1)) {
    m.field[3] = rest.substr(0, end);
    m.field[4] = rest.substr(end + 1);
    if (is_list(m.field[3]) && (m.field[4].empty() || m.field[4].substr(0, 2) == ", ")) return true;
  }
  return false;
}

constexpr LineKind kLayersKinds[] = {
    {"layer-information", Gate::prefix, "Layer Information:", "Layer Information:", nullptr,
     "Layer Information:", "Layer Information: and more", kNoise | kOpens},
    {"layers", Gate::prefix,
     "Layers:", "Layers:", [](RunBuilder& b, const Match&) { b.section = LogSection::layer_names; },
     "Layers:", "Layers: 12", kNoise | kOpens | kBare},
    {"engine-layer-information", Gate::prefix,
     "Engine Layer Information:", "Engine Layer Information:",
     [](RunBuilder& b, const Match&) { b.section = LogSection::engine_layers; },
     "Engine Layer Information:", "Engine Layer Information: and more", kNoise | kOpens},
    {"layer-oneline", Gate::prefix, "Name: ",
     // A list ends behind its last " }": dimensions have brackets too.
     "Name: (.*), LayerType: (\\w+), Inputs: \\[ ?(\\{.*?\\}|) ?\\](?:, Constants: \\[.*?\\])?, "
     "Outputs: \\[ ?(\\{.*?\\}|) ?\\](|, .*)",
     on_oneline,
     "Name: conv1, LayerType: CaskConvolution, Inputs: [ { Name: x, Location: Device, Dimensions: "
     "[1,1,28,28], Format/Datatype: Float }], Outputs: [ { Name: y, Location: Device, Dimensions: "
     "[1,32,28,28], Format/Datatype: Float }], ParameterType: Convolution, Groups: 1, TacticName: "
     "sm80_xmma, TacticValue: 0x5b8bf1b8028629d9, StreamId: 0, Metadata: [ONNX Layer: conv1]",
     "Name: x, IOMode: Input, DataType: Float, Dimensions: [1]", kBare | kDeferred, LogSection::any,
     extract_oneline},
    // Sources print two blanks before "->", sinks nothing behind it; "->" may stand in names.
    {"engine-layer", Gate::prefix, "Layer(",
     "Layer\\((\\w+)\\): (.*), Tactic: (-?\\d+|0x[0-9a-f]+), (.*?) ?->(?: (.*))?", on_engine_layer,
     "Layer(CaskConvolution): Conv__25 + Relu, Tactic: 0x5b8bf1b8028629d9, x:0 (Float[1,1,28,28]) "
     "-> Relu:0 (Float[1,32,28,28])",
     "Layer(Cask Convolution): Conv_0, Tactic: 0x1, x -> y", kBare | kDeferred, LogSection::any,
     extract_engine_layer},
    {"bindings", Gate::prefix, "Bindings:", "Bindings:", on_bindings, "Bindings:", "Bindings: 2",
     kNoise | kBare | kOpens},
    {"io-tensors", Gate::prefix, "I/O Tensors:", "I/O Tensors:", on_bindings,
     "I/O Tensors:", "I/O Tensors: and more", kNoise | kBare | kOpens},
    {"engine-metadata", Gate::prefix, "Engine Metadata:", "Engine Metadata:", nullptr,
     "Engine Metadata:", "Engine Metadata: and more", kNoise | kBare | kOpens},
    {"io-tensor", Gate::prefix,
     " Name: ", " Name: (.*), IOMode: (Input|Output), DataType: (\\w+), Dimensions: \\[(.*?)\\].*",
     on_io_tensor,
     " Name: input, IOMode: Input, DataType: Float, Dimensions: [256,1024], Location: Device, "
     "IsShapeInferenceIO: false, ProfileInfo: [ ]",
     " Name: input, IOMode: Both, DataType: Float, Dimensions: [1]", kBare},
    {"names-only-notice", Gate::prefix, "The profiling verbosity was set to",
     "The profiling verbosity was set to ProfilingVerbosity::(\\w+) when the engine was built.*",
     [](RunBuilder& b, const Match&) { b.build.layer_names_only = true; },
     "The profiling verbosity was set to ProfilingVerbosity::kLAYER_NAMES_ONLY when the engine was "
     "built, so only the layer names will be returned.",
     "The profiling verbosity was set to ProfilingVerbosity::kLAYER_NAMES_ONLY", kKeep},
    {"layer-name", Gate::prefix, "", "(.+)", on_layer_name, "Conv-1 + ReLU-2", "", kBare | kLast,
     LogSection::layer_names},
};

}  // namespace

LineKinds kinds_of_layers() {
  return {kLayersKinds, std::size(kLayersKinds)};
}

}  // namespace trtlens
