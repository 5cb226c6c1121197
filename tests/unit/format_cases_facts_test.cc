// The traps of reference/format-cases.md that concern facts trtexec prints itself: banner and
// device (29-37), performance (38-47), profile table (48-54). One test a case, its lines verbatim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::format_cases_facts_test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;
using testing::Pair;

const std::string kHead3 = "   Layer   Time (ms)   Avg. Time (ms)   Time %";
const std::string kHead4 = "   Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %";
const std::string kHead86 = "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer";

Build own(const std::vector<std::string>& bodies) {
  return parse_log(running("--onnx=m.onnx") + own_lines(bodies)).build();
}

std::string row(const Build& build, const std::string& key) {
  const auto found = build.banner.find(key);
  return found == build.banner.end() ? "(no such row)" : found->second;
}

// Nothing of what trtexec printed is left over.
void expect_all_read(const ParsedLog& log) {
  for (const SeenLine& line : log.lines) {
    EXPECT_NE(line.line_class, LineClass::unknown) << line.text;
    EXPECT_NE(line.line_class, LineClass::malformed) << line.text;
  }
}

std::vector<std::string> names(const Build& build) {
  std::vector<std::string> found;
  for (const Layer& layer : build.layers) found.push_back(layer.name);
  return found;
}

ParsedLog profile(std::vector<std::string> rows, const std::string& iterations = "309") {
  rows.insert(rows.begin(), "=== Profile (" + iterations + " iterations ) ===");
  rows.emplace_back("");
  return parse_log(running("--loadEngine=m --dumpProfile") + own_lines(rows));
}

// ---- C. Banner, options, device ----

TEST(FormatCase29, ColonRichValues) {
  const Build build =
      own({"=== Build Options ===",
           "Memory Pools: workspace: 0.000976562 MiB, dlaSRAM: default, dlaLocalDRAM: default, "
           "dlaGlobalDRAM: default, tacticSharedMem: default"});
  EXPECT_EQ(row(build, "Build Options/Memory Pools"),
            "workspace: 0.000976562 MiB, dlaSRAM: default, dlaLocalDRAM: default, dlaGlobalDRAM: "
            "default, tacticSharedMem: default");
}

TEST(FormatCase30, LabelsWithoutABlank) {
  const Build build = own({"=== System Options ===", "Plugins:", "setPluginsToSerialize:",
                           "dynamicPlugins:", "ignoreParsedPluginLibs: 0", "",
                           "=== Reporting Options ===", "Dump refittable layers:Disabled",
                           "Dump output: Disabled"});
  EXPECT_EQ(row(build, "Reporting Options/Dump refittable layers"), "Disabled");
  EXPECT_EQ(row(build, "Reporting Options/Dump output"), "Disabled");
  EXPECT_EQ(row(build, "System Options/Plugins"), "");
  EXPECT_EQ(row(build, "System Options/setPluginsToSerialize"), "");
  EXPECT_EQ(row(build, "System Options/ignoreParsedPluginLibs"), "0");
}

TEST(FormatCase31, TyposOfNvidia) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx") +
      own_lines({"=== Build Options ===", "Input(s)s format: fp32:CHW",
                 "Output(s)s format: fp16:CHW", ""}) +
      library_lines(
          {"Using cublas a tactic source",
           "Found regisitered local function: LayerNorm. Checking as a local function."}) +
      stamped("[W] [TRT] ", {"Skipping tactic 3 due to insuficient memory on requested size of "
                             "2243 detected for tactic 4."}));
  expect_all_read(log);
  EXPECT_EQ(row(log.build(), "Build Options/Input(s)s format"), "fp32:CHW");
  EXPECT_EQ(row(log.build(), "Build Options/Output(s)s format"), "fp16:CHW");
  EXPECT_EQ(log.build().tactics_skipped, 1U);
}

