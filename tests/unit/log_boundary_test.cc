// Several builds in one log that no verdict line divides: where the next begins, and where none
// does.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::log_boundary_test {
namespace {

std::string python(const std::vector<std::string>& bodies, const std::string& severity = "[V] ") {
  return stamped("[TRT] " + severity, bodies);
}
std::string python_info(const std::vector<std::string>& bodies) {
  return python(bodies, "[I] ");
}
std::string head(const std::string& model) {
  return python_info({std::string(64, '-'), "Input filename:   " + model, "ONNX IR version:  0.0.8",
                      "Opset version:    17", std::string(64, '-')});
}
const std::string kInitCuda =
    "[MemUsageChange] Init CUDA: CPU +0, GPU +0, now: CPU 915, GPU 707 (MiB)";
const std::string kInitKernels =
    "[MemUsageChange] Init builder kernel library: CPU +522, GPU +10, now: CPU 885, GPU 470 (MiB)";
const std::string kTimingCache =
    "Local timing cache in use. Profiling results in this builder pass will not be stored.";
const std::string kPeak =
    "[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: CPU 6 MiB, GPU 37 MiB";
const std::string kLoaded = "Loaded engine size: 12 MiB";

// A build from the timing cache to its end.
std::string build_end() {
  return python_info({kTimingCache, "Detected 1 inputs and 2 output network tensors.", kPeak});
}

std::vector<std::uint64_t> first_lines(const std::string& text) {
  std::vector<std::uint64_t> lines;
  for (const Way way : {Way::usual, Way::no_short_cuts}) {
    std::vector<std::uint64_t> found;
    const ParsedLog log = parse_log(text, 200, way);
    EXPECT_EQ(log.lines.size(), log.result.lines);
    for (const Run& run : log.result.runs) found.push_back(run.first_line);
    if (way == Way::usual) lines = found;
    EXPECT_EQ(found, lines);
  }
  return lines;
}
using Lines = std::vector<std::uint64_t>;

TEST(Boundary, HeadOfTheNextModel) {
  const std::string one = head("a.onnx") + build_end() + python_info({kLoaded});
  EXPECT_EQ(first_lines(one), Lines({1}));
  const std::string text = one + "hello\n" + head("b.onnx") + build_end();
  // The rule above the head is of it.
  EXPECT_EQ(first_lines(text), Lines({1, 11}));
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.build(0).banner.at("ONNX/Input filename"), "a.onnx");
  EXPECT_EQ(log.build(1).banner.at("ONNX/Input filename"), "b.onnx");
  EXPECT_EQ(log.build(0).memory.engine_bytes, std::int64_t{12} << 20);
  EXPECT_FALSE(log.build(1).memory.engine_bytes);
}

// 10.16 loads its kernels for every build; what the library and a plugin print in front of that
// belongs to the next build, too.
TEST(Boundary, KernelsOfTheNextBuild) {
  const std::string one = python({kInitKernels, "Original: 2 layers"}) + build_end();
  const std::string next = python({
      "Trying to load shared library libnvinfer_builder_resource_sm90.so.10.16.2",
      "Loaded shared library libnvinfer_builder_resource_sm90.so.10.16.2",
      "CUDA lazy loading is enabled.",
  });
  const std::string plugin = "    0x468092c0[clone]\n";
  const std::string text =
      one + next + plugin + python_info({kInitKernels}) + plugin + python({"Original: 7 layers"});
  EXPECT_EQ(first_lines(text), Lines({1, 6}));
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.build(0).memory.steps.size(), 1U);
  ASSERT_EQ(log.build(1).memory.steps.size(), 1U);
  EXPECT_EQ(log.build(1).memory.steps[0].pos.line, 10U);
  EXPECT_EQ(log.lines[8].text, "    0x468092c0[clone]");
}

TEST(Boundary, AtInfoOnly) {
  const std::string one = python_info({kInitCuda, kInitKernels}) + build_end();
  EXPECT_EQ(first_lines(one + one + one), Lines({1, 6, 11}));
}

// 8.x builds a second engine with the builder that it has.
TEST(Boundary, SameBuilder) {
  const std::string one = python({"Original: 2 layers"}) + build_end();
  EXPECT_EQ(first_lines(one + one), Lines({1, 5}));
}

