// What trtexec was told and what it says of the engine beside its speed: rows of the banner,
// optimization profiles, streams, deserialization, plan version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "parsers/join/join.h"
#include "report/document/document.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/log_sample.h"

namespace trtlens::configuration_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

Build build_of(const std::vector<std::string>& lines, const std::string& arguments = "--onnx=m") {
  return parse_log(running(arguments) + own_lines(lines) + closing("PASSED", arguments)).build();
}

std::vector<std::string> banner(const std::vector<std::string>& build,
                                const std::vector<std::string>& inference = {},
                                const std::vector<std::string>& system = {}) {
  std::vector<std::string> lines = {"=== Build Options ==="};
  lines.insert(lines.end(), build.begin(), build.end());
  lines.emplace_back("=== System Options ===");
  lines.insert(lines.end(), system.begin(), system.end());
  lines.emplace_back("=== Inference Options ===");
  lines.insert(lines.end(), inference.begin(), inference.end());
  return lines;
}

// Rows as 8.5 and 10.16 print them when only the model is given.
TEST(Configuration, OfTheDefaultsNothingIsSaid) {
  const Build build = build_of(banner(
      {"Max batch: explicit batch",
       "Memory Pools: workspace: default, dlaSRAM: default, dlaLocalDRAM: default, dlaGlobalDRAM: "
       "default, tacticSharedMem: default",
       "minTiming: 1", "avgTiming: 8", "Precision: FP32+FP16",
       "LayerPrecisions: ", "Calibration: Dynamic", "Refit: Disabled", "Sparsity: Disabled",
       "Profiling verbosity: 0", "Tactic sources: Using default tactic sources",
       "timingCacheMode: local", "Preview Features: Use default preview flags.",
       "MaxAuxStreams: -1", "BuilderOptimizationLevel: -1", "Calibration Profile Index: 0",
       "Input(s)s format: fp32:CHW", "Input build shapes: model", "Save engine: m.plan"},
      {"Batch: Explicit", "Iterations: 10", "Duration: 3s (+ 200ms warm up)", "Sleep time: 0ms",
       "Streams: 4", "CUDA Graph: Enabled", "Weight Streaming Budget: 100.000000%"},
      {"Device: 0", "DLACore: ", "Plugins:"}));
  EXPECT_THAT(changed_options(build), IsEmpty());
}

TEST(Configuration, WhatIsNoDefaultIsSaid) {
  const Build build = build_of(
      banner({"Memory Pools: workspace: 1024 MiB, dlaSRAM: default", "Calibration: r18.cache",
              "Refit: Enabled", "Sparsity: Enabled", "Profiling verbosity: 2",
              "Tactic sources: cudnn [OFF], ", "BuilderOptimizationLevel: 0", "MaxAuxStreams: 0",
              "avgTiming: 16", "Precision: FP32+INT8"},
             {"Duration: 10s (+ 500ms warm up)", "Streams: 2", "Time Deserialize: Enabled"},
             {"Device: 1", "DLACore: 0"}));
  EXPECT_THAT(
      changed_options(build),
      ElementsAre(Pair("Build Options/BuilderOptimizationLevel", "0"),
                  Pair("Build Options/Calibration", "r18.cache"),
                  Pair("Build Options/MaxAuxStreams", "0"),
                  Pair("Build Options/Memory Pools", "workspace: 1024 MiB, dlaSRAM: default"),
                  Pair("Build Options/Profiling verbosity", "2"),
                  Pair("Build Options/Refit", "Enabled"), Pair("Build Options/Sparsity", "Enabled"),
                  Pair("Build Options/Tactic sources", "cudnn [OFF],"),
                  Pair("Build Options/avgTiming", "16"),
                  Pair("Inference Options/Duration", "10s (+ 500ms warm up)"),
                  Pair("Inference Options/Time Deserialize", "Enabled"),
                  Pair("System Options/DLACore", "0"), Pair("System Options/Device", "1")));
}

// What is the default of most rows is none of a row that has another.
TEST(Configuration, DisabledOrZeroIsNotEveryRowsDefault) {
  const Build build =
      build_of(banner({"Enable Compilation Cache: Disabled", "minTiming: 0", "avgTiming: 0",
                       "Refit: Disabled", "Calibration: ", "BuilderOptimizationLevel: 3"},
                      {"Iterations: 0", "Weight Streaming Budget: Disabled"}));
  EXPECT_THAT(
      changed_options(build),
      ElementsAre(Pair("Build Options/Enable Compilation Cache", "Disabled"),
                  Pair("Build Options/avgTiming", "0"), Pair("Build Options/minTiming", "0"),
                  Pair("Inference Options/Iterations", "0")));
}

void expect_profile(const OptimizationProfile& one, int index, const std::string& input,
                    std::vector<std::int64_t> min, std::vector<std::int64_t> max) {
  EXPECT_EQ(one.shapes.profile, index);
  EXPECT_EQ(one.input, input);
  EXPECT_EQ(one.shapes.min.values(), min);
  EXPECT_EQ(one.shapes.max.values(), max);
}

