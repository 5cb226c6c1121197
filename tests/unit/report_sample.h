// Analyses made by hand for the tests of report/: a ResNet whose calibration is incomplete, a large
// one with hostile names, a build that failed, and one of which next to nothing is known.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens::sample {

inline const std::string kScript = "</script><script>window.pwned=1</script>";
inline const std::string kShell = "\"; system(\"touch pwned\") `touch pwned` '!touch pwned";
inline const std::string kNewline = "a\nEND\n!touch pwned\nsystem(\"touch pwned\")";
inline const std::string kBidi = "rtl\xE2\x80\xAE evil\xE2\x80\xA8line";
inline const std::string kTable =
    "a|b||c `x` <img src=x onerror=alert(1)> @nvidia #12 [l](http://x)";
inline const std::string kControl = std::string("esc\x1b[31m nul") + '\0' + " bad\xFF byte";

inline Tensor tensor(std::string name, DataType type, std::string format) {
  Tensor t;
  t.name = std::move(name);
  t.dims = {32, 64, 56, 56};
  t.has_dims = true;
  t.type = type;
  t.format = std::move(format);
  return t;
}

struct Kernel {
  const char* suffix;
  const char* layer_type;
  const char* parameter_type;
  LayerRole role;
  Precision compute;
  const char* tactic;
  double ms;
};

inline void add_layer(Analysis& a, std::string name, const Kernel& kernel) {
  Layer layer;
  layer.name = std::move(name);
  layer.layer_type = kernel.layer_type;
  layer.parameter_type = kernel.parameter_type;
  layer.tactic_name = kernel.tactic;
  layer.inputs = {tensor("in of " + layer.name, DataType::int8,
                         "Thirty-two wide channel vectorized row major Int8 format")};
  layer.outputs = {tensor("out of " + layer.name, DataType::fp32, "Row major linear FP32")};
  LayerTime time;
  time.mean_ms = kernel.ms;
  layer.time = time;
  layer.found_in = kFoundInLayerInfo | kFoundInProfile;
  LayerVerdict verdict;
  verdict.role = kernel.role;
  verdict.compute = kernel.compute;
  verdict.confidence = Confidence::measured;
  if (!layer.tactic_name.empty()) verdict.evidence = {"tactic: " + layer.tactic_name.str()};
  if (kernel.role == LayerRole::reformat) {
    ReformatEntry entry;
    entry.layer = a.build.layers.size();
    entry.bytes = 25690112;
    entry.cause = "the layer behind it reads FP32";
    entry.removable = a.reformats.size() % 2 == 0;
    a.reformats.push_back(entry);
  }
  a.build.profile_sum_ms += kernel.ms;
  a.build.layers.push_back(std::move(layer));
  a.verdicts.push_back(std::move(verdict));
  ++a.timed_layers;
}

inline void add_row(std::vector<ShareRow>& rows, const std::string& label, double ms, double sum) {
  for (ShareRow& row : rows) {
    if (row.label != label) continue;
    ++row.layers;
    ++row.timed;
    row.time_ms += ms;
    row.share = row.time_ms / sum;
    return;
  }
  rows.push_back({label, 1, ms, ms / sum, 1});
}

inline void add_totals(Analysis& a) {
  a.by_precision.clear();
  a.by_type.clear();
  for (std::size_t i = 0; i < a.build.layers.size(); ++i) {
    const Layer& layer = a.build.layers[i];
    add_row(a.by_precision, to_string(a.verdicts[i].compute), time_or_zero(layer),
            a.build.profile_sum_ms);
    add_row(a.by_type, layer.layer_type, time_or_zero(layer), a.build.profile_sum_ms);
  }
}

