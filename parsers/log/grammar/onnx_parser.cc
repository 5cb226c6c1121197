// The ONNX parser's lines. onnx-tensorrt ModelImporter.cpp, builtin_op_importers.cpp, 7.0 to 10.x.
#include <algorithm>
#include <utility>

#include "parsers/log/grammar/extract.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

// Where "]], " begins; 7.1 and older do not say the type: "[x -> (1, 3)], ".
std::size_t end_of_tensor(std::string_view text) {
  static constexpr WordSearch kEnd("], ");
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  do {
    at = kEnd.first(at + 1, end);
  } while (at != nullptr && at[-1] != ']' && at[-1] != ')');
  return at == nullptr ? std::string_view::npos : static_cast<std::size_t>(at - text.data() - 1);
}

// "[x:0 -> (-1, 1, 28, 28)[FLOAT]], [w -> (32, 1, 5, 5)[FLOAT]], [optional input, not set], "
std::vector<Tensor> tensors_of(RunBuilder& b, std::string_view text) {
  constexpr std::string_view kNotSet = "optional input, not set";
  std::vector<Tensor> tensors;
  if (!text.empty()) tensors.reserve(3);  // data, scale and zero point; data, weights and bias
  while (!text.empty() && text[0] == '[') {
    if (text.substr(1, kNotSet.size()) == kNotSet) {
      text.remove_prefix(std::min(text.size(), kNotSet.size() + 4));
      continue;
    }
    const std::size_t end = end_of_tensor(text);
    const std::string_view item = text.substr(1, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 4);
    const std::size_t arrow = item.find(" -> (");
    if (arrow == std::string_view::npos) continue;
    Tensor tensor;
    tensor.name = b.shared_text(item.substr(0, arrow));
    std::string_view rest = item.substr(arrow + 5);
    const std::size_t close = rest.find(')');
    if (close != std::string_view::npos) b.shared_dims(rest.substr(0, close), tensor);
    if (close != std::string_view::npos && rest.substr(close, 2) == ")[") {
      rest.remove_prefix(close + 2);
      tensor.type = b.shared_format(rest.substr(0, rest.find(']'))).second;
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void on_node_io(RunBuilder& b, const Match& m) {
  OnnxNode& node = b.onnx_node(m[0], m.pos);
  node.op = m[1];
  node.pos = m[2] == "inputs" || node.pos.line == 0 ? m.pos : node.pos;
  (m[2] == "inputs" ? node.inputs : node.outputs) = tensors_of(b, m[3]);
}

void on_node(RunBuilder& b, const Match& m) {
  b.onnx_node(m[0], m.pos).op = m[1];
}

void on_network_input(RunBuilder& b, const Match& m) {
  IoTensor io;
  io.tensor.name = m[0];
  io.tensor.type = data_type_of(m.str(1));
  read_dims(m[2], io.tensor);
  io.network_dims = io.tensor.dims;
  b.io_tensor(std::move(io));
}

void on_header(RunBuilder& b, const Match& m) {
  b.build.banner["ONNX/" + m.str(0)] = m.str(1);
  b.has_network = true;
}

void on_begin_node(RunBuilder& b, const Match&) {
  b.section = LogSection::onnx_node;
}

void on_file_error(RunBuilder& b, const Match& m) {
  b.message(LogSeverity::error, m.line->body, m.pos);
}

// "Conv__25 [Conv] inputs: …" with `key` = "] inputs:"; a constant has none, and a page that
// strips the ends of lines leaves not even the blank.
bool extract_node_io(std::string_view before, const WordSearch& key, std::string_view behind,
                     Match& m) {
  if (key.first(behind.data(), behind.data() + behind.size()) != nullptr) return false;
  const std::size_t open = before.rfind(" [");
  if (open == std::string_view::npos) return false;
  m.fields = 4;
  m.field[0] = before.substr(0, open);
  m.field[1] = before.substr(open + 2);
  m.field[2] = key.word().substr(2, key.word().size() - 3);
  m.field[3] = behind;
  if (!m.field[3].empty() && m.field[3].front() == ' ') m.field[3].remove_prefix(1);
  // With other text around the tensors the line may be of a kind that stands before this one.
  const std::string_view tensors = m.field[3];
  if (!tensors.empty() &&
      (tensors.front() != '[' || !(tensors.ends_with("], ") || tensors.ends_with("],")))) {
    return false;
  }
  // "ModelImporter.cpp:123: Conv_16 [Conv] inputs: …" (7.x) and "Doc string: a [b] inputs: c" are
  // of kinds that stand before this one.
  return m.field[1].find(']') == std::string_view::npos &&
         m.field[0].find(": ") == std::string_view::npos;
}
bool extract_inputs(std::string_view before, std::string_view behind, Match& m) {
  static constexpr WordSearch kInputs("] inputs:");
  return extract_node_io(before, kInputs, behind, m);
}
bool extract_outputs(std::string_view before, std::string_view behind, Match& m) {
  static constexpr WordSearch kOutputs("] outputs:");
  return extract_node_io(before, kOutputs, behind, m);
}

// "Conv__25 [Conv]"
bool extract_node(std::string_view /*before*/, std::string_view behind, Match& m) {
  static constexpr WordSearch kOpen(" [");
  const char* const open = kOpen.last(behind.data(), behind.data() + behind.size());
  if (open == nullptr || behind.back() != ']') return false;
  const auto at = static_cast<std::size_t>(open - behind.data());
  m.fields = 2;
  m.field[0] = behind.substr(0, at);
  m.field[1] = behind.substr(at + 2, behind.size() - at - 3);
  return true;
}

// "tensor: x:0 for ONNX tensor: x:0"
bool extract_register(std::string_view /*before*/, std::string_view behind, Match& m) {
  static constexpr WordSearch kFor(" for ONNX ");
  Taker line(behind);
  if (!line.literal("tensor: ") && !line.literal("layer: ") && !line.literal("constant layer: ")) {
    return false;
  }
  const std::string_view name = line.rest();
  const char* const at = kFor.last(name.data(), name.data() + name.size());
  if (at == nullptr || at == name.data()) return false;
  const auto size = static_cast<std::size_t>(at - name.data());
  Taker onnx(name.substr(size + kFor.word().size()));
  m.fields = 2;
  m.field[0] = name.substr(0, size);
  if (!onnx.literal("tensor: ") && !onnx.literal("node: ") && !onnx.literal("initializer: ")) {
    return false;
  }
  m.field[1] = onnx.rest();
  return true;
}

// 7.0 to 7.2 put their source position in front of every message: what follows is read as later
// versions print it.
void on_located(RunBuilder& b, const Match& m) {
  Match inner;
  inner.line = m.line;
  inner.pos = m.pos;
  const LineKind* kind = LineKindTable::instance().find(m[0], LogSection::none, false, inner).kind;
  if (kind == nullptr) return;
  if (kind->apply != nullptr) kind->apply(b, inner);
  if ((kind->flags & kKeep) != 0) b.message(m.line->severity, m[0], m.pos);
}

void on_ir_version(RunBuilder& b, const Match& m) {
  if (m.line->severity == LogSeverity::unknown) b.speaker(true);
  b.message(LogSeverity::warning, m.line->body, m.pos);
}

constexpr LineKind kOnnxParserKinds[] = {
    {"onnx-opset-old", Gate::prefix, "TensorRT supports ONNX graphs generated with at least",
     "TensorRT supports ONNX graphs generated with at least opset (\\d+)\\..*", nullptr,
     "TensorRT supports ONNX graphs generated with at least opset 7. Models using older opsets are "
     "not guaranteed to work.",
     "TensorRT supports ONNX graphs generated with at least opset X", kKeep},
    // 6.x and 7.x: the parser's own words to standard error, without a header.
    {"onnx-ir-version", Gate::infix, "ONNX model has a newer ir_version",
     "(?:.*WARNING: )?ONNX model has a newer ir_version \\(\\S+\\) than this parser was built "
     "against "
     "\\(\\S+\\)\\.",
     on_ir_version,
     "WARNING: ONNX model has a newer ir_version (0.0.7) than this parser was built against "
     "(0.0.3).",
     "ONNX model has a newer ir_version", kBare},
    {"onnx-rule", Gate::prefix, "-----", "-{20,}", nullptr,
     "----------------------------------------------------------------",
     "----- end of the model -----", kNoise | kBare},
    // What protobuf makes of no bytes; the parsers of 8 and 9 go on.
    {"onnx-header-of-nothing", Gate::prefix, "ONNX IR version:", "(ONNX IR version): +(0\\.0\\.0)",
     on_header, "ONNX IR version:  0.0.0", "ONNX IR version:  0.0.7", kBare | kKeep},
    {"onnx-header", Gate::infix, ": ",
     "(Input filename|ONNX IR version|Opset version|Producer name|Producer version|Domain|Model "
     "version|Doc string): *(.*)",
     on_header, "Opset version:    17", "Author name: nobody", kBare},
    {"onnx-header-empty", Gate::suffix, ":",
     "(Input filename|Domain|Doc string|Producer name|Producer version):()", on_header,
     "Domain:", "Nothing:", kBare},
    {"located", Gate::infix, ".cpp:",
     "(?:\\S*/)?(?:ModelImporter|builtin_op_importers)\\.cpp:\\d+: ((?:Parsing node|Adding network "
     "input): .+|Marking .+|(?:No importer registered for op|Searching for plugin|Successfully "
     "created plugin): .+|.* \\[[^\\]]*\\] (?:inputs|outputs): .*)",
     on_located, "ModelImporter.cpp:107: Parsing node: Conv_16 [Conv]",
     "ModelImporter.cpp:123: Searching for input: 422", kProgress},
    {"located-note", Gate::infix, ".cpp:",
     "(?:\\S*/)?(?:ModelImporter|builtin_op_importers|onnx2trt_utils)\\.cpp:\\d+: (?:Searching for "
     "input|Importing initializer|Convolution (?:input|output) dimensions|Using (?:kernel|Gather "
     "axis)|GEMM|Original shape|Weight at index \\d+|Running \\w+ layer with|.*: broadcasting "
     "input\\d).*",
     nullptr, "ModelImporter.cpp:123: Searching for input: 422",
     "ModelImporter.cpp:107: Parsing node: Conv_16 [Conv]", kNoise | kOpens},
    {"located-register", Gate::infix, ".hpp:",
     "(?:\\S*/)?ImporterContext\\.hpp:\\d+: Registering (?:layer|tensor|constant layer): .+",
     nullptr, "ImporterContext.hpp:97: Registering tensor: 422 for ONNX tensor: 422",
     "ImporterContext.hpp:97: Skipping tensor: 422", kNoise},
    {"network-input", "Adding network input: (.+) with dtype: (\\w+), dimensions: \\((.*)\\)",
     on_network_input, "Adding network input: x:0 with dtype: float32, dimensions: (-1, 1, 28, 28)",
     "Adding network input: x with dtype: float32"},
    {"node-parse", "Parsing node: (.*) \\[(.*)\\]", on_node, "Parsing node: Conv__25 [Conv]",
     "Parsing node: Conv__25", kProgress | kDeferred | kVerbose, LogSection::any, extract_node},
    {"node-check", "Static check for parsing node: (.*) \\[(.*)\\]", on_node,
     "Static check for parsing node: Conv__25 [Conv]", "Static check for parsing node: Conv__25",
     kDeferred},
    {"node-io", Gate::infix, "] inputs:", "(.*) \\[([^\\]]*)\\] (inputs): ?(.*)", on_node_io,
     "Conv__25 [Conv] inputs: [x:0 -> (-1, 1, 28, 28)[FLOAT]], [w -> (32, 1, 5, 5)[FLOAT]], ",
     "Conv__25] inputs: [x -> (1)[FLOAT]], ", kDeferred, LogSection::any, extract_inputs},
    {"node-outputs", Gate::infix, "] outputs:", "(.*) \\[([^\\]]*)\\] (outputs): ?(.*)", on_node_io,
     "Conv__25 [Conv] outputs: [y -> (-1, 32, 28, 28)[FLOAT]], ",
     "Conv__25] outputs: [y -> (1)[FLOAT]], ", kDeferred, LogSection::any, extract_outputs},
    {"initializer", "Importing initializer: (.*)", nullptr, "Importing initializer: w4/read:0",
     nullptr, kNoise},
    {"input-search", "Searching for input: (.*)", nullptr, "Searching for input: x:0", nullptr,
     kNoise},
    {"register",
     "Registering (?:layer|tensor|constant layer): (.+) for ONNX (?:node|tensor|initializer): (.*)",
     nullptr, "Registering layer: Conv__25 for ONNX node: Conv__25",
     "Registering nvinfer1::Relu for TensorRT safety.", kNoise | kVerbose, LogSection::any,
     extract_register},
    {"register-helper", "Registering layer: (.+) required by ONNX-TRT", nullptr,
     "Registering layer: ONNXTRT_Broadcast_2 required by ONNX-TRT",
     "Registering layer: a for ONNX node: a", kNoise},
    {"weight-clamped", "Weight at index \\d+: \\S+ is out of range\\. Clamping to: (\\S+)", nullptr,
     "Weight at index 0: 9223372036854775807 is out of range. Clamping to: 2147483647",
     "Weight at index 0: 1e40", kNoise},
    {"int64-binding", Gate::infix, " has Int64 binding.",
     "(?:.*\\.cpp:\\d+: )?Make sure (input|output) (.+) has Int64 binding\\.", nullptr,
     "ModelImporter.cpp:420: Make sure input x has Int64 binding.", "Output z has Int64 binding.",
     kKeep},
    // Its later lines have no header: "Transformation mode: asymmetric".
    {"import-block",
     "Running (?:resize|upsample|deconvolution|convolution|pooling) (?:layer )?with: ?.*", nullptr,
     "Running resize layer with: ", "Running ConstShuffleFusion on constant1024", kNoise | kOpens},
    {"broadcast", Gate::infix, ": broadcasting input",
     "(.*): broadcasting input\\d to make tensors conform.*", nullptr,
     "/qkv/MatMul: broadcasting input1 to make tensors conform, dims(input0)=[1,2][NONE] "
     "dims(input1)=[1,2][NONE].",
     "add: broadcasting input of the first kind", kNoise},
    {"import-geometry", "Using (?:kernel: \\(.*|Gather axis: -?\\d+|.* axis: .*)", nullptr,
     "Using kernel: (3, 3), strides: (2, 2), prepadding: (1, 1), postpadding: (1, 1), dilations: "
     "(1, 1), numOutputs: 128",
     "Using cuDNN as plugin tactic source", kNoise},
    {"import-note", Gate::prefix, "GlobalAveragePool operators ",
     "GlobalAveragePool operators are implemented via Reduce layers.+", nullptr,
     "GlobalAveragePool operators are implemented via Reduce layers rather than Pooling layers",
     "GlobalAveragePool operators are slow", kNoise},
    // Of a convolution's bias, an RNN's states, a Resize; 7.x also of the activation memory.
    {"import-size", "Block size:? (\\d+).*", nullptr, "Block size 1073741824", "Block sizes vary",
     kNoise},
    {"import-shape", Gate::infix, " shape",
     "(?:Bias shape is|After reduction, bias shape is|Input shape|(?:Initial "
     ")?(?:[Hh]idden|[Cc]ell) "
     "state shape|(?:Forward|Reverse) pass shape): ?(.*)",
     nullptr, "Initial hidden state shape: (1, 8, 64)", "The shape of things: round", kNoise},
    {"import-bias", "Reshaping bias to: ?(.+)", nullptr, "Reshaping bias to: (1, 8)",
     "Reshaping bias to:", kNoise},
    {"import-loop", "Entering Loop(?: .*)?", nullptr, "Entering Loop", "Entering Loops", kNoise},
    {"import-loop-value", Gate::prefix, "For s",
     "For (?:state variable|scan) output: (.+), found matching tensor: (.+), with shape: (.+)",
     nullptr, "For state variable output: y:0, found matching tensor: y:0, with shape: (1, -1)",
     "For scan output: y, found matching tensor: y", kNoise},
    {"import-cast",
     "Casting (?:to type: \\w+|BatchNormalization parameters to the same type as input .+)",
     nullptr, "Casting to type: bool", "Casting to type: ", kNoise},
    {"import-found", "Found (?:mixed input types in POW operation .+|no-op pad in node: .+)",
     nullptr, "Found no-op pad in node: Pad_3", "Found no-op pad in node ", kNoise},
    // 10.x: records of their own.
    {"import-mode", Gate::infix, " mode: ", "\\s*(?:Transformation|Resize) mode: (\\w+)", nullptr,
     "    Transformation mode: asymmetric", "Power mode: 30W", kNoise},
    {"uff-parser", "UFFParser: (?:parsing|Applying order forwarding to:) (.+)", nullptr,
     "UFFParser: parsing input_image", "UFFParser: Unsupported number of graph 0", kNoise},
    {"import-resize", "Resize layer info: ?(.+)", nullptr, "Resize layer info: nearest",
     "Resize layer info:", kNoise | kOpens},
    {"import-recurrence", Gate::infix, " -> ", "(?:intermediate|[a-zA-Z])\\(t(?:-1)?\\).* -> (.*)",
     nullptr, "H(t-1) * R^T -> (1, 8, 256)", "f(x) -> (1, 8, 256)", kNoise},
    // 7.0 at [I]: what each node makes.
    {"node-result", Gate::infix, " -> (", "(.+):(\\w+) -> \\(([0-9, -]*)\\)", nullptr,
     "Convolution28_Output_0:Conv -> (8, 28, 28)", "x -> (1, 3)"},
    {"graph-nodes", "GRAPH NODES",
     [](RunBuilder& b, const Match&) { b.section = LogSection::graph_nodes; }, "GRAPH NODES",
     "GRAPH NODES and more", kNoise},
    {"symbolic-checks", "SYMBOLIC CHECKS", nullptr, "SYMBOLIC CHECKS", "SYMBOLIC CHECKS and more",
     kNoise},
    {"graph-node", Gate::prefix, "", "(?:[A-Z][A-Z0-9_]+ .+|    (?:Input|Output) \\d+| {8}.*)",
     nullptr, "CONSTANT input_s", "constant in lower case", kNoise, LogSection::graph_nodes},
    {"mark-output", "Marking (.+) as (?:an )?(?:shape )?output(?:: (.*))?",
     [](RunBuilder& b, const Match& m) {
       IoTensor io;
       io.is_input = false;
       io.tensor.name = m[1].empty() ? m.str(0) : m.str(1);
       b.io_tensor(std::move(io));
     },
     "Marking z:0_0 as output: z:0", "Marking y"},
    {"no-importer", "No importer registered for op: (\\S+)\\. Attempting to import as plugin\\.",
     nullptr, "No importer registered for op: LayerNormalization. Attempting to import as plugin.",
     "No importer registered for op: LayerNormalization. Attempting to import as", kKeep},
    // 10.x
    {"no-checker", "No checker registered for op: (\\S+)\\. Attempting to check as plugin\\.",
     nullptr, "No checker registered for op: grid_sampler. Attempting to check as plugin.",
     "No checker registered for op: grid_sampler. Attempting to check as", kKeep},
    {"plugin-search", "Searching for plugin: (.+)", nullptr,
     "Searching for plugin: X, plugin_version: 1, plugin_namespace: ", "Searching for plugin: ",
     kKeep},
    {"plugin-made", "Successfully created plugin: (.+)", nullptr,
     "Successfully created plugin: AddScalar", "Successfully created plugin: ", kKeep},
    {"local-function", Gate::prefix, "Found regisitered local function",
     "Found regisitered local function: (.*)", nullptr,
     "Found regisitered local function: LayerNorm. Checking as a local function.",
     "Found regisitered local function:", kNoise},
    {"node-error", Gate::infix, "While parsing node number ",
     "(?:.*\\.cpp:\\d+: )?While parsing node number (\\d+) \\[(.*) -> \"(.*)\"\\]:", on_begin_node,
     "ModelImporter.cpp:726: While parsing node number 19 [InstanceNormalization -> "
     "\"/u2/out\"]:",
     "While parsing node number three", kBare | kOpens | kKeep},
    {"node-dump-begin", Gate::infix, "--- Begin node ---", "(?:.*\\.cpp:\\d+: )?--- Begin node ---",
     on_begin_node, "ModelImporter.cpp:727: --- Begin node ---", "x: --- Begin node ---",
     kOpens | kBare | kKeep},
    {"node-dump-first", Gate::infix, ": input: \"", "(?:.*\\.cpp:\\d+: )input: \".*\"", nullptr,
     "ModelImporter.cpp:728: input: \"/u2/u2.0/Conv_output_0\"", "ModelImporter.cpp: input: \"x\"",
     kOpens | kNoise},
    {"node-dump-end", Gate::infix, "--- End node ---", "(?:.*\\.cpp:\\d+: )?--- End node ---",
     [](RunBuilder& b, const Match&) { b.section = LogSection::none; },
     "ModelImporter.cpp:729: --- End node ---", "--- End node --- x", kBare | kKeep},
    {"parser-error", Gate::infix, " In function ",
     "(?:.*\\.cpp:\\d+: )?ERROR: \\S+:\\d+ In function (\\w+):", on_file_error,
     "ModelImporter.cpp:732: ERROR: builtin_op_importers.cpp:2183 In function "
     "importInstanceNormalization:",
     "ERROR: In function main", kOpens | kBare},
    // Printed to cout by onnx-tensorrt, without any header.
    {"onnx-open-failed", "Could not open file (.+)", on_file_error,
     "Could not open file models/does_not_exist.onnx", "Could not open file ", kBare | kAnybodys},
    {"protobuf", "\\[libprotobuf (?:ERROR|FATAL|WARNING) [^\\]]*\\] .*", on_file_error,
     "[libprotobuf ERROR google/protobuf/text_format.cc:298] Error parsing text-format "
     "onnx2trt_onnx.ModelProto: 1:1: Invalid control characters encountered in text.",
     "[libprotobuf INFO x.cc:1] text", kBare | kAnybodys},
};

}  // namespace

LineKinds kinds_of_onnx_parser() {
  return kOnnxParserKinds;
}

}  // namespace trtlens
