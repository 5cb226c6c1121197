// Facts of single lines and blocks: banner, device, performance, memory, precision.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::log_facts_test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;
using testing::Pair;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

Build own(const std::vector<std::string>& bodies) {
  return parse_log(running("--onnx=m.onnx") + own_lines(bodies)).build();
}
Build library(const std::vector<std::string>& bodies) {
  return parse_log(running("--onnx=m.onnx") + stamped("[I] [TRT] ", bodies)).build();
}

// ---- banner ----

TEST(Banner, ValuesAsPrinted) {
  const Build build = own({
      "=== Model Options ===",
      "Format: ONNX",
      "Model: C:\\models\\a: b.onnx",
      "Output: y z",
      "=== Build Options ===",
      "Memory Pools: workspace: 0.000976562 MiB, dlaSRAM: default, dlaLocalDRAM: default",
      "Precision: FP32+FP16 (obey precision constraints)",
      "LayerPrecisions: conv:fp32,*:fp16",
      "Calibration: ",
      "Tempfile Controls: { in_memory: allow, temporary: allow }",
      "Tactic sources: cublas [ON], cudnn [OFF], ",
      "Input(s)s format: fp32:CHW",
      "Input build shape: x:0=1x1x28x28+4x1x28x28+16x1x28x28",
      "=== System Options ===",
      "Plugins:",
      "=== Inference Options ===",
      "Batch: Explicit",
      "Input inference shape : x=4x1x28x28",
      "Input inference shape : y=4x2",
      "Weight Streaming Budget: 100.000000%",
      "Inputs:",
      "x<-data.bin",
      "=== Reporting Options ===",
      "Dump refittable layers:Disabled",
      "Export timing to JSON file:",
      "",
      "Precision: not of the banner",
  });
  const auto row = [&](const char* key) {
    const auto found = build.banner.find(key);
    return found == build.banner.end() ? std::string("(absent)") : found->second;
  };
  EXPECT_EQ(row("Model Options/Model"), "C:\\models\\a: b.onnx");
  EXPECT_EQ(row("Model Options/Output"), "y z");
  EXPECT_EQ(row("Build Options/Memory Pools"),
            "workspace: 0.000976562 MiB, dlaSRAM: default, dlaLocalDRAM: default");
  EXPECT_EQ(row("Build Options/Precision"), "FP32+FP16 (obey precision constraints)");
  EXPECT_EQ(row("Build Options/LayerPrecisions"), "conv:fp32,*:fp16");
  EXPECT_EQ(row("Build Options/Calibration"), "");
  EXPECT_EQ(row("Build Options/Tempfile Controls"), "{ in_memory: allow, temporary: allow }");
  EXPECT_EQ(row("Build Options/Tactic sources"), "cublas [ON], cudnn [OFF],");
  EXPECT_EQ(row("Build Options/Input(s)s format"), "fp32:CHW");
  EXPECT_EQ(row("Build Options/Input build shape"), "x:0=1x1x28x28+4x1x28x28+16x1x28x28");
  EXPECT_EQ(row("System Options/Plugins"), "");
  EXPECT_EQ(row("Inference Options/Input inference shape"), "x=4x1x28x28, y=4x2");
  EXPECT_EQ(row("Inference Options/Weight Streaming Budget"), "100.000000%");
  EXPECT_EQ(row("Reporting Options/Dump refittable layers"), "Disabled");
  EXPECT_EQ(row("Reporting Options/Export timing to JSON file"), "");
  EXPECT_THAT(build.allowed.labels, ElementsAre("FP32", "FP16"));
}

TEST(Banner, InferenceRows) {
  const Build build = own({"=== Inference Options ===", "Batch: 8", "Inference Streams: 2",
                           "Optimization Profile Index: 1", "CUDA Graph: Enabled",
                           "Data transfers: Disabled", "Spin-wait: Odd"});
  EXPECT_EQ(build.inference.batch, 8);
  EXPECT_EQ(build.inference.streams, 2);
  EXPECT_EQ(build.inference.opt_profile, 1);
  EXPECT_EQ(build.inference.cuda_graph, true);
  EXPECT_EQ(build.inference.data_transfers, false);
  EXPECT_EQ(build.inference.spin_wait, std::nullopt);
  const Build silent = own({"Starting inference"});
  EXPECT_EQ(silent.inference.batch, std::nullopt);
  EXPECT_EQ(silent.inference.cuda_graph, std::nullopt);
}

