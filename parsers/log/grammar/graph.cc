// Passes over the graph: fusions, Q/DQ optimizer, formats chosen. Closed source; from real logs 7.x
// to 10.16.
#include <algorithm>

#include "parsers/log/grammar/extract.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

void on_streams(RunBuilder& b, const Match& m) {
  const std::optional<std::int64_t> n = whole_number(m[1]);
  if (!n) return;
  Inference& inference = b.build.inference;
  (m[0] == "aux streams" ? inference.aux_streams : inference.engine_streams) = n;
  if (m[0] == "total worker streams") inference.worker_streams = n;
}

void on_graph_time(RunBuilder& b, const Match& m) {
  b.build_stage(m[0].empty() ? "graph" : "graph " + m.str(0), m[1]);
}

void on_formats_time(RunBuilder& b, const Match& m) {
  b.build_stage("autotuning", m[0]);
  b.autotune.at_line(*m.line);
  b.autotune.finish();
  b.timed_layers.is_over = true;
}

void set_graph_layers(RunBuilder& b, std::string_view count) {
  if (const auto layers = count_of(count)) b.build.graph_layers = layers;
}

bool extract_default_params(std::string_view /*before*/, std::string_view behind, Match& m) {
  Taker line(behind);
  if (!line.literal(" because quantization data is missing for")) return false;
  line.literal(" ");
  m.fields = 1;
  m.field[0] = line.rest();
  return true;
}

// Of the network and of each of Myelin's graphs.
void add_sparse(std::uint64_t count, SourcePos line, std::optional<std::uint64_t>& sum,
                SourcePos& pos) {
  if (!sum) pos = line;
  sum = sum.value_or(0) + count;
}

std::uint64_t names_in(std::string_view list) {
  if (list.find_first_not_of(" :") == std::string_view::npos) return 0;
  return 1 + static_cast<std::uint64_t>(std::count(list.begin(), list.end(), ','));
}

void on_sparsity(RunBuilder& b, const Match& m) {
  SparseLayers& sparse = b.build.sparse;
  Taker text(m[0]);
  std::string_view n;
  if (text.literal("Layers eligible for sparse math")) {
    add_sparse(names_in(text.rest()), m.pos, sparse.eligible, sparse.eligible_pos);
  } else if (text.literal("TRT inference plan picked sparse implementation for layers")) {
    add_sparse(names_in(text.rest()), m.pos, sparse.chosen, sparse.chosen_pos);
  } else if (text.literal("Found ") && text.digits(n) &&
             text.literal(" layer(s) eligible to use sparse")) {
    add_sparse(count_of(n).value_or(0), m.pos, sparse.eligible, sparse.eligible_pos);
  } else if (text.literal("Chose ") && text.digits(n) && text.literal(" layer(s) using ")) {
    add_sparse(count_of(n).value_or(0), m.pos, sparse.chosen, sparse.chosen_pos);
  }
}

