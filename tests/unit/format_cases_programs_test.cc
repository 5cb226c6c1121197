// The collected traps about programs around TensorRT (format-cases.md 12): their own words, their
// errors, other loggers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/format_case.h"

namespace trtlens::format_cases_programs_test {
namespace {

// DeepStream's own warnings and Ultralytics' prints say what precision, version and GPU it was.
TEST(FormatCase12, ProgramsThatTellOfTheBuild) {
  const ParsedLog deepstream = parse_log(
      "WARNING: [TRT]: CUDA lazy loading is not enabled.\n"
      "WARNING: ../nvdsinfer/nvdsinfer_model_builder.cpp:1208 INT8 calibration file not specified. "
      "Trying FP16 mode.\n"
      "WARNING: some other words of nvinfer\n");
  ASSERT_EQ(deepstream.build().messages.size(), 2U);
  EXPECT_EQ(deepstream.build().messages[1].severity, LogSeverity::warning);
  const ParsedLog ultralytics = parse_log(
      "Ultralytics YOLOv8.0.196 Python-3.8.10 torch-2.0.0 CUDA:0 (Orin, 7337MiB)\n"
      "TensorRT: starting export with TensorRT 8.6.2...\n"
      "[01/29/2024-20:52:34] [TRT] [I] Engine generation completed in 3.98 seconds.\n");
  ASSERT_TRUE(ultralytics.build().tensorrt.has_value());
  EXPECT_EQ(ultralytics.build().tensorrt->text(), "8.6.2");
  ASSERT_TRUE(ultralytics.build().gpu.has_value());
  EXPECT_EQ(ultralytics.build().gpu->name, "Orin");
  EXPECT_EQ(ultralytics.build().gpu->memory_bytes, 7337LL << 20);
}

// Errors without any header: of the dynamic loader, of a container's entrypoint, of a parser's
// error that a program prints.
TEST(FormatCase12, BareErrors) {
  for (const char* error :
       {"trtexec: error while loading shared libraries: libnvinfer.so.8: cannot open shared object "
        "file: No such file or directory",
        "EP Error FAIL : Failed to load library libonnxruntime_providers_tensorrt.so with error: "
        "libnvinfer.so.8: cannot open shared object file: No such file or directory",
        "onnxruntime.capi.onnxruntime_pybind11_state.EPFail: [ONNXRuntimeError] : 11 : EP_FAIL : "
        "Non-zero status code returned while running TRTKernel_graph_main_1_0 node.",
        "ImportError: libnvinfer.so.8: cannot enable executable stack as shared object requires: "
        "Invalid argument",
        "This container was built for NVIDIA Driver Release 450.51 or later, but version 410.78 "
        "was detected and compatibility mode is UNAVAILABLE.",
        "In node 185 (QuantDequantLinearHelper): INVALID_NODE: Assertion failed: scaleAllPositive",
        "In node 12 with name: /a/Round and operator: Round (importFallbackPluginImporter): "
        "UNSUPPORTED_NODE: Assertion failed: creator",
        "TensorRT ONNX parser error:  In node 185 (QuantDequantLinearHelper): INVALID_NODE: "
        "Assertion failed: scaleAllPositive",
        "Unsupported ONNX data type: UINT8 (2)",
        "trtexec: error while loading shared libraries: /usr/lib/libnvinfer.so.7: file too short",
        "Fatal error. System.AccessViolationException: Attempted to read protected memory.",
        "RuntimeError: [TensorRT-LLM][ERROR] Assertion failed: MPI size 1 != TP size 2",
        "      RuntimeError: TensorRT does not currently build wheels for Tegra systems",
        "ERROR: UffParser: Unsupported number of graph 0",
        "parseModel: Failed to open TLT encoded model file /models/m.etlt",
        "TensorRT: export failure: 'tensorrt.OnnxParser' object has no attribute 'parse_from_file'",
        "In function split -- /src/kqv_gemm_split.cpp:658 status == myelinSuccess -- assertion "
        "failed",
        "RuntimeError: Tried to call pure virtual function "
        "\"IInt8EntropyCalibrator2_pyimpl::read_calibration_cache\""}) {
    SCOPED_TRACE(error);
    const ParsedLog log = parse_log(std::string(error) + "\n");
    EXPECT_EQ(log.run().outcome, Outcome::failed);
    ASSERT_EQ(log.build().messages.size(), 1U);
    EXPECT_EQ(log.build().messages[0].text, error);
  }
  const ParsedLog other = parse_log(
      "onnxruntime.capi.onnxruntime_pybind11_state.Fail: [ONNXRuntimeError] : 1 : FAIL : Load "
      "model from m.onnx failed\n");
  EXPECT_TRUE(other.result.builds.empty());
}

// ONNX Runtime asks TensorRT for each node: what TensorRT does not take, another provider runs.
TEST(FormatCase12, OnnxRuntimeAsksWhichNodesTensorRtTakes) {
  const std::string head =
      "2021-05-25 17:13:26.1 [E:onnxruntime:Default, tensorrt_execution_provider.h:51 log] "
      "[2021-05-25 09:13:26   ERROR] ";
  const std::string answer =
      "INVALID_ARGUMENT: getPluginCreator could not find plugin OneHot "
      "version 1\n";
  EXPECT_EQ(parse_log(head + answer).run().outcome, Outcome::unknown);
  EXPECT_EQ(parse_log("[TensorRT] ERROR: " + answer).run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(head + "Network must have at least one output\n").run().outcome,
            Outcome::failed);
}

// The samples' logger of 7.x and older; pip, ld.so and DeepStream write ERROR lines, too.
TEST(FormatCase12, OldSamplesLogger) {
  const ParsedLog log = parse_log(
      "setInt8Mode\n"
      "WARNING: Calibrator is not being used. Users must provide dynamic range for all tensors.\n"
      "ERROR: Builder failed while configuring INT8 mode.\n");
  expect_lines(log, {{kForeign, ""}, {kRecognised, "old-calibrator"}, {kRecognised, "message"}});
  EXPECT_EQ(log.run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log("ERROR: ../rtSafe/safeRuntime.cpp (25) - Cuda Error in allocate: 2 (out of "
                      "memory)\n")
                .run()
                .outcome,
            Outcome::failed);
  for (const char* other : {"ERROR: Could not install packages\n", "ERROR: Network is down\n",
                            "WARNING: Running pip as root\nERROR: No matching distribution\n"}) {
    EXPECT_TRUE(parse_log(other).result.runs.empty()) << other;
  }
  const ParsedLog trtexec =
      parse_log(running("--onnx=m.onnx") + own_lines({"Start parsing network model."}) +
                "ERROR: ld.so: object 'x.so' cannot be preloaded: ignored.\n" +
                closing("PASSED", "--onnx=m.onnx"));
  EXPECT_TRUE(trtexec.build().messages.empty());
}

// An error that somebody pasted without its header; what explains a failed strategy is no error.
TEST(FormatCase12, PastedErrors) {
  for (const char* line :
       {"Error Code 10: Internal Error (Could not find any implementation for node X.)",
        "10: [optimizer.cpp::computeCosts::3869] Error Code 10: Internal Error (Could not find any "
        "implementation for node X.)",
        "Error[10]: [optimizer.cpp::computeCosts::3869] Error Code 10: Internal Error (Could not "
        "find any implementation for node X.)",
        "IBuilder::buildSerializedNetwork: Error Code 10: Internal Error (Could not find any "
        "implementation for node X.)",
        "RuntimeError: Error Code 4: API Usage Error (x: y)",
        "trt-build-1 | 3: [executionContext.cpp::f::1] Error Code 3: API Usage Error (x)",
        "6: The engine plan file is not compatible with this version of TensorRT, expecting "
        "library version 8.0.0 got 8.0.1, please rebuild."}) {
    const ParsedLog log = parse_log(std::string(line) + "\n");
    ASSERT_EQ(log.result.runs.size(), 1U) << line;
    EXPECT_EQ(log.run().outcome, Outcome::failed) << line;
    EXPECT_EQ(log.build().messages.at(0).text, line);
  }
  const ParsedLog strategy = parse_log(
      stamp() + "[W] [TRT] Engine generation failed with backend strategy 2.\n" +
      "Error message: [optimizer.cpp::computeCosts::3867] Error Code 4: Internal Error (x).\n"
      "Skipping this backend strategy.\n");
  ASSERT_EQ(strategy.build().messages.size(), 1U);
  EXPECT_EQ(strategy.build().messages[0].severity, LogSeverity::warning);
  EXPECT_NE(strategy.run().outcome, Outcome::failed);
}

// What a Python program prints behind a warning is not the warning's.
TEST(FormatCase12, AWarningThatEndsItsSentenceIsWhole) {
  const ParsedLog log =
      parse_log("[05/14/2024-10:21:05] [TRT] [W] Use another stream instead.\n[0. 0. 1.]\n");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text, "Use another stream instead.");
  EXPECT_EQ(log.lines[1].line_class, kForeign);
  const ParsedLog open = parse_log("[05/14/2024-10:21:05] [TRT] [W] These are left out:\nlayer1\n");
  EXPECT_EQ(open.build().messages[0].text, "These are left out:\nlayer1");
}

TEST(FormatCase12, TensorFlowsLogger) {
  const ParsedLog log = parse_log(
      "2024-07-08 18:23:06.193422: E external/org_tensorflow/tensorflow/compiler/tf2tensorrt/utils/"
      "trt_logger.cc:87] DefaultLogger 7: [shapeMachine.cpp::executeContinuation::864] Error Code "
      "7: Internal Error (x: y)\n"
      "2024-07-08 18:23:06.193500: E tensorflow/core/framework/op.cc:12] not TensorRT's\n");
  EXPECT_EQ(log.lines[0].line_class, kRecognised);
  EXPECT_EQ(log.lines[1].line_class, kForeign);
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().producer, "tensorflow");
  EXPECT_EQ(log.build().messages[0].severity, LogSeverity::error);
}

