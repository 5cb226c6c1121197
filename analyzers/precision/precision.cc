// The role of a layer from its types and name; its precision from tactic, weights and tensors.
#include "analyzers/precision/precision.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "analyzers/graph/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

struct TypeWord {
  std::string_view word;
  Precision precision;
};
// Words of xmma names, longest first where one begins another.
constexpr std::array<TypeWord, 13> kTypes = {{{"tf32", Precision::tf32},
                                              {"bf16", Precision::bf16},
                                              {"e4m3", Precision::fp8},
                                              {"e5m2", Precision::fp8},
                                              {"e2m1", Precision::fp4},
                                              {"f32", Precision::fp32},
                                              {"f16", Precision::fp16},
                                              {"f64", Precision::unknown},
                                              {"i32", Precision::int32},
                                              {"i8", Precision::int8},
                                              {"u8", Precision::int8},
                                              {"i4", Precision::int4},
                                              {"b1", Precision::unknown}}};

// "f16f32" -> FP16, FP32; empty when the token is anything but type words.
std::vector<Precision> types_of_token(std::string_view token) {
  std::vector<Precision> types;
  while (!token.empty()) {
    const auto found = std::ranges::find_if(
        kTypes, [&](const TypeWord& t) { return token.substr(0, t.word.size()) == t.word; });
    if (found == kTypes.end()) return {};
    types.push_back(found->precision);
    token.remove_prefix(found->word.size());
  }
  return types;
}

std::vector<std::string_view> tokens_of(std::string_view name) {
  std::vector<std::string_view> tokens;
  while (!name.empty()) {
    const std::size_t end = name.find('_');
    tokens.push_back(name.substr(0, end));
    if (end == std::string_view::npos) break;
    name.remove_prefix(end + 1);
  }
  return tokens;
}

// Three tokens of types in a row: in+out, multiply+accumulate (or accumulate alone), epilogue.
std::optional<Precision> of_type_triple(std::string_view name) {
  const std::vector<std::string_view> tokens = tokens_of(name);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::vector<Precision> io = types_of_token(tokens[i]);
    const std::vector<Precision> math = types_of_token(tokens[i + 1]);
    // conv2d_grouped_direct_f16f16f32: both operands and the accumulator in one token.
    if (io.size() == 3 && io[0] == io[1] && math.empty() && io[0] != Precision::unknown) {
      return io[0];
    }
    if (io.size() < 2 || math.empty()) continue;
    const Precision multiply = math.size() >= 2 ? math[0] : io[0];
    if (multiply != Precision::unknown) return multiply;
  }
  return std::nullopt;
}

// CUTLASS 3: gemm_f8_f8_f32_f16_f16, fprop_f16_f16_f32_…: the two operands, the accumulator, what
// is added and what is written.
std::optional<Precision> of_cutlass_types(std::string_view name) {
  const auto type_of = [](std::string_view token) {
    if (token == "f8") return Precision::fp8;
    if (token == "s8") return Precision::int8;
    if (token == "s32") return Precision::int32;
    const std::vector<Precision> types = types_of_token(token);
    return types.size() == 1 ? types[0] : Precision::unknown;
  };
  const std::vector<std::string_view> tokens = tokens_of(name);
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool begins =
        tokens[i].ends_with("gemm") || is_one_of(tokens[i], {"fprop", "dgrad", "wgrad"});
    if (!begins) continue;
    const Precision first = type_of(tokens[i + 1]);
    const bool all_types = type_of(tokens[i + 2]) != Precision::unknown &&
                           type_of(tokens[i + 3]) != Precision::unknown;
    if (first != Precision::unknown && all_types) return first;
  }
  return std::nullopt;
}

// cuBLASLt names its operands by letters: nvjet_tst and nvjet_sm100_tst are BF16, nvjet_hsh FP16,
// nvjet_qqtst FP8; all sum in FP32.
std::optional<Precision> of_cublaslt_letters(std::string_view name) {
  constexpr std::string_view kPrefix = "nvjet_";
  const std::size_t at = name.find(kPrefix);
  if (at == std::string_view::npos) return std::nullopt;
  name.remove_prefix(at + kPrefix.size());
  const bool names_gpu =
      name.size() > 2 && name.starts_with("sm") && name[2] >= '0' && name[2] <= '9';
  if (names_gpu) name.remove_prefix(std::min(name.find('_'), name.size() - 1) + 1);
  if (name.starts_with("qq")) return Precision::fp8;
  if (name.starts_with("hsh")) return Precision::fp16;
  if (name.starts_with("tst")) return Precision::bf16;
  return std::nullopt;
}