TEST(FormatCase32, ShapesOfNamesWithColons) {
  const Build build =
      own({"=== Build Options ===", "Input build shape: x:0=1x1x28x28+4x1x28x28+16x1x28x28",
           "Input build shape: a=b:1=1x8+2x8+4x8", "Input calibration shapes: model"});
  EXPECT_EQ(row(build, "Build Options/Input build shape"),
            "x:0=1x1x28x28+4x1x28x28+16x1x28x28, a=b:1=1x8+2x8+4x8");
  EXPECT_EQ(row(build, "Build Options/Input calibration shapes"), "model");
  ASSERT_EQ(build.io_tensors.size(), 2U);
  EXPECT_EQ(build.io_tensors[0].tensor.name, "x:0");
  EXPECT_THAT(build.io_tensors[0].tensor.dims, ElementsAre(-1, 1, 28, 28));
  EXPECT_EQ(build.io_tensors[1].tensor.name, "a=b:1");
  EXPECT_THAT(build.io_tensors[1].tensor.dims, ElementsAre(-1, 8));
  // A better source is not added to, and what cannot be told apart is left alone.
  EXPECT_EQ(own({"=== Build Options ===", "Input build shape (profile 0): x=1x8+2x8+4x8", "",
                 "Input binding for x with dimensions 2x8 is created."})
                .io_tensors.size(),
            1U);
  EXPECT_THAT(own({"=== Build Options ===", "Input build shape: a, b=1x8+2x8+4x8"}).io_tensors,
              IsEmpty());
}

TEST(FormatCase33, BlankInFrontOfTheColon) {
  const Build build = own({"=== Inference Options ===", "Input inference shape : x=4x1x28x28",
                           "Input inference shape : y=4x8"});
  EXPECT_EQ(row(build, "Inference Options/Input inference shape"), "x=4x1x28x28, y=4x8");
  const Build old = own({"=== Inference Options ===", "Input inference shape: x:0=4x1x28x28"});
  EXPECT_EQ(row(old, "Inference Options/Input inference shape"), "x:0=4x1x28x28");
}

TEST(FormatCase34, PrecisionLineIsWhatIsAllowed) {
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx --fp16") +
                own_lines({"=== Build Options ===", "Precision: FP32+FP16", ""}) +
                library_lines({"Engine Layer Information:"}) +
                "Layer(CaskConvolution): conv, Tactic: 0x1, x (Float[1,3]) -> y (Float[1,8])\n");
  EXPECT_THAT(log.build().allowed.labels, ElementsAre("FP32", "FP16"));
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].inputs.at(0).type, DataType::fp32);
  EXPECT_EQ(log.build().layers[0].outputs.at(0).type, DataType::fp32);

  const Build typed = own({"=== Build Options ===", "Precision: Strongly Typed"});
  EXPECT_TRUE(typed.allowed.strongly_typed);
  EXPECT_THAT(typed.allowed.labels, IsEmpty());
  const Build obeyed =
      own({"=== Build Options ===", "Precision: FP32+FP16+INT8 (obey precision constraints)"});
  EXPECT_THAT(obeyed.allowed.labels, ElementsAre("FP32", "FP16", "INT8"));
  EXPECT_FALSE(obeyed.allowed.strongly_typed);
}

TEST(FormatCase35, MissingPartsOfTheBanner) {
  const ParsedLog log = parse_log(
      running("--loadEngine=FM_P_D_fp16.engine --shapes=x:1x128x100x160", "100200") +
      own_lines({"=== Model Options ===", "Format: *", "Model: ", "Output:", "",
                 "=== System Options ===", "Device: 0", "=== Inference Options ===", "Batch: 1", "",
                 "Input binding for x with dimensions 4x128x100x160 is created."}));
  expect_all_read(log);
  const Build& build = log.build();
  EXPECT_EQ(row(build, "Model Options/Format"), "*");
  EXPECT_EQ(row(build, "System Options/Device"), "0");
  for (const auto& [key, value] : build.banner) EXPECT_NE(key.substr(0, 6), "Build ") << key;
  EXPECT_THAT(build.allowed.labels, IsEmpty());  // not known, and not FP32
  EXPECT_EQ(build.inference.batch, 4);           // of the binding, not of "Batch: 1"
}

