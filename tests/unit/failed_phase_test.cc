// Errors and what they say of the phase that failed.
#include "analyzers/rules/failed_phase.h"

#include <gtest/gtest.h>

#include "tests/unit/report_sample.h"

namespace trtlens::failed_phase_test {
namespace {

TEST(FailedPhase, BehindTheBuild) {
  Build build = sample::healthy(6).build;
  EXPECT_EQ(failed_phase(build, ""), FailedPhase::after_build);
  build.layers.clear();
  build.engine_build_s.reset();
  build.engine_load_s.reset();
  build.memory.engine_bytes.reset();
  EXPECT_EQ(failed_phase(build, ""), FailedPhase::build);
}

// 11.1: the outputs of an engine that ran are beyond --accuracyThreshold.
TEST(FailedPhase, AnAccuracyThatIsNotKeptIsBehindTheBuild) {
  Build build;
  build.options.flags = {{"onnx", "m.onnx"}};
  Message& error = build.messages.emplace_back();
  error.severity = LogSeverity::error;
  error.text = "Accuracy validation FAILED: T9";
  EXPECT_EQ(failed_phase(build, "Accuracy validation FAILED: T9"), FailedPhase::after_build);
  build.options.flags = {{"loadEngine", "m.plan"}};
  EXPECT_EQ(failed_phase(build, "Accuracy validation FAILED: T9"), FailedPhase::run);
}

TEST(FailedPhase, AnInferenceThatFailedIsBehindTheBuild) {
  Build build;
  build.options.flags = {{"onnx", "m.onnx"}};
  Message& error = build.messages.emplace_back();
  error.severity = LogSeverity::error;
  error.text = "Error occurred during inference";
  EXPECT_EQ(failed_phase(build, error.text), FailedPhase::after_build);
  build.options.flags.clear();
  EXPECT_EQ(failed_phase(build, error.text), FailedPhase::run);
}

// "Created engine with size: 0 MiB", "Engine built in 1163.68 sec."
TEST(FailedPhase, AnEmptyEngineWasNotBuilt) {
  Build build;
  build.options.flags = {{"onnx", "m.onnx"}};
  build.engine_build_s = 1163.68;
  const std::string error = "Error[2]: [optimizer.cpp::reduce::1258] Error Code 2: x";
  EXPECT_EQ(failed_phase(build, error), FailedPhase::after_build);
  Message& empty = build.messages.emplace_back();
  empty.severity = LogSeverity::error;
  empty.text = "Assertion failure: false && \"Attempting to access an empty engine!\"";
  EXPECT_EQ(failed_phase(build, error), FailedPhase::build);
}

TEST(FailedPhase, ATimingCacheThatIsNotReadIsNoLoad) {
  Build build;
  Message& error = build.messages.emplace_back();
  error.severity = LogSeverity::error;
  error.text = "1: [myelinCache.cpp::nvinfer1::builder::MyelinAutotunerCache::deserialize::62] x";
  EXPECT_EQ(failed_phase(build, "resizePhysical::140] Error Code"), FailedPhase::build);
  error.text = "1: [runtime.cpp::deserializeCudaEngine::62] x";
  EXPECT_EQ(failed_phase(build, "resizePhysical::140] Error Code"), FailedPhase::load);
}

// "nvdsinfer_model_builder.cpp" loads engines, too.
TEST(FailedPhase, DeepStreamLoadsOrBuilds) {
  Build build;
  Message& error = build.messages.emplace_back();
  error.severity = LogSeverity::error;
  error.text = "ERROR: ../nvdsinfer/nvdsinfer_model_builder.cpp:1528 Deserialize engine failed";
  EXPECT_EQ(failed_phase(build, "The engine plan file is generated on an incompatible device"),
            FailedPhase::load);
  error.text = "ERROR: ../nvdsinfer/nvdsinfer_model_builder.cpp:1124 Build engine failed";
  EXPECT_EQ(failed_phase(build, "The engine plan file is generated on an incompatible device"),
            FailedPhase::build);
}

TEST(FailedPhase, LoadsAndRunsAreNoBuilds) {
  Build build;
  EXPECT_EQ(failed_phase(build, "IRuntime::deserializeCudaEngine: Error Code 1: ..."),
            FailedPhase::load);
  EXPECT_EQ(failed_phase(build, "IExecutionContext::setInputShape: Error Code 3: ..."),
            FailedPhase::run);
  EXPECT_EQ(failed_phase(build, "Model missing or format not recognized"), FailedPhase::run);
  const char* const cause = "IBuilder::buildSerializedNetwork: Error Code 4: ...";
  EXPECT_EQ(failed_phase(build, cause), FailedPhase::build);
  build.options.flags = {{"loadEngine", "m.engine"}};
  EXPECT_EQ(failed_phase(build, cause), FailedPhase::load);
  build.engine_load_s = 0.1;
  EXPECT_EQ(failed_phase(build, cause), FailedPhase::run);
  build.options.flags = {{"onnx", "m.onnx"}};
  EXPECT_EQ(failed_phase(build, cause), FailedPhase::after_build);
}

TEST(FailedPhase, AProgramThatDidNotStartBeganNothing) {
  for (const char* const error :
       {"ModuleNotFoundError: No module named 'tensorrt'",
        "ImportError: cannot import name 'Logger'",
        "trtexec: symbol lookup error: libx.so: undefined symbol: createNvOnnxParser_INTERNAL",
        "Invalid TensorRT EP option: trt_profile_min_shapes"}) {
    EXPECT_EQ(failed_phase(Build(), error), FailedPhase::unknown) << error;
  }
}

// A provider that did not load began no build, whatever its file is called.
TEST(FailedPhase, WhatDoesNotFitTogetherBeganNoBuild) {
  Build build;
  const std::string error = "Failed to load onnxruntime_providers_tensorrt.dll";
  EXPECT_EQ(failed_phase(build, error), FailedPhase::build);
  for (const char* const cause : {"library-missing", "libraries-of-two-releases",
                                  "onnxruntime-without-tensorrt", "python-package-missing"}) {
    EXPECT_EQ(failed_phase(build, error, cause), FailedPhase::unknown) << cause;
  }
  build.command = "trtexec --saveEngine=m.engine";
  EXPECT_EQ(failed_phase(build, error, "library-missing"), FailedPhase::build);
}

// An excerpt shows neither a build nor a load: what the rule knows of its line decides.
TEST(FailedPhase, TheCauseTellsWhereTheLineDoesNot) {
  Build build;
  const auto phase = [&](std::string_view cause) { return failed_phase(build, "0 bytes", cause); };
  EXPECT_EQ(phase(""), FailedPhase::unknown);
  for (const char* const cause : {"engine-of-other-release", "engine-of-other-gpu",
                                  "engine-file-damaged", "lean-runtime-not-usable"}) {
    EXPECT_EQ(phase(cause), FailedPhase::load) << cause;
  }
  for (const char* const cause :
       {"shape-outside-engine", "tensor-without-buffer", "ranks-not-connected"}) {
    EXPECT_EQ(phase(cause), FailedPhase::run) << cause;
  }
  EXPECT_EQ(phase("engine-path-wrong"), FailedPhase::unknown);  // may be the one to write
  build.options.flags = {{"onnx", "m.onnx"}};
  EXPECT_EQ(phase("shape-outside-engine"), FailedPhase::build);
}

TEST(FailedPhase, WhatNothingShowsIsUnknown) {
  Build build;
  EXPECT_EQ(failed_phase(build, "KeyError: 'type'"), FailedPhase::unknown);
  EXPECT_EQ(failed_phase(build, "Could not find any implementation for node conv1."),
            FailedPhase::build);
  build.command = "trtexec --uff=m.uff";
  EXPECT_EQ(failed_phase(build, "Unsupported SM."), FailedPhase::build);
}

TEST(FailedPhase, AnErrorOfADestructorIsNoRefusal) {
  Build build;
  const char* const cause =
      "3: [runtime.cpp::~Runtime::346] Error Code 3: API Usage Error (Destroying a runtime before "
      "destroying deserialized engines created by the runtime leads to undefined behavior.)";
  EXPECT_EQ(failed_phase(build, cause), FailedPhase::run);
  EXPECT_EQ(failed_phase(build, "Engine world size (2) != Runtime world size (1)"),
            FailedPhase::run);
}

TEST(FailedPhase, AllErrorsCountNotTheFirstAlone) {
  Build build;
  Message error;
  error.severity = LogSeverity::error;
  error.text = "[runtime.cpp::parsePlan::314] Error Code 1: Serialization";
  build.messages = {error};
  EXPECT_EQ(failed_phase(build, "something else"), FailedPhase::load);
  build.messages[0].text = "[calibrator.cpp::calibrateEngine::1223] Error Code 2: Internal Error";
  EXPECT_EQ(failed_phase(build, "IExecutionContext::executeV2: Error"), FailedPhase::build);
  build.messages[0].severity = LogSeverity::warning;
  EXPECT_EQ(failed_phase(build, "something else"), FailedPhase::unknown);
}

}  // namespace
}  // namespace trtlens::failed_phase_test