TEST(OptimizationProfiles, OfTheBuilderByProfile) {
  const Build build = build_of(
      {"Set shape of input tensor x for optimization profile 1 to: MIN=8x3 OPT=16x3 MAX=32x3",
       "Set shape of input tensor x for optimization profile 0 to: MIN=1x3 OPT=4x3 MAX=8x3",
       "Set input shape tensor s for optimization profile 0 to: MIN=1 OPT=2 MAX=3",
       "Set shape of input tensor x for optimization profile 0 to: MIN=9x9 OPT=9x9 MAX=9x9"});
  const auto& profiles = build.optimization_profiles;
  ASSERT_EQ(profiles.size(), 3U);
  expect_profile(profiles[0], 0, "x", {1, 3}, {8, 3});  // the first that is said of it
  expect_profile(profiles[1], 0, "s", {1}, {3});
  EXPECT_TRUE(profiles[1].shape_tensor);
  EXPECT_FALSE(profiles[0].shape_tensor);
  expect_profile(profiles[2], 1, "x", {8, 3}, {32, 3});
  EXPECT_EQ(profiles[2].shapes.opt.values(), std::vector<std::int64_t>({16, 3}));
}

TEST(OptimizationProfiles, OfTheEngine) {
  const Build build = build_of({"Optimization Profile Information:",
                                "Model input x (profile 0): min=1x28, opt=4x28, max=16x28"},
                               "--loadEngine=m.plan");
  ASSERT_EQ(build.optimization_profiles.size(), 1U);
  expect_profile(build.optimization_profiles[0], 0, "x", {1, 28}, {16, 28});
}

// Up to 8.6 the banner alone says it, and a name may hold ":" and "=".
TEST(OptimizationProfiles, OfTheBanner) {
  const Build one =
      build_of(banner({"Input build shape: x:0=1x28+4x28+16x28", "Input build shape: y=1=1+2+3"}));
  ASSERT_EQ(one.optimization_profiles.size(), 2U);
  expect_profile(one.optimization_profiles[0], 0, "x:0", {1, 28}, {16, 28});
  expect_profile(one.optimization_profiles[1], 0, "y=1", {1}, {3});
  const Build two = build_of(banner({"Input build shape (profile 0): x=1x28+4x28+16x28",
                                     "Input build shape (profile 1): x=8x28+8x28+8x28"}));
  ASSERT_EQ(two.optimization_profiles.size(), 2U);
  expect_profile(two.optimization_profiles[1], 1, "x", {8, 28}, {8, 28});
}

TEST(OptimizationProfiles, NoneOfWhatIsNone) {
  EXPECT_THAT(build_of(banner({"Input build shapes: model"})).optimization_profiles, IsEmpty());
  EXPECT_THAT(build_of(banner({"Input build shape: x=1x28+4x28"})).optimization_profiles,
              IsEmpty());
  EXPECT_THAT(
      build_of({"Set shape of input tensor x for optimization profile 99999999999999999999 to: "
                "MIN=1 OPT=1 MAX=1"})
          .optimization_profiles,
      IsEmpty());
}

TEST(EngineStreams, OfTheBuilderAndOfTheProfiler) {
  const std::string verbose =
      library_lines({"[MS] Number of aux streams is 2", "[MS] Number of total worker streams is 3",
                     "[MS] Running engine with multi stream info"});
  const Build newer = parse_log(running("--onnx=m") + verbose).build();
  EXPECT_EQ(newer.inference.engine_streams, 3);
  EXPECT_EQ(newer.inference.aux_streams, 2);
  EXPECT_EQ(newer.inference.worker_streams, 3);
  const Build older =
      parse_log(running("--onnx=m") + library_lines({"[MS] Number of streams used is 2",
                                                     "[MS] Number of events used is 5"}))
          .build();
  EXPECT_EQ(older.inference.engine_streams, 2);
  EXPECT_FALSE(older.inference.aux_streams.has_value());
  EXPECT_FALSE(older.inference.worker_streams.has_value());
  const Build profiled = build_of(
      {"The engine uses 4 auxiliary streams, so the \"Total\" latency may not be accurate because "
       "some layers may have run in parallel!"});
  EXPECT_EQ(profiled.inference.aux_streams, 4);
}

TEST(TimeDeserialize, KeepsFirstMeanAndBandwidth) {
  const Build build = build_of(
      {"Begin deserialization warmup...", "Begin deserialization engine timing...",
       "First deserialization time = 6.52 milliseconds",
       "Total deserialization time = 26.4 milliseconds in 20 iterations, average time = 1.32 "
       "milliseconds, first time = 6.52 milliseconds.",
       "Deserialization Bandwidth = 3.4 GB/s"});
  ASSERT_TRUE(build.inference.deserialization);
  const Deserialization& times = *build.inference.deserialization;
  EXPECT_EQ(times.first_ms, 6.52);
  EXPECT_EQ(times.average_ms, 1.32);
  EXPECT_EQ(times.iterations, 20);
  EXPECT_EQ(times.bandwidth_gb_per_s, 3.4);
  // 8.x: no iterations, and one unit for all.
  const Build old = build_of(
      {"Total deserialization time = 13 milliseconds, average time = 1.5, first time = 2."});
  ASSERT_TRUE(old.inference.deserialization);
  EXPECT_EQ(old.inference.deserialization->average_ms, 1.5);
  EXPECT_FALSE(old.inference.deserialization->iterations.has_value());
  EXPECT_FALSE(old.inference.deserialization->first_ms.has_value());
}