TEST(FormatCase36, DeviceBlocks) {
  const Build build = own(
      {"=== Device Information ===", "Available Devices:",
       "  Device 0: \"NVIDIA T400 4GB\" UUID: GPU-31e9692b",
       "  Device 1: \"NVIDIA H100 PCIe\" UUID: GPU-62b7f0b1", "Selected Device: NVIDIA H100 PCIe",
       "Selected Device ID: 1", "Selected Device UUID: GPU-62b7f0b1", "Compute Capability: 9.0",
       "SMs: 114", "Device Global Memory: 81081 MiB", "Shared Memory per SM: 228 KiB",
       "Memory Bus Width: 5120 bits (ECC enabled)", "Application Compute Clock Rate: 1.755 GHz",
       "Application Memory Clock Rate: 1.593 GHz", ""});
  ASSERT_TRUE(build.gpu.has_value());
  EXPECT_EQ(build.gpu->name, "NVIDIA H100 PCIe");
  EXPECT_EQ(build.gpu->sm(), 90);
  EXPECT_EQ(build.gpu->sms, 114);
  EXPECT_EQ(build.gpu->memory_bytes, std::int64_t{81081} << 20);
  EXPECT_EQ(build.gpu->memory_bus_bits, 5120);
  EXPECT_THAT(build.gpu->compute_clock_ghz, Optional(DoubleEq(1.755)));
  EXPECT_THAT(build.gpu->memory_clock_ghz, Optional(DoubleEq(1.593)));

  const Build jetson = own({"=== Device Information ===", "Selected Device: Xavier",
                            "Compute Capability: 7.2", "SMs: 8", ""});
  ASSERT_TRUE(jetson.gpu.has_value());
  EXPECT_EQ(jetson.gpu->name, "Xavier");
  EXPECT_FALSE(jetson.gpu->compute_clock_ghz.has_value());
  EXPECT_FALSE(jetson.gpu->memory_bus_bits.has_value());
}

TEST(FormatCase37, BudgetOfAStreamingThatIsOff) {
  const Build build = own({"=== Build Options ===", "Weight Streaming: Disabled",
                           "=== Inference Options ===", "Weight Streaming Budget: 100.000000%"});
  EXPECT_EQ(row(build, "Build Options/Weight Streaming"), "Disabled");
  EXPECT_EQ(row(build, "Inference Options/Weight Streaming Budget"), "100.000000%");
}

// ---- D. Performance numbers ----

TEST(FormatCase38, ExplanationsAreNoMetrics) {
  const std::string latency = "Latency: min = 1 ms, max = 3 ms, mean = 2 ms, median = 2 ms";
  const std::string walltime =
      "the host walltime from when the first query (after warmups) is enqueued to when the last "
      "query is completed.";
  const std::string throughput =
      "the observed throughput computed by dividing the number of queries by the Total Host "
      "Walltime. If this is significantly lower than the reciprocal of GPU Compute Time, the GPU "
      "may be under-utilized.";
  const ParsedLog log = parse_log(
      running("--loadEngine=m --verbose") +
      own_lines({"=== Performance summary ===", "Throughput: 6182.1 qps", latency,
                 "Total Host Walltime: 3.00013 s", ""}) +
      stamped("[V] ",
              {"", "=== Explanations of the performance metrics ===",
               "Total Host Walltime: " + walltime, "Throughput: " + throughput,
               "Latency: the summation of H2D Latency, GPU Compute Time, and D2H Latency."}) +
      own_lines({""}));
  expect_all_read(log);
  EXPECT_THAT(log.build().performance.throughput_qps, Optional(DoubleEq(6182.1)));
  EXPECT_THAT(log.build().performance.host_walltime_s, Optional(DoubleEq(3.00013)));
  ASSERT_TRUE(log.build().performance.latency.has_value());
  EXPECT_THAT(log.build().performance.latency->median_ms, Optional(DoubleEq(2)));
}

TEST(FormatCase39, ZeroQueriesOf7x) {
  const ParsedLog log =
      parse_log("&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m.onnx --explicitBatch\n" +
                own_lines({"Warmup completed 0 queries over 200 ms",
                           "Timing trace has 0 queries over 3.00461 s", "throughput: 0 qps"}));
  expect_all_read(log);
  EXPECT_FALSE(log.build().performance.throughput_qps.has_value());
  EXPECT_FALSE(log.build().performance.queries.has_value());
}