// TensorFlow goes on without TensorRT; that a library is there but lacks another one is told.
TEST(FormatCase12, TensorFlowsLoader) {
  const std::string head =
      "2021-06-17 20:18:13.799235: W tensorflow/stream_executor/platform/default/dso_loader.cc:64] "
      "Could not load dynamic library 'libnvinfer.so.7'; dlerror: ";
  const std::string tail = ": cannot open shared object file: No such file or directory\n";
  const ParsedLog lacks = parse_log(head + "libnvrtc.so.11.1" + tail);
  ASSERT_EQ(lacks.build().messages.size(), 1U);
  EXPECT_EQ(lacks.build().messages[0].severity, LogSeverity::warning);
  const ParsedLog without = parse_log(head + "libnvinfer.so.7" + tail);
  EXPECT_EQ(without.lines[0].line_class, kForeign);
}

TEST(FormatCase12, TritonsRefusals) {
  const ParsedLog log = parse_log(
      "E0624 10:44:35.133929 87 backend_model.cc:553] ERROR: Failed to create instance: unexpected "
      "error when creating modelInstanceState: maxTokensInPagedKvCache must be large enough\n"
      "E0624 10:44:35.133930 87 backend_model.cc:553] its own words\n");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].severity, LogSeverity::error);
  EXPECT_EQ(log.lines[1].line_class, kForeign);
}