// "Batch: 1" also stands in the banner of a loaded explicit-batch engine.
TEST(Banner, TheInputsShapeIsTheBatch) {
  const Build build =
      own({"=== Inference Options ===", "Batch: 1", "",
           "Input binding for x with dimensions 32x3x8x8 and type fp32 is created.",
           "Output binding for y is dynamic and will be created during execution using "
           "OutputAllocator."});
  EXPECT_EQ(build.inference.batch, 32);
  ASSERT_EQ(build.io_tensors.size(), 2U);
  EXPECT_TRUE(build.io_tensors[0].is_input);
  EXPECT_EQ(build.io_tensors[0].tensor.type, DataType::fp32);
  EXPECT_FALSE(build.io_tensors[1].is_input);
  EXPECT_FALSE(build.io_tensors[1].tensor.has_dims);
}

TEST(Banner, Device) {
  const Build build = own({
      "=== Device Information ===",
      "Available Devices:",
      "  Device 0: \"NVIDIA T4\" UUID: GPU-1",
      "  Device 1: \"NVIDIA H100 PCIe\" UUID: GPU-2",
      "Selected Device: NVIDIA H100 PCIe",
      "Selected Device ID: 1",
      "Compute Capability: 9.0",
      "SMs: 114",
      "Device Global Memory: 81081 MiB",
      "Shared Memory per SM: 228 KiB",
      "Memory Bus Width: 5120 bits (ECC enabled)",
      "Application Compute Clock Rate: 1.755 GHz",
      "Application Memory Clock Rate: 1.593 GHz",
      "",
      "Note: The application clock rates do not reflect the actual clock rates that the GPU is "
      "currently running at.",
  });
  ASSERT_TRUE(build.gpu.has_value());
  EXPECT_EQ(build.gpu->name, "NVIDIA H100 PCIe");
  EXPECT_EQ(build.gpu->sm(), 90);
  EXPECT_EQ(build.gpu->sms, 114);
  EXPECT_EQ(build.gpu->memory_bytes, 81081 * kMiB);
  EXPECT_EQ(build.gpu->memory_bus_bits, 5120);
  EXPECT_THAT(build.gpu->compute_clock_ghz, Optional(DoubleEq(1.755)));
  EXPECT_THAT(build.gpu->memory_clock_ghz, Optional(DoubleEq(1.593)));
  const Build old =
      own({"=== Device Information ===", "Selected Device: Xavier", "Compute Capability: 7.2",
           "Compute Clock Rate: 1.377 GHz", "Memory Clock Rate: 1.377 GHz"});
  EXPECT_EQ(old.gpu->name, "Xavier");
  EXPECT_THAT(old.gpu->compute_clock_ghz, Optional(DoubleEq(1.377)));
  EXPECT_EQ(old.gpu->memory_bytes, std::nullopt);
}

// ---- performance ----