TEST(FormatCase40, HostLatencyBlockOf7x) {
  const std::vector<std::string> blocks = {
      "min: 1.64058 ms (end to end 1.66368 ms)",
      "max: 6.2915 ms (end to end 7.65552 ms)",
      "mean: 1.66069 ms (end to end 3.00909 ms)",
      "median: 1.65601 ms (end to end 3.01636 ms)",
      "percentile: 1.67065 ms at 99% (end to end 3.03931 ms at 99%)",
      "throughput: 602.3 qps",
      "walltime: 3.00461 s",
      "Enqueue Time",
      "min: 0.92 ms",
      "max: 1.99 ms",
      "median: 1.01 ms",
      "GPU Compute",
      "min: 1.54 ms",
      "max: 6.19 ms",
      "mean: 1.56 ms",
      "median: 1.55 ms",
      "percentile: 1.58 ms at 99%",
      "total compute time: 2.97 s"};
  for (const char* head : {"Host latency", "Host Latency"}) {  // 7.0; 7.1 and 7.2
    std::vector<std::string> lines = {head};
    lines.insert(lines.end(), blocks.begin(), blocks.end());
    const ParsedLog log = parse_log(running("--onnx=m.onnx") + own_lines(lines));
    expect_all_read(log);
    const Performance& p = log.build().performance;
    ASSERT_TRUE(p.latency.has_value() && p.enqueue.has_value() && p.gpu_compute.has_value());
    EXPECT_THAT(p.latency->min_ms, Optional(DoubleEq(1.64058)));
    EXPECT_THAT(p.latency->percentiles_ms, ElementsAre(Pair("99", 1.67065)));
    EXPECT_THAT(p.enqueue->max_ms, Optional(DoubleEq(1.99)));
    EXPECT_EQ(p.enqueue->mean_ms, std::nullopt);
    EXPECT_THAT(p.enqueue->percentiles_ms, IsEmpty());
    EXPECT_THAT(p.gpu_compute->max_ms, Optional(DoubleEq(6.19)));
    EXPECT_THAT(p.gpu_compute->percentiles_ms, ElementsAre(Pair("99", 1.58)));
    EXPECT_THAT(p.throughput_qps, Optional(DoubleEq(602.3)));
    EXPECT_THAT(p.host_walltime_s, Optional(DoubleEq(3.00461)));
    EXPECT_THAT(p.gpu_compute_total_s, Optional(DoubleEq(2.97)));
  }
}

TEST(FormatCase41, PercentilesNoneSeveralFractionalInfinite) {
  const std::string first = "min = 0.25 ms, max = 1 ms, mean = 0.5 ms, median = 0.5 ms";
  const Build build =
      own({"=== Performance summary ===", "Enqueue Time: " + first,
           "Latency: " + first + ", percentile(90%) = 0.6 ms, percentile(99.9%) = 0.9 ms",
           "GPU Compute Time: " + first + ", percentile(90%) = inf ms, percentile(99%) = 0.7 ms"});
  const Performance& p = build.performance;
  ASSERT_TRUE(p.enqueue.has_value() && p.latency.has_value() && p.gpu_compute.has_value());
  EXPECT_THAT(p.enqueue->percentiles_ms, IsEmpty());
  EXPECT_THAT(p.enqueue->median_ms, Optional(DoubleEq(0.5)));
  EXPECT_THAT(p.latency->percentiles_ms, ElementsAre(Pair("90", 0.6), Pair("99.9", 0.9)));
  EXPECT_THAT(p.gpu_compute->percentiles_ms, ElementsAre(Pair("99", 0.7)));
}