bool has(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// Names of cuDNN, cuBLAS, CUTLASS and hand-written kernels.
std::optional<Precision> of_other_name(const std::string& name) {
  // In `ue4m3xe2m1` and `ue8m0xe4m3` the first word is the type of the block scales.
  const std::size_t e4m3 = count(name, "e4m3") - count(name, "ue4m3");
  if (e4m3 > 0 || has(name, "e5m2") || has(name, "qmma") || has(name, "fp8")) {
    return Precision::fp8;
  }
  if (has(name, "e2m1")) return Precision::fp4;
  // i8816cudnn, imma, int8x4_icudnn, i16832: INT8 tensor cores or DP4A, whatever they write.
  if (has_word(name,
               {"icudnn", "imma", "IMMA", "i8816", "i16832", "int8x4", "i8_conv", "int8int8",
                "int8_NCxHW", "igemm", "fmha_v2_int8", "i161616gemm", "depthwiseSdcrr_INT8"})) {
    return Precision::int8;
  }
  if (has(name, "tf32")) return Precision::tf32;
  if (const auto operands = of_cutlass_types(name)) return operands;
  if (const auto operands = of_cublaslt_letters(name)) return operands;
  if (has(name, "bf16")) return Precision::bf16;
  if (has_word(name, {"h884", "h1688", "h16816", "hmma", "HMMA", "hgemm", "hcudnn", "f16f16",
                      "fmha_v2_fp16", "FP16NHWC", "act_fp16_"})) {
    return Precision::fp16;
  }
  // s884, s1688, s16816 accumulate in FP32; "fp16" beside them is what they multiply.
  const bool mixed_mma = has(name, "s884") || has(name, "s1688") || has(name, "s16816");
  if (mixed_mma && (has(name, "fp16") || has(name, "f16"))) return Precision::fp16;
  // fmha_v2_flash_attention_fp16_fp32_S: the second type is the accumulator's.
  if (has(name, "fmha") && (has(name, "_fp16") || has(name, "_f16"))) return Precision::fp16;
  if (has_word(name, {"scudnn", "sgemm", "fp32_NCHW", "FP32FP32FP32"})) {
    return Precision::fp32;
  }
  return std::nullopt;
}

// Unfused Q and DQ: Reformat with Origin QDQ (8.4 GA and later), Scale (8.4 EA), kernels by name.
LayerRole conversion_role(const Layer& layer) {
  const DataType in = layer.inputs.empty() ? DataType::unknown : layer.inputs[0].type;
  const DataType out = layer.outputs.empty() ? DataType::unknown : layer.outputs[0].type;
  const bool quantizes = is_float(in) && is_narrow(out);
  const bool dequantizes = is_narrow(in) && is_float(out);
  if (layer.origin == "QDQ") {
    if (quantizes) return LayerRole::quantize;
    if (dequantizes) return LayerRole::dequantize;
    return layer.name.str().starts_with("Dequantize") ? LayerRole::dequantize : LayerRole::quantize;
  }
  if (layer.layer_type == "Scale") {
    if (quantizes) return LayerRole::quantize;
    if (dequantizes) return LayerRole::dequantize;
    return LayerRole::pointwise;
  }
  return LayerRole::reformat;
}

LayerRole role_of_parameter(const std::string& parameter) {
  if (is_one_of(parameter, {"Convolution", "ConvActPool"})) return LayerRole::convolution;
  if (parameter == "Deconvolution") return LayerRole::deconvolution;
  if (is_one_of(parameter, {"MatrixMultiply", "FullyConnected"})) return LayerRole::gemm;
  if (parameter == "Pooling") return LayerRole::pooling;
  if (is_one_of(parameter, {"PointWise", "ElementWise", "Unary", "Activation", "Select"})) {
    return LayerRole::pointwise;
  }
  if (parameter == "Reduce") return LayerRole::reduction;
  if (is_one_of(parameter, {"SoftMax", "LogSoftMax"})) return LayerRole::softmax;
  if (parameter == "Normalization") return LayerRole::normalisation;
  if (parameter == "Resize") return LayerRole::resize;
  if (is_one_of(parameter, {"Shuffle", "Slice", "Concatenation", "Gather", "Padding"})) {
    return LayerRole::shuffle;
  }
  if (parameter == "Constant") return LayerRole::none;
  return LayerRole::other;
}

LayerRole role_of_type(const std::string& type) {
  if (has(type, "fmha") || type == "mha" || type == "attention") return LayerRole::attention;
  if (has(type, "Gemm") || type == "gemm" || has(type, "MatrixMultiply") || has(type, "MatMul")) {
    return LayerRole::gemm;
  }
  if (has(type, "Deconv") || type == "deconv") return LayerRole::deconvolution;
  if (has(type, "Convolution") || has(type, "ConvAct") ||
      is_one_of(type, {"correlation", "conv_act_pool", "conv", "CaskJitConv"})) {
    return LayerRole::convolution;
  }
  if (has(type, "Pooling") || is_one_of(type, {"maxpool", "avgpool"})) return LayerRole::pooling;
  if (has(type, "Plugin")) return LayerRole::plugin;
  if (has(type, "SoftMax") || has(type, "Softmax")) return LayerRole::softmax;
  if (has(type, "PointWise") ||
      is_one_of(type, {"ElementWise", "kgen", "fusion", "Unary", "add"})) {
    return LayerRole::pointwise;
  }
  if (is_one_of(type, {"Shuffle", "Slice", "Padding", "Gather", "Concat"}))
    return LayerRole::shuffle;
  // What the DLA runs is one subgraph, whose kernels are its own.
  if (is_one_of(type, {"Myelin", "runtime_fusion", "DLA"})) return LayerRole::region;
  if (has(type, "Reduce")) return LayerRole::reduction;
  if (type == "Resize") return LayerRole::resize;
  return LayerRole::other;
}

// A name alone (names-only layer info, a profile without layer info): a guess.
LayerRole role_of_name(const std::string& name) {
  if (name.starts_with("Reformatting CopyNode") || name.starts_with("Reformatted ") ||
      has(name, " input reformatter ") || has(name, " output reformatter ")) {
    return LayerRole::reformat;
  }
  if (has(name, "ForeignNode[")) return LayerRole::region;
  if (name.starts_with("QuantizeLinear") && !has(name, " + ")) return LayerRole::quantize;
  if (name.starts_with("DequantizeLinear") && !has(name, " + ")) return LayerRole::dequantize;
  return LayerRole::other;
}

void decide(LayerVerdict& verdict, Precision precision, Confidence confidence,
            std::string evidence) {
  verdict.compute = precision;
  verdict.confidence = confidence;
  verdict.evidence.push_back(std::move(evidence));
}

// 11.x prints the layout apart from the type: "(Linear) Row major linear format".
std::string format_of(const Tensor& tensor) {
  const std::string& format = tensor.format;
  if (tensor.type == DataType::unknown || data_type_of(format) != DataType::unknown) return format;
  return std::string(to_string(tensor.type)) + (format.empty() ? "" : ", ") + format;
}

// Layers without a choice of arithmetic: the type they work on. Several types are `mixed`. One that
// reads nothing (a fill, a random number) works on what it writes.
void decide_by_tensors(const Layer& layer, LayerVerdict& verdict) {
  Precision seen = Precision::unknown;
  std::string evidence;
  for (const Tensor& t : layer.inputs) {
    const Precision p = precision_of(t.type);
    if (p == Precision::unknown) continue;
    if (seen == Precision::unknown) {
      seen = p;
      evidence = "input " + t.name + ": " + format_of(t);
    } else if (seen != p && is_float(t.type)) {
      seen = Precision::mixed;
      evidence += "; input " + t.name + ": " + format_of(t);
    }
  }
  if (layer.inputs.empty() && !layer.outputs.empty()) {
    seen = precision_of(layer.outputs[0].type);
    evidence = "output " + layer.outputs[0].name + ": " + format_of(layer.outputs[0]);
  }
  if (seen != Precision::unknown) decide(verdict, seen, Confidence::inferred, evidence);
}

void decide_arithmetic(const Layer& layer, LayerVerdict& verdict) {
  if (const auto by_name = precision_of_tactic(layer.tactic_name)) {
    decide(verdict, *by_name, Confidence::measured, "tactic: " + layer.tactic_name.str());
    return;
  }
  const DataType in = layer.inputs.empty() ? DataType::unknown : layer.inputs[0].type;
  if (layer.weights && layer.weights->type != DataType::unknown) {
    // Weight-only quantization multiplies in the type of the activations.
    const DataType weights = layer.weights->type;
    const bool weight_only =
        (weights == DataType::int4 || weights == DataType::fp4 || weights == DataType::int8) &&
        is_float(in);
    const DataType type = weight_only ? in : weights;
    decide(verdict, precision_of(type), Confidence::inferred,
           std::string("weights: ") + to_string(weights));
    if (in != DataType::unknown) verdict.evidence.push_back("input: " + format_of(layer.inputs[0]));
    return;
  }
  if (in != DataType::unknown) {
    decide(verdict, precision_of(in), Confidence::guessed, "input: " + format_of(layer.inputs[0]));
  }
}

std::string types_of(const std::vector<Tensor>& tensors) {
  std::vector<std::string> types;
  for (const Tensor& tensor : tensors) {
    const std::string type = to_string(tensor.type);
    if (std::ranges::find(types, type) == types.end()) types.push_back(type);
  }
  return join(types, ", ");
}

// What is inside computes in types of its own, which the tensors at its border do not tell.
void describe_border(const Layer& layer, LayerVerdict& verdict) {
  if (layer.inputs.empty() && layer.outputs.empty()) return;
  verdict.evidence.emplace_back("types at its border: " + types_of(layer.inputs) + " -> " +
                                types_of(layer.outputs));
}

}  // namespace