TEST(Performance, SummaryOf80AndLater) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx --verbose") +
      own_lines({
          "Warmup completed 3057 queries over 200 ms",
          "Timing trace has 46125 queries over 3.00013 s",
          "",
          "=== Trace details ===",
          "Trace averages of 10 runs:",
          "Average on 10 runs - GPU latency: 0.0357 ms - Host latency: 0.0438 ms (enqueue 0.0270 "
          "ms)",
          "Average on 10 runs - GPU latency: 1.5 ms - Host latency: 2.5 ms (end to end 3 ms, "
          "enqueue 0.5 ms)",
          "... Omitting 42125 lines",
          "",
          "=== Performance summary ===",
          "Throughput: 15374.3 qps",
          "Latency: min = 0.0410156 ms, max = 1.28e+06 ms, mean = 4 ms, median = 0.0440674 ms, "
          "percentile(90%) = 0.0450439 ms, percentile(99.9%) = inf ms",
          "End-to-End Host Latency: min = 1 ms, max = 2 ms, mean = nan ms, median = 1.5 ms, "
          "percentile(99%) = 2 ms",
          "Enqueue Time: min = 0.5 ms, max = 1 ms, mean = 0.75 ms, median = 0.5 ms",
          "H2D Latency: min = 0 ms, max = 0 ms, mean = 0 ms, median = 0 ms",
          "GPU Compute Time: min = 9.53674e-07 ms, max = 1 ms, mean = 0.5 ms, median = 0.25 ms, "
          "percentile(99%) = 0.9 ms",
          "D2H Latency: min = 0.5 ms, max = 1 ms, mean = 0.75 ms, median = 0.5 ms",
          "Total Host Walltime: 3.00013 s",
          "Total GPU Compute Time: 1.6586 s",
      }) +
      stamped("[W] ", {"* GPU compute time is unstable, with coefficient of variance = 6.58751%.",
                       "  If not already in use, locking GPU clock frequency or adding "
                       "--useSpinWait may improve the stability."}) +
      own_lines({"Explanations of the performance metrics are printed in the verbose logs."}) +
      stamped("[V] ", {"", "=== Explanations of the performance metrics ===",
                       "Total Host Walltime: the host walltime from when the first query is "
                       "enqueued",
                       "Throughput: the observed throughput computed by dividing the number of "
                       "queries by the Total Host Walltime.",
                       "Latency: the summation of H2D Latency, GPU Compute Time, and D2H "
                       "Latency."}) +
      own_lines({""}));
  const Performance& p = log.build().performance;
  EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U);
  EXPECT_EQ(p.warmup_queries, 3057U);
  EXPECT_EQ(p.queries, 46125U);
  EXPECT_THAT(p.throughput_qps, Optional(DoubleEq(15374.3)));
  ASSERT_TRUE(p.latency.has_value());
  EXPECT_THAT(p.latency->min_ms, Optional(DoubleEq(0.0410156)));
  EXPECT_THAT(p.latency->max_ms, Optional(DoubleEq(1.28e6)));
  EXPECT_THAT(p.latency->mean_ms, Optional(DoubleEq(4)));
  EXPECT_THAT(p.latency->percentiles_ms, ElementsAre(Pair("90", 0.0450439)));  // inf is unknown
  EXPECT_EQ(p.latency->pos.line, 13U);
  ASSERT_TRUE(p.end_to_end.has_value());
  EXPECT_EQ(p.end_to_end->mean_ms, std::nullopt);
  EXPECT_TRUE(p.enqueue->percentiles_ms.empty());
  EXPECT_THAT(p.h2d->max_ms, Optional(DoubleEq(0)));
  EXPECT_THAT(p.gpu_compute->min_ms, Optional(DoubleEq(9.53674e-07)));
  EXPECT_THAT(p.d2h->median_ms, Optional(DoubleEq(0.5)));
  EXPECT_THAT(p.host_walltime_s, Optional(DoubleEq(3.00013)));
  EXPECT_THAT(p.gpu_compute_total_s, Optional(DoubleEq(1.6586)));
  EXPECT_THAT(p.coeff_var, Optional(testing::DoubleNear(0.0658751, 1e-12)));
  ASSERT_EQ(log.build().trace.size(), 2U);
  EXPECT_FLOAT_EQ(log.build().trace[0].gpu_ms, 0.0357F);
  EXPECT_THAT(log.build().trace[1].enqueue_ms, Optional(testing::FloatEq(0.5F)));
}