TEST(FormatCase42, OmittedLinesAreQueries) {
  const std::string average =
      "Average on 10 runs - GPU latency: 0.0357 ms - Host latency: 0.0438 ms (enqueue 0.0270 ms)";
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx") +
                own_lines({"Timing trace has 46125 queries over 3.00013 s", "",
                           "=== Trace details ===", "Trace averages of 10 runs:", average, average,
                           "... Omitting 42125 lines", average}));
  expect_all_read(log);
  EXPECT_EQ(log.result.lines, 9U);
  EXPECT_EQ(log.build().trace.size(), 3U);
  EXPECT_EQ(log.build().performance.queries, 46125U);
}

TEST(FormatCase43, NoSummaryBesideTheProfiler) {
  const ParsedLog log = parse_log(
      running("--loadEngine=m --dumpProfile", "8502") +
      own_lines({"The e2e network timing is not reported since it is inaccurate due to the extra "
                 "synchronizations when the profiler is enabled.",
                 "To show e2e network timing report, add --separateProfileRun to profile layer "
                 "timing in a separate run or remove --dumpProfile to disable the profiler."}));
  expect_all_read(log);
  EXPECT_FALSE(log.build().performance.latency.has_value());
  EXPECT_FALSE(log.build().performance.throughput_qps.has_value());
  ASSERT_EQ(log.build().messages.size(), 1U);  // that it is missing, and why
  EXPECT_THAT(log.build().messages[0].text, testing::HasSubstr("is not reported"));
}

TEST(FormatCase44, WarningsOfTheReportAreOnStandardError) {
  const std::vector<std::string> summary = {
      "=== Performance summary ===", "Throughput: 100 qps",
      "GPU Compute Time: min = 1 ms, max = 9 ms, mean = 2 ms, median = 2 ms"};
  // Standard output alone: nothing is known of the stability, and that is not "stable".
  EXPECT_EQ(own(summary).performance.coeff_var, std::nullopt);
  // Standard error merged into the middle of the block: the block goes on.
  const ParsedLog log = parse_log(
      running("--onnx=m") + own_lines({summary[0], summary[1]}) +
      stamped("[W] ", {"* GPU compute time is unstable, with coefficient of variance = 6.58751%.",
                       "  If not already in use, locking GPU clock frequency or adding "
                       "--useSpinWait may improve the stability."}) +
      own_lines({summary[2]}));
  expect_all_read(log);
  EXPECT_THAT(log.build().performance.coeff_var, Optional(testing::DoubleNear(0.0658751, 1e-9)));
  EXPECT_TRUE(log.build().performance.gpu_compute.has_value());
}

TEST(FormatCase45, CoefficientOfVariance) {
  const auto unstable = [](const std::string& percent) {
    return parse_log(running("--onnx=m") +
                     stamped("[W] ", {"* GPU compute time is unstable, with coefficient of "
                                      "variance = " +
                                      percent + "%."}))
        .build();
  };
  EXPECT_THAT(unstable("6.58751").performance.coeff_var,
              Optional(testing::DoubleNear(0.0658751, 1e-9)));
  EXPECT_EQ(unstable("inf").performance.coeff_var, std::nullopt);
  EXPECT_EQ(unstable("inf").messages.size(), 1U);
}

TEST(FormatCase46, DefaultsOf11) {
  const std::string same = "min = 0.035 ms, max = 0.05 ms, mean = 0.04 ms, median = 0.04 ms";
  const std::string none = "min = 0 ms, max = 0 ms, mean = 0 ms, median = 0 ms";
  const ParsedLog log = parse_log(
      running("--onnx=m", "110100") +
      own_lines({"=== Inference Options ===", "Data transfers: Disabled", "Spin-wait: Enabled",
                 "CUDA Graph: Enabled", "",
                 "Accuracy loss for tensor T (L2): 0.001234 [FAIL: >= threshold 0.010000]",
                 "=== Performance summary ===", "Throughput: 15374.321289 qps", "Latency: " + same,
                 "H2D Latency: " + none, "GPU Compute Time: " + same, "D2H Latency: " + none}));
  expect_all_read(log);
  const Build& build = log.build();
  EXPECT_EQ(build.inference.cuda_graph, true);
  EXPECT_EQ(build.inference.spin_wait, true);
  EXPECT_EQ(build.inference.data_transfers, false);
  EXPECT_THAT(build.performance.throughput_qps, Optional(DoubleEq(15374.321289)));
  EXPECT_THAT(build.performance.h2d->max_ms, Optional(DoubleEq(0)));
  EXPECT_EQ(build.performance.latency->median_ms, build.performance.gpu_compute->median_ms);
}

