// Layers in the log: `Layer Information:` (trtexec, 8.2+), `Engine Layer Information:` (builder),
// and the inspector's I/O tensors (11.x, TensorRT-RTX). Later physical lines of one message: no
// header.
#include <algorithm>
#include <utility>

#include "parsers/log/grammar/layer_text.h"
#include "parsers/log/grammar/line_kind.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/constants.h"
#include "parsers/text/numbers.h"

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
  layer.outputs = tensors_of_oneline(b, m[4]);
  read_oneline_attributes(m[5], layer);
  if (!m[3].empty()) take_constants(layer, tensors_of_oneline(b, m[3]));
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
  read_dims(m[3], io.tensor);
  b.io_tensor(std::move(io));
}

constexpr LineKind kLayersKinds[] = {
    {"layer-information", "Layer Information:", nullptr,
     "Layer Information:", "Layer Information: and more", kNoise | kOpens},
    {"layers", "Layers:", [](RunBuilder& b, const Match&) { b.section = LogSection::layer_names; },
     "Layers:", "Layers: 12", kNoise | kOpens | kBare},
    {"engine-layer-information", "Engine Layer Information:",
     [](RunBuilder& b, const Match&) { b.section = LogSection::engine_layers; },
     "Engine Layer Information:", "Engine Layer Information: and more", kNoise | kOpens},
    {"layer-oneline", Gate::prefix, "Name: ",
     // A list ends behind its last " }": dimensions have brackets too.
     "Name: (.*), LayerType: (\\w+), Inputs: \\[ ?(\\{.*?\\}|) ?\\](?:, Constants: \\[(.*?)\\])?, "
     "Outputs: \\[ ?(\\{.*?\\}|) ?\\](|, .*)",
     on_oneline,
     "Name: conv1, LayerType: CaskConvolution, Inputs: [ { Name: x, Location: Device, Dimensions: "
     "[1,1,28,28], Format/Datatype: Float }], Outputs: [ { Name: y, Location: Device, Dimensions: "
     "[1,32,28,28], Format/Datatype: Float }], ParameterType: Convolution, Groups: 1, TacticName: "
     "sm80_xmma, TacticValue: 0x5b8bf1b8028629d9, StreamId: 0, Metadata: [ONNX Layer: conv1]",
     "Name: x, IOMode: Input, DataType: Float, Dimensions: [1]", kBare | kDeferred | kVerbose},
    // Sources print two blanks before "->", sinks nothing behind it; "->" may stand in names.
    {"engine-layer", "Layer\\((\\w+)\\): (.*), Tactic: (-?\\d+|0x[0-9a-f]+), (.*?) ?->(?: (.*))?",
     on_engine_layer,
     "Layer(CaskConvolution): Conv__25 + Relu, Tactic: 0x5b8bf1b8028629d9, x:0 (Float[1,1,28,28]) "
     "-> Relu:0 (Float[1,32,28,28])",
     "Layer(Cask Convolution): Conv_0, Tactic: 0x1, x -> y", kBare | kDeferred | kVerbose},
    {"bindings", "Bindings:", on_bindings, "Bindings:", "Bindings: 2", kNoise | kBare | kOpens},
    {"io-tensors", "I/O Tensors:", on_bindings, "I/O Tensors:", "I/O Tensors: and more",
     kNoise | kBare | kOpens},
    {"engine-metadata", "Engine Metadata:", nullptr,
     "Engine Metadata:", "Engine Metadata: and more", kNoise | kBare | kOpens},
    {"io-tensor",
     " Name: (.*), IOMode: (Input|Output), DataType: (\\w+), Dimensions: \\[(.*?)\\].*",
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
    {"layer-name", Gate::prefix, "", "(.+)",
     [](RunBuilder& b, const Match& m) { b.layer(m[0], m.pos); }, "Conv-1 + ReLU-2", "",
     kBare | kLast, LogSection::layer_names},
};

}  // namespace

LineKinds kinds_of_layers() {
  return kLayersKinds;
}

}  // namespace trtlens
