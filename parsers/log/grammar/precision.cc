// Precision, calibration and placement: what decides whether a layer can be narrow.
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

void on_missing_scale(RunBuilder& b, const Match& m) {
  b.missing_scale(m[0], m.pos);
}

constexpr LineKind kPrecisionKinds[] = {
    {"int8-rejected",
     "Rejecting some int8 implementation of layer (.+) due to missing int8 scales for tensor (.+) "
     "at (?:input|output) index \\d+",
     [](RunBuilder& b, const Match& m) {
       b.build.rejected_int8.push_back({m.str(0), m.str(1), m.pos});
     },
     "Rejecting some int8 implementation of layer conv1 due to missing int8 scales for tensor t at "
     "output index 0",
     "Rejecting some int8 implementation of layer conv1"},
    {"scale-used", Gate::infix, " scale and zero-point",
     "(?:using|Assigning|Overriding) (.+) scale and zero-point ?(?:Quantization\\(.*)?", nullptr,
     "using /Flatten_output_0 scale and zero-point Quantization(scale: {0.03,}, zero-point: {0,})",
     "the scale and zero-point of x", kNoise},
    {"int8-mode", "Configuring builder for (.+) completed in (\\S+) seconds\\.", nullptr,
     "Configuring builder for Int8 Mode completed in 0.000188374 seconds.",
     "Configuring builder for Int8 Mode completed in 0.000188374", kNoise},
    {"missing-scale", "Missing scale and zero-point for tensor (.+), expect fall back to .*",
     on_missing_scale,
     "Missing scale and zero-point for tensor (Unnamed Layer* 78) [Convolution]_output, expect "
     "fall back to non-int8 implementation for any layer consuming or producing given tensor",
     "Missing scale and zero-point for tensor 903", kKeep},
    // 6.0 to 7.x wording.
    {"missing-range", "Missing dynamic range for tensor (.+), expect fall back to .*",
     on_missing_scale,
     "Missing dynamic range for tensor 1318, expect fall back to non-int8 implementation for any "
     "layer consuming or producing given tensor",
     "Missing dynamic range for tensor 1318", kKeep},
    {"range-not-set", "Dynamic range would not be set for tensor (.+) for nbSpatialDims = .*",
     nullptr,
     "Dynamic range would not be set for tensor X for nbSpatialDims = 2. TensorRT does not support "
     "Int8 precision for tensors of index type",
     "Dynamic range would not be set for tensor X for nbSpatialDims =", kKeep},
    {"range-set", "Setting dynamic range for (.+) to \\[.*\\]", nullptr,
     "Setting dynamic range for X to [-4,4]", "Setting dynamic range for X", kNoise},
    {"scale-override", Gate::prefix, "User overriding scale with ",
     "User overriding scale with scale and zero-point Quantization\\(.*", nullptr,
     "User overriding scale with scale and zero-point Quantization(scale: {0.015748,}, "
     "zero-point: {0,})",
     "User overriding scale with scale and zero-point", kNoise},
    // 8.5 and 8.6 with calibration: a pool or a copy takes the scale of what it reads or writes.
    {"scale-shared",
     "Overriding tensor scales: (.+) \\[Quantization\\(.+ using (.+) \\[Quantization\\(.+", nullptr,
     "Overriding tensor scales: /MaxPool_output_0 [Quantization(scale: {0.03,}, zero-point: {0,})] "
     "using /LeakyRelu_output_0 [Quantization(scale: {0.029,}, zero-point: {0,})]",
     "Overriding tensor scales: /MaxPool_output_0", kNoise},
    {"scale-known",
     "INT8 Inference Tensor [Ss]cales(?: and zero-points)?: (.+?) (?:scale and zero-point "
     "Quantization)?\\(?scale: .*",
     nullptr,
     "INT8 Inference Tensor scales and zero-points: input scale and zero-point "
     "Quantization(scale: {0.05,}, zero-point: {0,})",
     "INT8 Inference Tensor of the day", kNoise},
    {"calibration-time", "Calibration completed in (\\S+) seconds\\.",
     [](RunBuilder& b, const Match& m) { b.build_stage("calibration", m[0]); },
     "Calibration completed in 0.317902 seconds.", "Calibration completed in 0.317902", kProgress},
    {"calibration", Gate::infix, "alibrat",
     "(?: *Calibrated batch \\d+ in \\S+ seconds\\.| *Post Processing Calibration data in \\S+ "
     "seconds\\.|Starting Calibration.*|(?:Reading|Writing) Calibration Cache for calibrator: "
     ".*|Generated calibration scales using calibration cache\\..*|To regenerate calibration "
     "cache.*|Calibration Profile is not defined\\..*|Calibrat(?:or|ion) .*|Explicit "
     "calibration.*)",
     [](RunBuilder& b, const Match&) {
       // The engine that collects the ranges was built for it: the build goes on.
       b.phase = BuildPhase::open;
     },
     "Reading Calibration Cache for calibrator: EntropyCalibration2", "Uncalibrated tensors remain",
     kKeep | kProgress},
    {"calibration-maxima", "Calculating Maxima", nullptr, "Calculating Maxima",
     "Calculating Maxima and more", kNoise | kProgress},
    {"dla-unsupported",
     // 5.x: "running".
     "Default DLA is enabled but layer (.+) is not (?:supported|running) on DLA, falling back to "
     "GPU\\.",
     nullptr,
     "Default DLA is enabled but layer conv1 is not supported on DLA, falling back to GPU.",
     "Default DLA is enabled but layer conv1 is fine", kKeep},
    {"dla-switch",
     "Layer '(.+)' \\(\\w+\\): Unsupported on DLA\\. Switching this layer's device type to GPU\\.",
     nullptr,
     "Layer '/model.24/Constant_1_output_0' (CONSTANT): Unsupported on DLA. Switching this layer's "
     "device type to GPU.",
     "Layer '/a' (CONSTANT): Unsupported on DLA.", kKeep},
    {"dla-precision", Gate::prefix, "DLA only supports ",
     "DLA only supports FP16 and Int8 precision type\\. Switching (.+) device type to GPU\\.",
     nullptr, "DLA only supports FP16 and Int8 precision type. Switching conv1 device type to GPU.",
     "DLA only supports FP16", kKeep},
    {"dla-dynamic", "DLA Layer (.+) does not support dynamic shapes in any dimension\\.", nullptr,
     "DLA Layer conv1 does not support dynamic shapes in any dimension.",
     "DLA Layer conv1 does not support padding.", kKeep},
    // 7.x "Half2", 8.x "FP16".
    {"half2-not-native", Gate::prefix, "Half2 support requested ",
     "Half2 support requested on hardware without native FP16 support, .*", nullptr,
     "Half2 support requested on hardware without native FP16 support, performance will be "
     "negatively affected.",
     "Half2 support requested ", kKeep},
    {"fp16-not-native", Gate::prefix, "FP16 support requested ",
     "FP16 support requested on hardware without native FP16 support, .*", nullptr,
     "FP16 support requested on hardware without native FP16 support, performance will be "
     "negatively affected.",
     "FP16 support requested on hardware", kKeep},
    {"int8-not-native", Gate::prefix, "Int8 support requested ",
     "Int8 support requested on hardware without native Int8 support, .*", nullptr,
     "Int8 support requested on hardware without native Int8 support, performance will be "
     "negatively affected.",
     "Int8 support requested on hardware without native FP16 support, x", kKeep},
    // 8.5+
    {"layernorm-detected", "Detected layernorm nodes in FP16(?:: .+|\\.)?", nullptr,
     "Detected layernorm nodes in FP16: node_norm", "Detected layernorm nodes in FP16 and more",
     kKeep},
    {"layernorm-fp16", Gate::prefix, "Running layernorm after self-attention in FP16",
     "Running layernorm after self-attention in FP16 may cause overflow\\. .*", nullptr,
     "Running layernorm after self-attention in FP16 may cause overflow. Forcing layernorm layers "
     "to run in FP32 precision can help with preserving accuracy.",
     "Running layernorm after self-attention in FP16", kKeep},
    // Weights that FP16 does not hold: three messages a tensor in 8.4, a list behind one from 8.5
    // on.
    {"weights-converted",
     "Weights \\[name=(.+)\\] had the following issues when converted to (\\w+):", nullptr,
     "Weights [name=conv1.weight] had the following issues when converted to FP16:",
     "Weights [name=conv1.weight] are fine", kKeep},
    {"weights-subnormal", "- Subnormal (\\w+) values detected\\. ?", nullptr,
     "- Subnormal FP16 values detected. ", "- Subnormal FP16 values", kKeep},
    {"weights-advice", Gate::prefix, "If this is not the desired behavior",
     "If this is not the desired behavior, please modify the weights or retrain .*", nullptr,
     "If this is not the desired behavior, please modify the weights or retrain with "
     "regularization to adjust the magnitude of the weights.",
     "If this is not the desired behavior, stop", kKeep},
    {"weights-issues", Gate::prefix, "TensorRT encountered issues when converting weights",
     "TensorRT encountered issues when converting weights between types and that could affect "
     "accuracy\\.",
     nullptr,
     "TensorRT encountered issues when converting weights between types and that could affect "
     "accuracy.",
     "TensorRT encountered issues when converting weights", kKeep},
    {"weights-where", Gate::prefix, "Check verbose logs for the list of affected weights",
     "Check verbose logs for the list of affected weights\\.", nullptr,
     "Check verbose logs for the list of affected weights.",
     "Check verbose logs for the list of affected weights, please", kKeep},
    {"weights-affected", Gate::infix, "weights are affected by this issue",
     " ?- (\\d+) weights are affected by this issue: (.*)", nullptr,
     "- 225 weights are affected by this issue: Detected subnormal FP16 values.",
     "Some weights are affected by this issue: x", kKeep},
    {"weights-list", Gate::infix, "List of affected weights: ", " *List of affected weights: (.+)",
     nullptr, "  List of affected weights: a, b", "List of affected weights: ", kNoise},
};

}  // namespace

LineKinds kinds_of_precision() {
  return kPrecisionKinds;
}

}  // namespace trtlens