// The kernels of one residual block; `wide` ones stand for those without scales.
inline const std::array<Kernel, 6> kBlock = {
    {{"conv1/Conv + relu/Relu", "CaskConvolution", "Convolution", LayerRole::convolution,
      Precision::int8, "sm80_xmma_fprop_implicit_gemm_interleaved_i8i8_i8i32_f32_tilesize192x64x64",
      0.0195571},
     {"downsample.0/Conv", "CaskConvolution", "Convolution", LayerRole::convolution,
      Precision::int8, "sm80_xmma_fprop_implicit_gemm_interleaved_i8i8_i8i32_f32_tilesize96x128x64",
      0.0089353},
     {"conv2/Conv + Add + relu_1/Relu", "CaskConvolution", "Convolution", LayerRole::convolution,
      Precision::tf32, "sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_tilesize256x128",
      0.0705979},
     {"Reformatting CopyNode for Output Tensor 0 to conv2/Conv + Add + relu_1/Relu", "Reformat",
      "Reformat", LayerRole::reformat, Precision::none, "", 0.0192434},
     {"conv3/Conv + relu/Relu", "CaskConvolution", "Convolution", LayerRole::convolution,
      Precision::fp16, "sm90_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_tilesize64x128",
      0.0141708},
     {"GlobalAveragePool", "CaskPooling", "Pooling", LayerRole::pooling, Precision::int8,
      "sm72_xmma_pooling_IMMA_NCxHW32_gap", 0.0068640}}};

inline LatencyStats stats(double median) {
  LatencyStats s;
  s.min_ms = median * 0.97;
  s.max_ms = median * 1.05;
  s.mean_ms = median * 1.001;
  s.median_ms = median;
  s.percentiles_ms = {{"90", median * 1.01}, {"99", median * 1.02}};
  return s;
}

inline void add_identity(Analysis& a) {
  Build& b = a.build;
  a.name = "p_r18";
  Version version;
  version.major = 8;
  version.minor = 5;
  version.patch = 1;
  version.source = VersionSource::banner;
  b.tensorrt = version;
  b.producer = "trtexec";
  Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.compute_capability = "9.0";
  gpu.sms = 132;
  gpu.memory_bytes = std::int64_t{143155} * 1024 * 1024;
  b.gpu = gpu;
  b.command = "trtexec --onnx=models/resnet18_b32.onnx --int8 --calib=r18.cache --verbose";
  b.commands = {b.command};
  b.options.flags = {
      {"onnx", "models/resnet18_b32.onnx"}, {"int8", ""}, {"calib", "r18.cache"}, {"verbose", ""}};
  b.allowed.labels = {"FP32", "INT8"};
  b.has_log = b.is_verbose = b.closing_line = true;
  b.runs = {1};
}

inline void add_times(Analysis& a, std::size_t queries) {
  Build& b = a.build;
  b.performance.throughput_qps = 1879.85;
  b.performance.latency = stats(0.8933);
  b.performance.gpu_compute = stats(0.5271);
  b.performance.enqueue = stats(0.2548);
  b.performance.h2d = stats(0.3573);
  b.performance.d2h = stats(0.0083);
  b.performance.queries = queries;
  b.performance.host_walltime_s = 2.001;
  b.inference.batch = 32;
  b.inference.streams = 1;
  b.inference.cuda_graph = false;
  for (std::size_t i = 0; i < queries; ++i) {
    const double phase = static_cast<double>(i);
    const double spike = i % 997 == 996 ? 0.2 : 0.0;
    const double ms = 0.527 + 0.006 * std::sin(phase * 0.7) + 0.004 * std::sin(phase * 0.013) +
                      0.003 * std::cos(phase * 2.9) + spike;
    Query query;
    query.start_ms = static_cast<float>(200 + 0.53 * phase);
    query.compute_ms = static_cast<float>(ms);
    b.queries.push_back(query);
  }
}

// Others may share what was read: a changed copy takes its place.
template <typename Change>
void change_reading(Analysis& a, Change change) {
  Reading reading = *a.reading;
  change(reading);
  a.reading = std::make_shared<const Reading>(std::move(reading));
}

inline void add_inputs(Analysis& a) {
  Input log;
  log.path = "p_r18/build.log";
  log.kind = InputKind::log;
  log.bytes = 1234567;
  log.lines = 9000;
  log.runs = {1};
  Input layers;
  layers.path = "p_r18/layers.json";
  layers.kind = InputKind::layer_info;
  layers.bytes = 45678;
  layers.lines = 1;
  change_reading(a, [&](Reading& reading) {
    reading.inputs = {log, layers};
    reading.coverage.add(LineClass::recognised, 8000);
    reading.coverage.add(LineClass::noise, 900);
    reading.coverage.add(LineClass::unknown, 100);
  });
}