// The instruction (imma), its shape (i8816, h1688, tensor16x8x16) or libraries of nothing else.
bool is_on_tensor_cores(std::string_view tactic) {
  return has_word(tactic, {"imma", "IMMA", "hmma", "HMMA", "qmma", "gmma", "i88", "884", "1688",
                           "16816", "16832", "tensor", "cublaslt", "fmha"});
}

bool is_off_tensor_cores(std::string_view tactic) {
  return !is_on_tensor_cores(tactic) &&
         has_word(tactic, {"int8x4", "dp4a", "idp", "scudnn", "hcudnn", "simt", "sgemm", "ffma",
                           "hfma", "gemvx", "__myl_MulSum"});
}

bool is_first_layer_kernel(std::string_view tactic) {
  return has_word(tactic, {"first_layer", "firstlayer", "FirstLayer"});
}

Precision precision_of(DataType type) {
  using enum Precision;
  // 16-bit integers, FP64 and the scales of blocks (E8M0) are no precision.
  static constexpr std::array kPrecisions = {unknown, fp32,  fp16,    bf16,    fp8,
                                             int8,    int8,  int4,    fp4,     unknown,
                                             int32,   int64, boolean, unknown, unknown};
  static_assert(kPrecisions.size() == static_cast<std::size_t>(DataType::e8m0) + 1);
  return kPrecisions[static_cast<std::size_t>(type)];
}