TEST(FormatCase47, FormsOfNumbers) {
  const Build build =
      own({"=== Performance summary ===",
           "Latency: min = 9.53674e-07 ms, max = 1.28e+06 ms, mean = 4 ms, median = nan ms",
           "Enqueue Time: min = 4 ms, max = -nan ms, mean = inf ms, median = 5 ms"});
  ASSERT_TRUE(build.performance.latency.has_value() && build.performance.enqueue.has_value());
  EXPECT_THAT(build.performance.latency->min_ms, Optional(DoubleEq(9.53674e-07)));
  EXPECT_THAT(build.performance.latency->max_ms, Optional(DoubleEq(1.28e+06)));
  EXPECT_THAT(build.performance.latency->mean_ms, Optional(DoubleEq(4)));
  EXPECT_EQ(build.performance.latency->median_ms, std::nullopt);
  EXPECT_EQ(build.performance.enqueue->max_ms, std::nullopt);
  EXPECT_EQ(build.performance.enqueue->mean_ms, std::nullopt);
}

// ---- E. Profile table ----

TEST(FormatCase48, OldLayoutNamesFirst) {
  const std::string node = "{ForeignNode[lstm_W...Max_reduce_min]}";
  const std::string copy = "Reformatting CopyNode for Output Tensor 1 to " + node;
  const std::string wide(40, ' ');  // names stand at the right of their column
  const ParsedLog log =
      profile({kHead4,
               wide + wide +
                   "[HostToDeviceCopy 0]       16.77           0.0543             0.0285      0.5",
               wide + copy + "       17.29           0.0560             0.0420      0.6",
               wide + node + "     2130.62           6.8952             6.2962     69.4",
               wide + wide + "Total     3068.65           9.9309             9.1586    100.0"});
  expect_all_read(log);
  EXPECT_THAT(names(log.build()), ElementsAre("[HostToDeviceCopy 0]", copy, node));
  EXPECT_DOUBLE_EQ(log.build().layers[2].time->mean_ms, 6.8952);
  EXPECT_THAT(log.build().layers[2].time->median_ms, Optional(DoubleEq(6.2962)));
  EXPECT_THAT(log.build().layers[2].time->total_ms, Optional(DoubleEq(2130.62)));
}

TEST(FormatCase49, NewLayoutNumbersFirst) {
  const ParsedLog log = profile({
      kHead86,
      "      31.40       0.0017       0.0018       2.1   __mye59_0_myl0_0",
      "     101.96       0.0056       0.0044       6.7   12 34.5 Conv",
      "     101.96       0.0056       0.0044       6.7      three blanks more",
  });
  EXPECT_THAT(names(log.build()),
              ElementsAre("__mye59_0_myl0_0", "12 34.5 Conv", "   three blanks more"));
  EXPECT_DOUBLE_EQ(log.build().layers[1].time->mean_ms, 0.0056);
}

TEST(FormatCase50, TouchingColumns) {
  const ParsedLog wide = profile({kHead86, "12345678.90     0.1234       0.1200       2.1   conv"});
  ASSERT_THAT(names(wide.build()), ElementsAre("conv"));
  EXPECT_DOUBLE_EQ(wide.build().layers[0].time->mean_ms, 0.1234);
  // Where numbers touch, their decimals tell them apart.
  for (const std::string row : {"123456789.00123.4567       0.1234       2.1   conv",
                                "123456789.00123.4567123456.1234       2.1   conv"}) {
    const ParsedLog log = profile({kHead86, row});
    ASSERT_THAT(names(log.build()), ElementsAre("conv")) << row;
    EXPECT_EQ(log.build().layers[0].time->total_ms, 123456789);
    EXPECT_EQ(log.build().layers[0].time->mean_ms, 123.4567);
  }
  // Another number of decimals is no row, and no guess.
  const ParsedLog log = profile({kHead86, "123456789.001234567       0.1234       2.1   conv"});
  EXPECT_THAT(names(log.build()), IsEmpty());
}