inline Finding scale_finding() {
  Finding f;
  f.rule = "missing-scale-hot-layer";
  f.category = "precision-fallback";
  f.severity = Severity::major;
  f.confidence = Confidence::measured;
  f.stake_ms = 0.235;
  f.gain = Gain{0.176, 0.186, "convolutions of the same shape that stayed INT8"};
  f.title =
      "Three convolutions run in TF32 because two tensors have no scale: 0.235 ms with the five "
      "reformats around them";
  f.why =
      "The calibration cache lacks the scales of two ReLU outputs, so their consumers fall back.";
  Evidence line;
  line.file = "p_r18/build.log";
  line.line = 725;
  line.text =
      "[W] [TRT] Missing scale and zero-point for tensor /layer2/layer2.1/relu/Relu_output_0, "
      "expect fall back to non-int8 implementation for any layer consuming or producing given "
      "tensor";
  Evidence layer;
  layer.layer = "/layer2/layer2.1/conv2/Conv + /layer2/layer2.1/Add";
  layer.metric = "time_ms";
  layer.value = 0.0705979;
  f.evidence = {line, layer};
  f.remedies = {"Recalibrate after deleting the stale cache r18.cache",
                "Set the two dynamic ranges with setDynamicRange",
                "Until then add --fp16 beside --int8: it softens the fall"};
  f.next_check = "Delete r18.cache, rebuild, and look for the two tensors among the warnings.";
  f.sources = {"https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-851/"};
  return f;
}

inline Finding small_finding(std::size_t n, Severity severity) {
  Finding f;
  f.rule = "rule-" + std::to_string(n);
  f.category = "qdq-placement";
  f.severity = severity;
  f.title = "Finding number " + std::to_string(n);
  f.why = "Because.";
  f.remedies = {"Do this."};
  if (n % 2 == 0) f.stake_ms = 0.01 / static_cast<double>(n + 1);
  return f;
}

inline void add_ledgers(Analysis& a) {
  std::vector<Fallback> fallbacks;
  for (std::size_t i = 0; i < a.build.layers.size(); ++i) {
    if (a.verdicts[i].compute != Precision::tf32) continue;
    fallbacks.push_back({i,
                         time_or_zero(a.build.layers[i]),
                         "no scale of its input tensor",
                         {a.verdicts[i].evidence.begin(), a.verdicts[i].evidence.end()}});
  }
  a.fallbacks = fallbacks;
  MissingScaleCost cost;
  cost.tensor = "/layer2/layer2.1/relu/Relu_output_0";
  cost.layers = {0, 2};
  cost.reformats = {3};
  cost.time_ms = 0.137;
  cost.matters = true;
  cost.pos = {0, 725, 1};
  MissingScaleCost fused;
  fused.tensor = "/layer2/layer2.1/conv1/Conv_output_0";
  fused.matters = false;
  fused.pos = {0, 724, 1};
  a.missing_scales = {fused, cost};
  a.build.tactics_timed = 4096;
  a.build.tactics_skipped = 12;
  a.races = {{"/layer1/conv1", "tactic a", "tactic b", 0.0195, 0.0196, 0.005, "FP16 -> FP16", {}},
             {"/layer1/conv2", "tactic c", "tactic d", 0.0195, 0.0295, 0.51, "FP16 -> FP16", {}}};
  IoTensor input;
  input.tensor = tensor("input", DataType::fp32, "");
  a.build.io_tensors = {input};
  Message warning;
  warning.severity = LogSeverity::warning;
  warning.text = "Calibrator won't be used in explicit precision mode.";
  warning.count = 3;
  warning.pos = {0, 90, 1};
  a.build.messages = {warning};
  a.build.engine_build_s = 42.5;
  a.build.memory.engine_bytes = 12000000;
  a.build.stages = {{"parse", 0.4}, {"optimize", 40.1}};
  Diagnostic diagnostic;
  diagnostic.id = "json-nan";
  diagnostic.file = "p_r18/profile.json";
  diagnostic.line = 3;
  diagnostic.column = 9;
  diagnostic.expected = "a number";
  diagnostic.found = "nan";
  change_reading(a, [&](Reading& reading) { reading.diagnostics = {diagnostic}; });
}