int width_of(Precision precision) {
  // none, unknown, FP32, TF32, FP16, BF16, FP8, INT8, INT4, FP4, INT32, INT64, BOOL, mixed
  static constexpr std::array kBits = {0, 0, 32, 32, 16, 16, 8, 8, 4, 4, 32, 64, 0, 0};
  static_assert(kBits.size() == static_cast<std::size_t>(Precision::mixed) + 1);
  return kBits[static_cast<std::size_t>(precision)];
}

std::optional<Precision> precision_of_tactic(const std::string& tactic_name) {
  if (tactic_name.empty()) return std::nullopt;
  if (const auto triple = of_type_triple(tactic_name)) return triple;
  return of_other_name(tactic_name);
}

LayerRole role_of(const Layer& layer) {
  const std::string& type = layer.layer_type;
  if (is_one_of(type, {"NoOp", "Constant", "signal", "wait", "shape_call", "TrainStation", "memset",
                       "cjmp"})) {
    return LayerRole::none;
  }
  // A plugin that Myelin took in; what writes nothing tells the L2 cache what to keep.
  if (type == "custom_layer") return layer.outputs.empty() ? LayerRole::none : LayerRole::plugin;
  if (type == "Reformat" || type == "reformat" || type == "MyelinReformat" || type == "Scale" ||
      layer.parameter_type == "Reformat" || layer.origin == "QDQ") {
    return conversion_role(layer);
  }
  // Myelin's fused attention is a kernel of any type: _gemm_mha_v2_0x…, fmha_v2_….
  if (has(layer.tactic_name, "fmha_v") || has(layer.tactic_name, "_mha_v")) {
    return LayerRole::attention;
  }
  if (type.empty() || type == "kgen" || type == "fusion") {
    if (const auto by_operators = role_of_myelin_kernel(layer)) return *by_operators;
  }
  // CaskGemmConvolution carries the parameters of a convolution; the implementation says more.
  if (!type.empty()) {
    const LayerRole by_type = role_of_type(type);
    if (by_type != LayerRole::other) return by_type;
  }
  if (!layer.parameter_type.empty()) return role_of_parameter(layer.parameter_type);
  return type.empty() ? role_of_name(layer.name) : LayerRole::other;
}

LayerVerdict verdict_of(const Layer& layer) {
  LayerVerdict verdict;
  verdict.role = role_of(layer);
  // Layout work moves bytes and multiplies nothing, as conversions do.
  if (verdict.role == LayerRole::none || verdict.role == LayerRole::shuffle ||
      is_conversion(verdict.role)) {
    verdict.compute = Precision::none;
    verdict.confidence = Confidence::measured;
    return verdict;
  }
  if (is_arithmetic(verdict.role)) {
    decide_arithmetic(layer, verdict);
  } else if (verdict.role == LayerRole::region || verdict.role == LayerRole::plugin) {
    describe_border(layer, verdict);
  } else {
    decide_by_tensors(layer, verdict);
  }
  return verdict;
}

}  // namespace trtlens