TEST(Performance, BlocksOf7) {
  const Build build = own({
      "Timing trace has 0 queries over 3.00461 s",
      "Average on 10 runs - GPU latency: 3.05903 ms - Host latency: 3.5863 ms (end to end 6.07532 "
      "ms)",
      "Host Latency",
      "min: 1.64058 ms (end to end 1.66368 ms)",
      "max: 6.2915 ms (end to end 7.65552 ms)",
      "mean: 1.66069 ms (end to end 3.00909 ms)",
      "median: 1.65601 ms (end to end 3.01636 ms)",
      "percentile: 1.67065 ms at 99% (end to end 3.03931 ms at 99%)",
      "throughput: 0 qps",
      "walltime: 3.00461 s",
      "Enqueue Time",
      "min: 0.92 ms",
      "max: 2 ms",
      "median: 1 ms",
      "GPU Compute",
      "min: 1.5 ms",
      "max: 3 ms",
      "mean: 1.6 ms",
      "median: 1.55 ms",
      "percentile: 1.58 ms at 99%",
      "total compute time: 2.97 s",
  });
  const Performance& p = build.performance;
  EXPECT_EQ(p.queries, std::nullopt);         // 0 was no measurement
  EXPECT_EQ(p.throughput_qps, std::nullopt);  // 7.0 and 7.1, explicit batch
  ASSERT_TRUE(p.latency.has_value() && p.enqueue.has_value() && p.gpu_compute.has_value());
  EXPECT_THAT(p.latency->min_ms, Optional(DoubleEq(1.64058)));
  EXPECT_THAT(p.latency->percentiles_ms, ElementsAre(Pair("99", 1.67065)));
  EXPECT_THAT(p.enqueue->median_ms, Optional(DoubleEq(1)));
  EXPECT_EQ(p.enqueue->mean_ms, std::nullopt);
  EXPECT_THAT(p.gpu_compute->mean_ms, Optional(DoubleEq(1.6)));
  EXPECT_EQ(p.gpu_compute->pos.line, 17U);
  EXPECT_THAT(p.host_walltime_s, Optional(DoubleEq(3.00461)));
  EXPECT_THAT(p.gpu_compute_total_s, Optional(DoubleEq(2.97)));
}

TEST(Performance, ExplanationsAloneAreNoNumbers) {
  const Build build =
      parse_log(running("--onnx=m") +
                stamped("[V] ", {"=== Explanations of the performance metrics ===",
                                 "Throughput: the observed throughput computed by dividing"}))
          .build();
  EXPECT_EQ(build.performance.throughput_qps, std::nullopt);
  EXPECT_FALSE(build.performance.latency.has_value());
}

TEST(Performance, UnstableByAnInfiniteShare) {
  const Build build = parse_log(running("--onnx=m") +
                                stamped("[W] ", {"* GPU compute time is unstable, with coefficient "
                                                 "of variance = inf%."}))
                          .build();
  EXPECT_EQ(build.performance.coeff_var, std::nullopt);
  EXPECT_EQ(build.messages.size(), 1U);
}

// ---- session ----

TEST(Session, TimesAndSizes) {
  const Build build = own({"Finished parsing network model. Parse time: 0.0170852",
                           "Created engine with size: 12.5744 MiB", "Engine built in 8.09138 sec.",
                           "Engine loaded in 0.0204752 sec.", "Engine deserialized in 1.5 sec.",
                           "Created execution context with device memory size: 1.5 MiB"});
  EXPECT_THAT(build.engine_build_s, Optional(DoubleEq(8.09138)));
  EXPECT_THAT(build.engine_load_s, Optional(DoubleEq(0.0204752)));
  EXPECT_EQ(build.memory.engine_bytes, 13185214);  // 12.5744 MiB
  EXPECT_EQ(build.memory.context_bytes, kMiB * 3 / 2);
  ASSERT_EQ(build.stages.size(), 2U);
  EXPECT_EQ(build.stages[0].name, "parse");
  EXPECT_DOUBLE_EQ(build.stages[1].s, 1.5);
}

TEST(Session, ForcedPrecision) {
  const Build build =
      own({"Set layer /fc/Gemm to precision fp16", "Set output 0 of layer /fc/Gemm to type fp32",
           "Set layer conv1 to device type DLA"});
  ASSERT_EQ(build.forced_precision.size(), 2U);
  EXPECT_EQ(build.forced_precision[0].layer, "/fc/Gemm");
  EXPECT_EQ(build.forced_precision[0].text, "precision fp16");
  EXPECT_EQ(build.forced_precision[1].text, "type fp32");
}

// ---- memory ----