TEST(PlanVersion, IsThatOfTheBuildingTensorRT) {
  EXPECT_EQ(build_of({"Plan was created with TensorRT version 10.16.1.11"}).plan_version,
            "10.16.1.11");
  EXPECT_EQ(build_of({}).plan_version, "");
}

// Folded where that can be done; text has the facts of the engine alone.
TEST(ConfigurationSection, IsFoldedAndNotInText) {
  Analysis a;
  a.build = build_of(banner({"Refit: Enabled", "Input build shape: x=1x28+4x28+16x28"}));
  a.build.inference.aux_streams = 2;
  a.build.inference.deserialization.emplace().first_ms = 6.52;
  a.build.plan_version = "10.16.1.11";
  const Document document = build_document(a, 10);
  const auto section = std::find_if(document.sections.begin(), document.sections.end(),
                                    [](const Section& one) { return one.id == "configuration"; });
  ASSERT_NE(section, document.sections.end());
  EXPECT_TRUE(section->collapsed);
  const std::string markdown = render(writer_markdown, document, {});
  EXPECT_THAT(markdown, HasSubstr("| Refit (Build) | `Enabled` |"));
  EXPECT_THAT(markdown, HasSubstr("| 0 | `x` | 1 × 28 | 4 × 28 | 16 × 28 |"));
  EXPECT_THAT(markdown, HasSubstr("| Auxiliary streams | `2` |"));
  EXPECT_THAT(markdown, HasSubstr("| Deserialization | `first 6.520 ms` |"));
  EXPECT_THAT(markdown, HasSubstr("| Plan built with | `10.16.1.11` |"));
  WriterOptions options;
  options.full = true;
  const std::string text = render(writer_text, document, options);
  EXPECT_THAT(text, HasSubstr("Auxiliary streams"));
  EXPECT_THAT(text, Not(HasSubstr("Optimization profiles")));
}

// As in the table of inputs and outputs; values of a shape tensor are numbers as they are.
TEST(ConfigurationSection, DimensionsAreDynamicValuesAreNot) {
  Analysis a;
  OptimizationProfile dims, values;
  dims.input = "x";
  dims.shapes = {0, std::vector<std::int64_t>{-1, 3}, {}, std::vector<std::int64_t>{8, 3}};
  values.input = "s";
  values.shape_tensor = true;
  values.shapes = {0, std::vector<std::int64_t>{-1, 3}, std::vector<std::int64_t>{2}, {}};
  a.build.optimization_profiles = {dims, values};
  const std::string markdown = render(writer_markdown, build_document(a, 10), {});
  EXPECT_THAT(markdown, HasSubstr("| 0 | `x` | dynamic × 3 | unknown | 8 × 3 |"));
  EXPECT_THAT(markdown, HasSubstr("| 0 | `s (values)` | -1, 3 | 2 | unknown |"));
}

// A banner's row and an output's name are as long as their writer likes.
TEST(ConfigurationSection, LongValuesAreShortened) {
  Analysis a;
  a.build = build_of(banner({"Refit: " + std::string(50000, 'x')}));
  OutputValues output;
  output.tensor.name = std::string(50000, 'y');
  output.count = output.nan = 2;
  a.build.outputs.push_back(output);
  const std::string markdown = render(writer_markdown, build_document(a, 10), {});
  EXPECT_THAT(markdown, HasSubstr("| Refit (Build) | `xxx"));
  EXPECT_THAT(markdown, HasSubstr("Every value of yyy"));
  EXPECT_THAT(markdown, Not(HasSubstr(std::string(1000, 'x'))));
  EXPECT_THAT(markdown, Not(HasSubstr("Every value of " + std::string(200, 'y'))));
}

TEST(ConfigurationSection, IsNotThereWithoutAnythingToSay) {
  Analysis a;
  a.build = build_of(banner({"Refit: Disabled"}));
  for (const Section& section : build_document(a, 10).sections) {
    EXPECT_NE(section.id, "configuration");
  }
}

TEST(JoinInference, WhatTheTimingRunSaysStands) {
  Inference into, from;
  into.engine_streams = 1;
  into.aux_streams = 2;
  from.engine_streams = 4;
  from.deserialization.emplace().first_ms = 1;
  join_inference(into, from);
  EXPECT_EQ(into.engine_streams, 4);
  EXPECT_EQ(into.aux_streams, 2);
  EXPECT_EQ(into.deserialization->first_ms, 1);
}

}  // namespace
}  // namespace trtlens::configuration_test