// Programs without a verdict, whose last word is that they have the engine.
TEST(FormatCase12, WhoSavesAnEnginePassed) {
  const std::string built = stamp() + "[I] [TRT] Engine generation completed in 3.98 seconds.\n";
  const std::string error =
      stamp() + "[E] [TRT] 2: [x.cpp::f::1] Error Code 2: Internal Error (y)\n";
  for (const char* const saved :
       {"TensorRT: export success 120.5s, saved as 'm.engine' (26.1 MB)\n",
        "TensorRT: export success \xe2\x9c\x85 82.7s, saved as 'm.engine'\n",
        "0:01:27.1 1 0x1 INFO nvinfer gstnvinfer.cpp:680:log: [UID = 1]: serialize cuda engine to "
        "file: /models/m.engine successfully\n",
        "Serialized plan file cached at location : m.engine\n"}) {
    EXPECT_TRUE(parse_log(built + saved).build().engine_saved) << saved;
    EXPECT_FALSE(parse_log(built + saved + error).build().engine_saved) << saved;
    EXPECT_FALSE(parse_log(built + saved + "ERROR: Failed to create engine from model files\n")
                     .build()
                     .engine_saved);
    EXPECT_FALSE(parse_log(built + saved + built).build().engine_saved) << "another one began";
    EXPECT_FALSE(parse_log(running("--onnx=m.onnx") + built + saved).build().engine_saved);
  }
  // Said before the file is opened, and whatever the builder returned.
  EXPECT_FALSE(parse_log(built + "[I] Saving engine to m.trt\n").build().engine_saved);
  const ParsedLog program = parse_log(built + "Build engine successfully!\n");
  EXPECT_FALSE(program.build().engine_saved);
  EXPECT_EQ(program.run().outcome, Outcome::unknown);
}