// `layers` layers in blocks of six, with profile, times, findings and ledgers.
inline Analysis healthy(std::size_t layers) {
  Analysis a;
  add_identity(a);
  add_inputs(a);
  a.build.outcome = Outcome::passed;
  a.build.has_layer_info = a.build.has_profile = true;
  a.build.profile_iterations = 2238;
  for (std::size_t i = 0; i < layers; ++i) {
    const std::size_t block = i / kBlock.size();
    Kernel kernel = kBlock[i % kBlock.size()];
    kernel.ms *= 1.0 / (1.0 + 0.13 * static_cast<double>(block));
    add_layer(a, "/layer" + std::to_string(block + 1) + "/" + kernel.suffix, kernel);
  }
  add_totals(a);
  add_times(a, 3000);
  add_ledgers(a);
  a.findings = {scale_finding()};
  for (std::size_t n = 1; n < 14; ++n) a.findings.push_back(small_finding(n, Severity::minor));
  a.findings.push_back(small_finding(14, Severity::info));
  return a;
}

// Every string that a user controls tries to break out of its format.
inline Analysis hostile() {
  Analysis a = healthy(140);
  const std::vector<std::string> names = {kScript, kShell, kNewline, kBidi, kTable, kControl};
  for (std::size_t i = 0; i < a.build.layers.size(); ++i) {
    Layer& layer = a.build.layers[i];
    if (i % 3 == 0) continue;
    layer.name = names[i / 3 % names.size()] + " " + std::to_string(i);
    layer.tactic_name = names[(i / 3 + 1) % names.size()];
    layer.layer_type = names[(i / 3 + 2) % names.size()];
    a.verdicts[i].evidence = {names[(i / 3 + 3) % names.size()]};
  }
  std::size_t at = 0;
  const auto next = [&]() { return names[at++ % names.size()]; };
  add_totals(a);
  change_reading(a, [&](Reading& reading) {
    for (Input& input : reading.inputs) input.path += next();
    for (Diagnostic& diagnostic : reading.diagnostics) diagnostic.found = kScript + kBidi;
  });
  a.build.command = "trtexec " + next() + next();
  a.build.commands = {a.build.command};
  a.build.options.flags = {{"onnx", kTable}};
  a.build.gpu->name = next();
  for (Message& message : a.build.messages) message.text = kNewline + kScript;
  for (MissingScaleCost& scale : a.missing_scales) scale.tensor = next();
  for (Finding& finding : a.findings) {
    finding.title += next();
    finding.why = next();
    finding.remedies.push_back(next());
    finding.next_check = next();
    finding.sources = {"javascript:alert(1)", "https://x/\"onmouseover=\"alert(1)", next()};
    for (Evidence& evidence : finding.evidence) evidence.text = evidence.text + next();
  }
  a.other_builds = {next(), next()};
  return a;
}

inline Analysis failed() {
  Analysis a;
  add_identity(a);
  add_inputs(a);
  a.build.outcome = Outcome::failed;
  a.failed_phase = FailedPhase::build;
  Finding f;
  f.rule = "grouped-conv-int8-group-not-multiple-of-4";
  f.category = "build-failure";
  f.severity = Severity::fatal;
  f.title =
      "No INT8 implementation for a grouped convolution with 6 channels per group (30 channels, 5 "
      "groups)";
  f.why = "INT8 wants input and output channels per group in multiples of 4.";
  Evidence evidence;
  evidence.file = "p_r18/build.log";
  evidence.line = 1420;
  evidence.text =
      "[E] Error[10]: [optimizer.cpp::computeCosts::3728] Error Code 10: Internal Error (Could not "
      "find any implementation for node body.0.weight + QuantizeLinear_8 + /body/body.0/Conv.)";
  f.evidence = {evidence};
  f.remedies = {"Pad to 8 channels per group", "Take the Q/DQ off this convolution"};
  a.findings = {f};
  return a;
}

// Layer names without anything else.
inline Analysis names_only() {
  Analysis a;
  a.name = "layers.json";
  Input input;
  input.path = "layers.json";
  input.kind = InputKind::layer_info;
  change_reading(a, [&](Reading& reading) { reading.inputs = {input}; });
  a.build.has_layer_info = a.build.layer_names_only = true;
  for (int i = 0; i < 3; ++i) {
    Layer layer;
    layer.name = "layer " + std::to_string(i);
    a.build.layers.push_back(layer);
    a.verdicts.emplace_back();
  }
  return a;
}

}  // namespace trtlens::sample