// A program's own ILogger, and Python's up to 8.0.
TEST(Boundary, OtherLoggers) {
  const std::string one = "[I] " + kInitCuda + "\n[I] [MemUsageSnapshot] Begin constructing " +
                          "builder kernel library: CPU 196 MiB, GPU 7 MiB\n[I] " + kTimingCache +
                          "\n[I] " + kPeak + "\n";
  EXPECT_EQ(first_lines(one + one), Lines({1, 5}));
  const std::string old =
      "[TensorRT] INFO: [MemUsageSnapshot] Builder begin: CPU 3107 MiB, GPU 9 "
      "MiB\n[TensorRT] INFO: " +
      kPeak + "\n";
  EXPECT_EQ(first_lines(old + old), Lines({1, 3}));
}

// Loading what was built, in the same program: 8.x makes a runtime, which prints as a builder does.
TEST(Boundary, NotWhereTheEngineIsLoaded) {
  const std::string one = head("a.onnx") + python({"Original: 2 layers"}) + build_end();
  const std::string loads =
      python_info({kInitCuda, kLoaded, kInitCuda,
                   "[MemUsageChange] TensorRT-managed allocation in IExecutionContext creation: "
                   "CPU +0, GPU +1, now: CPU 0, GPU 13 (MiB)"});
  EXPECT_EQ(first_lines(one + loads + loads), Lines({1}));
  EXPECT_EQ(first_lines(one + python_info({kInitCuda})), Lines({1}));
  // A builder that is only asked what the GPU can do.
  EXPECT_EQ(first_lines(one + python_info({kInitCuda, kInitKernels, kLoaded})), Lines({1}));
  EXPECT_EQ(first_lines(one + python_info({kInitCuda, kInitKernels})), Lines({1}));
  const ParsedLog log = parse_log(one + loads);
  EXPECT_EQ(log.build().memory.steps.size(), 3U);
  EXPECT_EQ(log.run().last_line, log.result.lines);
}

// The engine that collects the ranges is a build inside the build, with a peak of its own.
TEST(Boundary, NotAtTheCalibration) {
  const std::string graph = python({"Original: 2 layers"});
  EXPECT_EQ(first_lines(
                head("a.onnx") + graph + build_end() +
                python_info({"Starting Calibration.", "  Calibrated batch 0 in 0.0175533 seconds.",
                             "Calibration completed in 0.317902 seconds."}) +
                graph + build_end()),
            Lines({1}));
}

// Backend strategies repeat the whole tuning.
// Also where an ILogger prints the messages alone, and the calibrator lines of its own between
// them.
TEST(Boundary, NotAtTheCalibrationWithoutHeaders) {
  const std::string pass =
      "Original: 10 layers\n[MemUsageChange] TensorRT-managed allocation in building engine: CPU "
      "+0, GPU +10, now: CPU 0, GPU 10 (MiB)\n";
  EXPECT_EQ(first_lines(kInitCuda + "\nInput filename:   a.onnx\n" + pass +
                        "Calibrating batch 0 of 100\nStarting Calibration.\n  Calibrated batch 0 "
                        "in 0.5 seconds.\nCalibration completed in 3.2 seconds.\n" +
                        pass),
            std::vector<std::uint64_t>{1});
  EXPECT_EQ(first_lines(python_info({kInitCuda, "Input filename:   a.onnx", kPeak}) +
                        python_info({std::string(64, '-'), "Starting Calibration.",
                                     "Original: 10 layers"})),
            std::vector<std::uint64_t>{1});
}

TEST(Boundary, NotAtTheNextStrategy) {
  EXPECT_EQ(first_lines(python({"Original: 2 layers"}) +
                        python_info({kTimingCache, "Engine generation completed in 3.98 seconds.",
                                     kTimingCache, kPeak})),
            Lines({1}));
}