TEST(MemoryLines, StepsPeakAndTotals) {
  const Build build = library({
      "[MemUsageChange] Init CUDA: CPU +157, GPU +0, now: CPU 164, GPU 619 (MiB)",
      "[MemUsageChange] TensorRT-managed allocation in building engine: CPU +0, GPU -4, now: CPU "
      "0, GPU 4 (MiB)",
      "[MemUsageSnapshot] Builder begin: CPU 189 MiB, GPU 619 MiB",
      "[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: CPU 6 MiB, GPU 37 MiB",
      "[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 1655 MiB",
      "[BlockAssignment] Algorithm ShiftNTopDown took 0.01442ms to assign 2 blocks to 5 nodes "
      "requiring 125440 bytes.",
      "Total Host Persistent Memory: 4032",
      "Total Device Persistent Memory: 6656 bytes",
      "Max Scratch Memory: 512 bytes",
      "Total Activation Memory: 2408456",
      "Total Weights Memory: 6553364 bytes",
      "Loaded engine size: 19 MiB",
  });
  const Memory& memory = build.memory;
  ASSERT_EQ(memory.steps.size(), 3U);
  EXPECT_EQ(memory.steps[0].phase, "Init CUDA");
  EXPECT_EQ(memory.steps[0].cpu_delta_bytes, 157 * kMiB);
  EXPECT_EQ(memory.steps[0].gpu_now_bytes, 619 * kMiB);
  EXPECT_EQ(memory.steps[1].gpu_delta_bytes, -4 * kMiB);
  EXPECT_EQ(memory.steps[2].phase, "Builder begin");
  EXPECT_EQ(memory.steps[2].cpu_now_bytes, 189 * kMiB);
  EXPECT_EQ(memory.peak_cpu_bytes, 6 * kMiB);
  EXPECT_EQ(memory.peak_gpu_bytes, 37 * kMiB);
  EXPECT_EQ(memory.host_persistent_bytes, 4032);
  EXPECT_EQ(memory.device_persistent_bytes, 6656);
  EXPECT_EQ(memory.scratch_bytes, 512);
  EXPECT_EQ(memory.activation_bytes, 2408456);
  EXPECT_EQ(memory.weights_bytes, 6553364);
  EXPECT_EQ(memory.engine_bytes, 19 * kMiB);
}

// ≤ 8.4 prints a total that includes the workspace at [V]; the one at [I] counts.
TEST(MemoryLines, WhatTacticsAskedForInVain) {
  const ParsedLog log = parse_log(running("--onnx=m.onnx") +
                                  library_lines({
                                      "Tactic: 61 skipped. Scratch requested: 2000, available: 900",
                                      "Tactic: 62 skipped. Scratch requested: 1000, available: 901",
                                      "Tactic: 63 skipped. Scratch requested: 3000, available: 902",
                                  }));
  const auto& refused = log.build().memory.workspace_refused;
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->tactics, 3);
  EXPECT_EQ(refused->least_bytes, 1000);
  EXPECT_EQ(refused->most_bytes, 3000);
  EXPECT_EQ(refused->available_bytes, 902);
  EXPECT_FALSE(parse_log(running("--onnx=m.onnx")).build().memory.workspace_refused);
}

TEST(MemoryLines, TheVerboseActivationTotalIsNone) {
  const ParsedLog log =
      parse_log(running("--onnx=m") + library_lines({"Total Activation Memory: 23625302024"}) +
                stamped("[I] [TRT] ", {"Total Activation Memory: 2408456"}) +
                library_lines({"Total Activation Memory: 23625302024"}));
  EXPECT_EQ(log.build().memory.activation_bytes, 2408456);
  EXPECT_EQ(
      parse_log(library_lines({"Total Activation Memory: 7"})).build().memory.activation_bytes,
      std::nullopt);
}

TEST(MemoryLines, TheExactEngineSizeStays) {
  const Build build =
      parse_log(running("--onnx=m") + own_lines({"Created engine with size: 0.5 MiB"}) +
                stamped("[I] [TRT] ", {"Loaded engine size: 0 MiB"}))
          .build();
  EXPECT_EQ(build.memory.engine_bytes, kMiB / 2);
}

// ---- precision ----