// Of programs that go on, and of others in the same file.
TEST(FormatCase12, WhatIsNoFailure) {
  const std::string built = stamp() + "[I] [TRT] Engine generation completed in 3.98 seconds.\n";
  for (const char* const line :
       {"ImportError: No module named 'pycuda', continuing without it", "ValueError: bad",
        "Failed to initialize NVML: Driver/library version mismatch",
        "EP Error CUDA failure 100 when using ['CUDAExecutionProvider']",
        "EP Error Please install TensorRT libraries", "    ValueError: expected, and ignored"}) {
    EXPECT_NE(parse_log(built + line + "\n").run().outcome, Outcome::failed) << line;
  }
  const ParsedLog banner = parse_log(
      "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.\n"
      "   Use the NVIDIA Container Toolkit\n\nERROR: Network must have at least one output\n");
  ASSERT_EQ(banner.build().messages.size(), 2U);
  EXPECT_EQ(banner.build().messages[1].severity, LogSeverity::error);
}

// An error that is whole, and DeepStream's own lines, are not gone on with.
TEST(FormatCase16, LinesOfOtherProgramsAreNoPart) {
  const std::string error =
      "[utils.cpp::checkMem::100] Error Code 2: Internal Error (Assertion f(x) failed. )";
  const ParsedLog whole =
      parse_log(stamped("[E] ", {"Error[2]: " + error}) + "epoch 1\n\n" +
                stamped("[E] ", {"4: Error Code 4: Internal Error (first"}) + "second)\n");
  ASSERT_EQ(whole.build().messages.size(), 2U);
  EXPECT_EQ(whole.build().messages[0].text, "Error[2]: " + error);
  EXPECT_EQ(whole.build().messages[1].text, "4: Error Code 4: Internal Error (first\nsecond)");
  EXPECT_EQ(whole.lines[1].line_class, LineClass::foreign);
  EXPECT_EQ(whole.lines[2].line_class, LineClass::foreign);

  const ParsedLog deepstream = parse_log(
      "ERROR: [TRT]: 2: first\nsecond\n"
      "INFO: ../nvdsinfer/nvdsinfer_model_builder.cpp:610 [Implicit Engine Info]: layers num: 2\n"
      "third\n");
  ASSERT_EQ(deepstream.build().messages.size(), 1U);
  EXPECT_EQ(deepstream.build().messages[0].text, "2: first\nsecond");
  EXPECT_EQ(deepstream.lines[2].line_class, LineClass::foreign);
  EXPECT_EQ(deepstream.lines[3].line_class, LineClass::foreign);
}

}  // namespace
}  // namespace trtlens::format_cases_programs_test