TEST(FormatCase51, ALayerNamedTotal) {
  const ParsedLog log = profile({
      kHead4,
      "   Total     1.00           0.1000             0.1000      nan",
      "   Layer     1.00           0.2000             0.2000      nan",
      "   Total     2.00           0.3000             0.3000    100.0",
  });
  EXPECT_THAT(names(log.build()), ElementsAre("Total", "Layer"));
  EXPECT_DOUBLE_EQ(log.build().layers[0].time->mean_ms, 0.1);
}

TEST(FormatCase52, HeadsWithAndWithoutMedian) {
  const ParsedLog old = profile({kHead3, "   conv     16.77           0.0543      0.5"});
  ASSERT_THAT(names(old.build()), ElementsAre("conv"));
  EXPECT_DOUBLE_EQ(old.build().layers[0].time->mean_ms, 0.0543);
  EXPECT_EQ(old.build().layers[0].time->median_ms, std::nullopt);
  // 7.0 and 7.1 print the average with two decimals.
  const ParsedLog older = profile({kHead3, "   conv     16.77             0.05      0.5"});
  EXPECT_DOUBLE_EQ(older.build().layers.at(0).time->quantum_ms, 0.01);
  const ParsedLog modern = profile({kHead86, "   1.00   0.5000   0.4000   9.0   conv"});
  EXPECT_THAT(modern.build().layers.at(0).time->median_ms, Optional(DoubleEq(0.4)));
}

TEST(FormatCase53, IterationsAsPrinted) {
  // The profiler counts an iteration whenever the first layer's name comes by: twice 309 here. The
  // means are those of the table, never recomputed from totals and iterations.
  const ParsedLog log = profile(
      {
          kHead86,
          "      61.80       0.1000       0.1000      66.7   copy",
          "      30.90       0.0500       0.0500      33.3   conv",
          "      92.70       0.1500       0.1500     100.0   Total",
      },
      "618");
  EXPECT_EQ(log.build().profile_iterations, 618U);
  ASSERT_EQ(log.build().layers.size(), 2U);
  EXPECT_DOUBLE_EQ(log.build().layers[0].time->mean_ms, 0.1);
  EXPECT_THAT(log.build().layers[0].time->total_ms, Optional(DoubleEq(61.8)));
}

TEST(FormatCase54, RowsAreNotLayers) {
  const ParsedLog log = parse_log(
      running("--onnx=m --verbose --dumpProfile", "101601") +
      library_lines({"Engine Layer Information:"}) +
      "Layer(Myelin): {ForeignNode[a...b]}, Tactic: 0x0000000000000000, x (Half[1,8]) -> y "
      "(Half[1,8])\n"
      "Layer(NoOp): shuffle, Tactic: 0x0000000000000000, y (Half[1,8]) -> z (Half[8])\n" +
      own_lines({"=== Profile (10 iterations ) ===", kHead86,
                 "       1.00       0.1000       0.1000      50.0   __mye59_0_myl0_0",
                 "       1.00       0.1000       0.1000      50.0   __myl_Fc_myl0_1",
                 "       2.00       0.2000       0.2000     100.0   Total"}));
  const Build& build = log.build();
  // What one source alone names is listed: layers without a time, rows without tensors.
  EXPECT_THAT(names(build), ElementsAre("{ForeignNode[a...b]}", "shuffle", "__mye59_0_myl0_0",
                                        "__myl_Fc_myl0_1"));
  EXPECT_FALSE(build.layers[0].time.has_value());
  EXPECT_FALSE(build.layers[1].time.has_value());
  EXPECT_THAT(build.layers[0].inputs, Not(IsEmpty()));
  ASSERT_TRUE(build.layers[2].time.has_value());
  EXPECT_THAT(build.layers[2].inputs, IsEmpty());
}

}  // namespace
}  // namespace trtlens::format_cases_facts_test