constexpr LineKind kGraphKinds[] = {
    {"fusion", Gate::infix, ": Fusing ", "(\\w+): Fusing (.+) with (.+)", nullptr,
     "ConvReluFusion: Fusing Conv__25 with Relu", "A pass: Fusing Conv_0", kProgress | kVerbose},
    // 7.x; 6.x and 7.0 do not name the pass.
    {"fusion-scale", Gate::prefix, "Fusing convolution weights ",
     "Fusing convolution weights from (.+) with scale (.+)", nullptr,
     "Fusing convolution weights from conv1 with scale conv1_bn",
     "Fusing convolution weights from conv1", kProgress},
    {"fusion-7", "Fusing (.+) with (.+)", nullptr,
     "Fusing (Unnamed Layer* 0) [Scale] with (Unnamed Layer* 1) [Scale]", "Fusing Conv_0",
     kProgress},
    {"qdq-fusion", "QuantizeDoubleInputNodes: fusing (.+) into (.+)", nullptr,
     "QuantizeDoubleInputNodes: fusing QuantizeLinear_7 into /conv1/Conv",
     "QuantizeDoubleInputNodes: fusing Q with CONV", kProgress | kVerbose},
    {"qdq-fusion-generic", "QuantizeGenericNodes: fusing (.+) into (.+)", nullptr,
     "QuantizeGenericNodes: fusing QuantizeLinear_67_clone_1 into PWN(/Sigmoid)",
     "QuantizeGenericNodes: fusing Q with PWN", kProgress | kVerbose},
    // 8.5 with Q/DQ: a convolution that the pass before it fused.
    {"configuration-modified", "Modifying configuration of (.+)", nullptr,
     "Modifying configuration of QuantizeLinear_2 + /s1/s1.0/Conv", "Modifying configuration of ",
     kNoise | kProgress},
    {"layer-type-swap", "Swap the layer type of (.+) from (\\w+) to (\\w+)", nullptr,
     "Swap the layer type of QuantizeLinear_0 from QUANTIZE to kQDQ", "Swap the layer type of X"},
    {"layer-type-convert", "Convert layer type of (.+) from (\\w+) to (\\w+)", nullptr,
     "Convert layer type of MatMul from FULLY_CONNECTED to CONVOLUTION", "Convert layer type of X",
     kNoise},
    {"pass-running", "Running: (\\w+)(?: on (.+))?", nullptr,
     "Running: ConstShuffleFusion on constant1024", "Running: two words",
     kNoise | kProgress | kVerbose},
    {"pass-step", "Removing (.+)", nullptr, "Removing (Unnamed Layer* 44) [Shuffle]", "Removing ",
     kNoise},
    {"pass-eliminate", "Eliminating (.+)", nullptr, "Eliminating concatenation X", "Eliminating ",
     kNoise},
    {"pass-swap", "Swapping (.+) with (.+)", nullptr,
     "Swapping DequantizeLinear_1 with /maxpool/MaxPool", "Swapping A", kNoise},
    {"pass-merge", "Merging (?:layers|nodes)?:? ?(.+)", nullptr, "Merging layers: A || B",
     "Merging ", kNoise},
    {"pass-retarget", "Retargeting (.+) to (.+)", nullptr, "Retargeting A to B", "Retargeting A to",
     kNoise},
    {"pass-copy", "Generating copy (?:for|before|after) (.+)", nullptr,
     "Generating copy for A to B because of stomping hazard.", "Generating copy of A", kNoise},
    {"pass-squeeze", Gate::prefix, "-----------SqueezePushDown", "-+SqueezePushDown (.+)", nullptr,
     "-----------SqueezePushDown kSQUEEZE_JOIN case: MatMul --> (Unnamed Layer* 19) [Shuffle] --> "
     "add_2",
     "-----------SqueezePushDown", kNoise},
    {"pass-split", "Trying to split (.+)", nullptr, "Trying to split Reshape and strided tensor",
     "Trying to split ", kNoise},
    {"pass-applying", "Applying (.+)", nullptr,
     "Applying generic optimizations to the graph for inference.", "Applying ", kNoise | kProgress},
    {"layers-original", "Original: (\\d+) layers?",
     [](RunBuilder& b, const Match& m) {
       b.has_network = true;
       b.timed_layers = {};
       set_graph_layers(b, m[0]);
     },
     "Original: 26 layers", "Original: 26"},
    {"layers-after", "After (.+): (\\d+) layers?",
     [](RunBuilder& b, const Match& m) { set_graph_layers(b, m[1]); },
     "After Myelin optimization: 20 layers", "After Myelin optimization: 20"},
    {"qdq-pass", Gate::infix, "QDQ ", "(?:QDQ|Q/DQ)(?: graph)? optimiz(?:er|ation).*", nullptr,
     "QDQ graph optimizer - constant folding of Q/DQ initializers", "QDQ pass", kNoise},
    {"graph-time",
     "Graph (construction and optimization|construction|optimization)? ?(?:time:|completed in) "
     "(\\S+) seconds\\.",
     on_graph_time, "Graph construction and optimization completed in 0.0066 seconds.",
     "Graph of 26 layers", kProgress},
    {"formats-time", "Formats and tactics selection completed in (\\S+) seconds\\.",
     on_formats_time, "Formats and tactics selection completed in 4.32999 seconds.",
     "Formats and tactics selection completed in 4.32999", kProgress},
    {"reformat-added", "Adding reformat layer: (.+) \\((.+)\\) from (.+) to (.+)", nullptr,
     "Adding reformat layer: Reformatted Output Tensor 0 to X (y) from Half((* 2 E0),1) to "
     "Float((* 2 E0),1)",
     "Adding reformat layer: Reformatted Input Tensor 0 to X"},
    {"non-conforming",
     "For layer (.+) a non-conforming implementation was chosen than was requested.*",
     [](RunBuilder& b, const Match& m) {
       b.build.non_conforming.push_back({m.str(0), "", m.pos});
     },
     "For layer Conv__25 + Relu a non-conforming implementation was chosen than was requested "
     "i.e. requested layer computation precision and output precision types were ignored because "
     "it resulted in faster network performance.",
     "For layer X a conforming implementation was chosen."},
    {"dla-heading", "---------- Layers Running on (DLA|GPU) ----------", nullptr,
     "---------- Layers Running on GPU ----------", "---------- Layers Running on GPU", kNoise},
    {"dla-layer", "\\[(Dla|Gpu)Layer\\] (.*)",
     [](RunBuilder& b, const Match& m) {
       b.build.placements.push_back({m.str(1), m[0] == "Dla", m.pos});
     },
     "[GpuLayer] CONVOLUTION: conv1", "[CpuLayer] conv1"},
    {"dla-none", "No layer is running on (DLA|GPU)", nullptr, "No layer is running on DLA",
     "No layer is running on CPU", kNoise},
    // 7.x: the lists are the next two messages, groups in braces for DLA, names for the GPU.
    {"dla-heading-7", Gate::prefix, "--------------- Layers running on ",
     "-+ Layers running on (DLA|GPU): ?", nullptr, "--------------- Layers running on DLA: ",
     "--------------- Layers running on DLA:  and more", kNoise},
    {"dla-groups", Gate::prefix, "{", "(?:\\{[^{}]+\\}, ?)+", nullptr, "{conv1,relu1}, {conv2}, ",
     "{conv1,relu1} and others"},
    {"dla-gpu-names", Gate::suffix, ", ", "(?:[^:]|:[^ ])+, ", nullptr,
     "Conv_0, 2253[Constant], (Unnamed Layer* 692) [Constant] + (Unnamed Layer* 693) [Shuffle], ",
     "Conv__25 [Conv] inputs: [x -> (1)[FLOAT]], ", kLast},
    {"dla-memory", Gate::prefix, "DLA Memory Pool Sizes: ",
     "DLA Memory Pool Sizes: Managed SRAM = (\\d+) MiB,? ?Local DRAM = (\\d+) MiB,? ?Global DRAM = "
     "(\\d+) MiB",
     nullptr,
     "DLA Memory Pool Sizes: Managed SRAM = 0 MiB, Local DRAM = 1024 MiB, Global DRAM = 512 MiB",
     "DLA Memory Pool Sizes: Managed SRAM = 0 MiB, Local DRAM = 1024 MiB, Global"},
    // 8.4 on, verbose.
    {"dla-offloaded", Gate::infix, " offloaded to DLA.", "(.+) successfully offloaded to DLA\\.",
     nullptr, "{ForeignNode[/conv1/Conv.../relu_2/Relu]} successfully offloaded to DLA.",
     "{conv1} successfully offloaded to DLA. And more", kKeep},
    {"dla-candidates", Gate::infix, "Number of DLA node candidates offloaded",
     "\\s*Number of DLA node candidates offloaded ?: ?(\\d+) out of (\\d+)", nullptr,
     "Number of DLA node candidates offloaded : 2 out of 2",
     "Number of DLA node candidates offloaded : some", kKeep},
    {"dla-consumption", "DLA Memory Consumption Summary:", nullptr,
     "DLA Memory Consumption Summary:", "DLA Memory Consumption Summary: none", kNoise},
    {"dla-required", Gate::infix, "Total memory required by accepted candidates",
     "\\s*Total memory required by accepted candidates ?: ?(.+ MiB)", nullptr,
     "\tTotal memory required by accepted candidates : Managed SRAM = 0 MiB,\tLocal DRAM = 0 MiB",
     "Total memory required by accepted candidates : unknown", kKeep},
    {"default-params", Gate::prefix, "Setting a default quantization params",
     "Setting a default quantization params because quantization data is missing for ?(.*)",
     nullptr, "Setting a default quantization params because quantization data is missing for X",
     "Setting a default quantization params because quantization data is missing", kNoise,
     LogSection::any, extract_default_params},
    {"kernel-weights", Gate::prefix, "Kernel weights are not set yet",
     "Kernel weights are not set yet\\. (.+)", nullptr,
     "Kernel weights are not set yet. Kernel weights must be set using setInput(1, kernel_tensor) "
     "API call.",
     "Kernel weights are not set yet", kNoise},
    {"host-io", "Reserving memory for (.+?)\\. (.+)", nullptr,
     "Reserving memory for host IO tensors. Host: 0 bytes", "Reserving memory for everything",
     kNoise},
    {"sparsity", Gate::infix, "(Sparsity) ", " ?(?:\\(foreignNode\\) )?\\(Sparsity\\) (.+:.*)",
     on_sparsity, "(Sparsity) Layers eligible for sparse math: MatMul_401", "(Sparsity) nothing",
     kKeep},
    // 8.5: "streams used", of which one is the caller's; later "total worker streams".
    {"streams",
     "\\[MS\\] (?:Number of (streams used|aux streams|total worker streams) is (\\d+)|.+)",
     on_streams, "[MS] Number of streams used is 3", "[MS] ", kKeep},
    {"dead-layer", "\\[RemoveDeadLayers\\] (.+)", nullptr,
     "[RemoveDeadLayers] Input Tensor position_ids is unused or used only at compile-time, but is "
     "not being removed.",
     "[RemoveDeadLayers] ", kKeep},
    {"graph-reduction", "\\[GraphReduction\\] (.+)", nullptr,
     "[GraphReduction] The approximate region cut reduction algorithm is called.",
     "[GraphReduction] ", kNoise},
    {"network-tensors", "Detected (\\d+) inputs? and (\\d+) output network tensors\\.", nullptr,
     "Detected 1 inputs and 2 output network tensors.", "Detected layernorm nodes in FP16: x",
     kNoise | kProgress},
};

}  // namespace

LineKinds kinds_of_graph() {
  return kGraphKinds;
}

}  // namespace trtlens