TEST(PrecisionLines, MissingScalesOncePerTensor) {
  const std::string tail =
      ", expect fall back to non-int8 implementation for any layer consuming or producing given "
      "tensor";
  const ParsedLog log = parse_log(stamped(
      "[W] [TRT] ",
      {"Missing scale and zero-point for tensor (Unnamed Layer* 78) [Convolution]_output" + tail,
       "Missing scale and zero-point for tensor a, b" + tail,
       "Missing scale and zero-point for tensor a, b" + tail,
       "Missing dynamic range for tensor 1318" + tail}));
  const std::vector<MissingScale>& scales = log.build().missing_scales;
  ASSERT_EQ(scales.size(), 3U);
  EXPECT_EQ(scales[0].tensor, "(Unnamed Layer* 78) [Convolution]_output");
  EXPECT_EQ(scales[1].tensor, "a, b");
  EXPECT_EQ(scales[1].count, 2U);
  EXPECT_EQ(scales[1].pos.line, 2U);
  EXPECT_EQ(scales[2].tensor, "1318");
  EXPECT_EQ(log.build().messages.size(), 3U);
}

TEST(PrecisionLines, RejectedInt8) {
  const Build build = library(
      {"Rejecting some int8 implementation of layer conv1 + relu1 due to missing int8 scales for "
       "tensor t, u at output index 0"});
  ASSERT_EQ(build.rejected_int8.size(), 1U);
  EXPECT_EQ(build.rejected_int8[0].layer, "conv1 + relu1");
  EXPECT_EQ(build.rejected_int8[0].tensor, "t, u");
  EXPECT_EQ(build.rejected_int8[0].pos.line, 2U);
}

TEST(PrecisionLines, CalibrationIsAStage) {
  const Build build = library({"Calibration completed in 0.317902 seconds."});
  ASSERT_EQ(build.stages.size(), 1U);
  EXPECT_EQ(build.stages[0].name, "calibration");
  EXPECT_DOUBLE_EQ(build.stages[0].s, 0.317902);
}

// ---- graph and parser ----

TEST(GraphLines, FusionsReformatsNotes) {
  const Build build = library({
      "ConvReluFusion: Fusing Conv__25 with Relu",
      "QuantizeDoubleInputNodes: fusing (DQ1 and DQ2) into CONV",
      "Swap the layer type of QuantizeLinear_0 from QUANTIZE to kQDQ",
      "Swap the layer type of X from ELEMENTWISE to POINTWISE",
      "Adding reformat layer: Reformatted Input Tensor 0 to Conv__27 + Relu_1 (MaxPool2d:0) from "
      "Float(6272,196,14,1) to Float(6272,1,448,32)",
      "Adding reformat layer: Reformatted Output Tensor 0 to (x) (y (z)) from "
      "Half(2073600,1:8,11520,64) long-strided to Half(16588800,32400,180,1)",
      "For layer Conv__25 + Relu a non-conforming implementation was chosen than was requested "
      "i.e. x",
      "Default DLA is enabled but layer conv1 is not supported on DLA, falling back to GPU.",
  });
  ASSERT_EQ(build.fusions.size(), 2U);
  EXPECT_EQ(build.fusions[0].first, "Conv__25");
  EXPECT_EQ(build.fusions[1].pass, "QuantizeDoubleInputNodes");
  EXPECT_EQ(build.fusions[1].second, "CONV");
  ASSERT_EQ(build.unfused_q.size(), 1U);
  EXPECT_EQ(build.unfused_q[0].layer, "QuantizeLinear_0");
  ASSERT_EQ(build.added_reformats.size(), 2U);
  EXPECT_EQ(build.added_reformats[0].tensor, "MaxPool2d:0");
  EXPECT_EQ(build.added_reformats[0].to, "Float(6272,1,448,32)");
  EXPECT_EQ(build.added_reformats[1].from, "Half(2073600,1:8,11520,64) long-strided");
  EXPECT_EQ(build.non_conforming.at(0).layer, "Conv__25 + Relu");
  EXPECT_EQ(build.dla_fallbacks.at(0).layer, "conv1");
}