TEST(Boundary, NetworkBehindAnError) {
  const std::string error = python({"ModelImporter.cpp:780: While parsing node number 7"}, "[E] ");
  EXPECT_EQ(first_lines(head("a.onnx") + error + head("b.onnx") + build_end()), Lines({1, 7}));
  // In front of the first network no build has begun, and a build goes on behind an error.
  EXPECT_EQ(first_lines(error + head("a.onnx") + build_end()), Lines({1}));
  EXPECT_EQ(first_lines(head("a.onnx") + error + python({"Original: 2 layers"}) + build_end()),
            Lines({1}));
}

// trtexec says when it ends; refitting parses the model once more.
// What a runtime prints before the next model's head is the next build's, and no progress of the
// one that failed.
TEST(Boundary, AFailedBuildStaysFailed) {
  const std::string failed =
      head("a.onnx") +
      python({"ModelImporter.cpp:732: ERROR: In function f:", "no plugin"}, "[E] ");
  const ParsedLog log =
      parse_log(failed + python_info({kInitCuda, kInitKernels}) + head("b.onnx") + build_end());
  ASSERT_EQ(log.result.runs.size(), 2U);
  EXPECT_EQ(log.result.runs[0].outcome, Outcome::failed);
  EXPECT_EQ(log.result.runs[1].first_line, log.result.runs[0].last_line + 1);
}

TEST(Boundary, NotInsideTrtexec) {
  const auto lines = [](const std::vector<std::string>& bodies) {
    return stamped("[I] [TRT] ", bodies);
  };
  EXPECT_EQ(first_lines(running("--onnx=a.onnx") + lines({kInitCuda, kInitKernels, kPeak}) +
                        lines({"Input filename:   a.onnx", kLoaded}) +
                        closing("PASSED", "--onnx=a.onnx")),
            Lines({1}));
}

TEST(Boundary, PolygraphyIsOneRun) {
  const std::string build = "[I]     Input filename:   a.onnx\n[V] " + kPeak + "\n";
  EXPECT_EQ(first_lines("[I] RUNNING | Command: polygraphy run a.onnx --trt --trt\n" + build +
                        build + "[I] PASSED | Runtime: 3.5s | Command: polygraphy run a.onnx\n"),
            Lines({1}));
}

// ONNX Runtime builds an engine for each part of the model: one session.
TEST(Boundary, PartsOfOneModel) {
  const std::string header =
      "2024-05-17 17:06:02.351065690 [I:onnxruntime:log, tensorrt_execution_provider.h:83 log] "
      "[2024-05-17 17:06:02    INFO] ";
  const std::string part =
      header + kInitKernels + "\n" + header + kTimingCache + "\n" + header + kPeak + "\n";
  EXPECT_EQ(first_lines(part + part), Lines({1}));
  // Behind a script's build it is another program.
  EXPECT_EQ(first_lines(build_end() + part + part), Lines({1, 4}));
}

TEST(Boundary, ScriptBehindAKilledTrtexec) {
  const std::string killed = running("--onnx=a.onnx") + stamped("[I] [TRT] ", {kInitCuda});
  EXPECT_EQ(first_lines(killed + python_info({kInitCuda, kLoaded})), Lines({1, 3}));
  EXPECT_EQ(first_lines(killed + python_info({kLoaded})), Lines({1}));
}

TEST(Boundary, PolygraphyBehindTrtexec) {
  const std::string script =
      "[I] Building engine with configuration:\n[I] Finished engine "
      "building in 3.5 seconds\n";
  const std::string open = running("--onnx=a.onnx") + stamped("[I] [TRT] ", {kInitCuda});
  EXPECT_EQ(first_lines(open + closing("PASSED", "--onnx=a.onnx") + script), Lines({1, 4}));
  EXPECT_EQ(first_lines(open + script), Lines({1}));
}

// Lines that wait for one that tells are read as ever, however many they are.
TEST(Boundary, ManyLinesBetween) {
  std::string text = python({"Original: 2 layers"}) + build_end() + python_info({kInitKernels});
  for (int i = 0; i < 1500; ++i) text += "step " + std::to_string(i) + "\n";
  text += python_info({kTimingCache});
  EXPECT_EQ(first_lines(text), Lines({1}));
  EXPECT_EQ(parse_log(text).lines[1000].text, "step 995");
}

}  // namespace
}  // namespace trtlens::log_boundary_test