TEST(GraphLines, OnnxNodes) {
  const Build build = library({
      "Opset version:    17",
      "Domain:",
      "Adding network input: x:0 with dtype: float32, dimensions: (-1, 1, 28, 28)",
      "Parsing node: Conv__25 [Conv]",
      "Conv__25 [Conv] inputs: [x:0 -> (-1, 1, 28, 28)[FLOAT]], [w -> (32, 1, 5, 5)[HALF]], "
      "[optional input, not set], ",
      "Conv__25 [Conv] outputs: [y -> (-1, 32, 28, 28)[FLOAT]], ",
      "Marking y as output: y",
  });
  EXPECT_EQ(build.banner.at("ONNX/Opset version"), "17");
  ASSERT_EQ(build.onnx_nodes.size(), 1U);
  const OnnxNode& node = build.onnx_nodes[0];
  EXPECT_EQ(node.op, "Conv");
  ASSERT_EQ(node.inputs.size(), 2U);
  EXPECT_THAT(node.inputs[0].dims, ElementsAre(-1, 1, 28, 28));
  EXPECT_EQ(node.inputs[1].type, DataType::fp16);
  ASSERT_EQ(node.outputs.size(), 1U);
  EXPECT_EQ(node.pos.line, 6U);
  ASSERT_EQ(build.io_tensors.size(), 2U);
  EXPECT_TRUE(build.io_tensors[0].is_input);
  EXPECT_FALSE(build.io_tensors[1].is_input);
}

// The block of a parser error: the node as protobuf text, without headers.
TEST(GraphLines, ParserErrorBlock) {
  const ParsedLog log = parse_log(
      running("--onnx=m") +
      stamped("[E] [TRT] ", {"ModelImporter.cpp:138: While parsing node number 3 [UnknownNode2 -> "
                             "\"out\"]:",
                             "ModelImporter.cpp:140: --- Begin node ---"}) +
      "input: \"in\"\nop_type: \"UnknownNode2\"\n\n" +
      stamped("[E] [TRT] ", {"ModelImporter.cpp:141: --- End node ---",
                             "ModelImporter.cpp:149: ERROR: onnxOpCheckers.cpp:923 In function "
                             "checkFallbackPluginImporter:"}) +
      "[6] creator && \"Plugin not found, are the plugin name, version, and namespace "
      "correct?\"\n" +
      closing("FAILED", ""));
  EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U);
  ASSERT_FALSE(log.build().messages.empty());
  EXPECT_NE(log.build().messages.back().text.find("\n[6] creator &&"), std::string::npos);
}

TEST(LogFacts, MemoryByLayerTimingCacheAndSizeOfTheGraph) {
  const Build build =
      parse_log(library_lines(
                    {"Original: 26 layers", "After dead-layer removal: 20 layers",
                     "Layer: Conv-1 + ReLU-2 Host Persistent: 1664 Device Persistent: 5120 "
                     "Scratch Memory: 64",
                     "Layer: a HostPersistent: 1 DevicePersistent: 2",
                     "Deleting timing cache: 72 entries, served 3 hits since creation.",
                     "[MemUsageStats] Peak memory usage during Engine building and serialization: "
                     "CPU: 1655 MiB",
                     "[DlaLayer] {ForeignNode[Conv_0]}", "[GpuLayer] SHUFFLE: Reshape_2"}))
          .build();
  EXPECT_EQ(build.graph_layers, 20U);
  ASSERT_EQ(build.memory.layers.size(), 2U);
  EXPECT_EQ(build.memory.layers[0].layer, "Conv-1 + ReLU-2");
  EXPECT_EQ(build.memory.layers[0].host_persistent_bytes, 1664);
  EXPECT_EQ(build.memory.layers[0].device_persistent_bytes, 5120);
  EXPECT_EQ(build.memory.layers[0].scratch_bytes, 64);
  EXPECT_FALSE(build.memory.layers[1].scratch_bytes);
  EXPECT_EQ(build.timing_cache_entries, 72U);
  EXPECT_EQ(build.timing_cache_hits, 3U);
  EXPECT_EQ(build.memory.peak_process_cpu_bytes, std::int64_t{1655} << 20);
  ASSERT_EQ(build.placements.size(), 2U);
  EXPECT_TRUE(build.placements[0].on_dla);
  EXPECT_EQ(build.placements[1].layer, "SHUFFLE: Reshape_2");
}

}  // namespace
}  // namespace trtlens::log_facts_test
