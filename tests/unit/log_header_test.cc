// The header splitter over every producer of TensorRT's messages.
#include <gtest/gtest.h>

#include <string>

#include "parsers/log/framing/header.h"

namespace trtlens::log_header_test {
namespace {

struct Case {
  const char* line;
  LogSeverity severity;
  Producer producer;
  bool own, library;
  const char* body;
};

void check(const Case& c) {
  SCOPED_TRACE(c.line);
  std::string scratch;
  const LogLine line = split_header(c.line, scratch);
  EXPECT_EQ(line.severity, c.severity);
  EXPECT_STREQ(to_string(line.producer), to_string(c.producer));
  EXPECT_EQ(line.own, c.own);
  EXPECT_EQ(line.library, c.library);
  EXPECT_EQ(line.body, c.body);
  const bool verdict = !c.library && line.severity == LogSeverity::unknown;
  EXPECT_EQ(line.verdict, verdict);
}

TEST(LogHeader, TrtexecAllVersions) {
  constexpr LogSeverity kI = LogSeverity::info;
  constexpr LogSeverity kW = LogSeverity::warning;
  const Case cases[] = {
      {"[07/07/2026-02:11:00] [V] [TRT] Graph optimization time: 0.01 seconds.",
       LogSeverity::verbose, Producer::trtexec, true, true,
       "Graph optimization time: 0.01 seconds."},
      {"[07/07/2026-02:11:00] [I] Engine built in 8.09138 sec.", kI, Producer::trtexec, true, false,
       "Engine built in 8.09138 sec."},
      {"[07/07/2026-02:11:00] [E] Error[2]: [a.cpp::f::259] Error Code 2: x", LogSeverity::error,
       Producer::trtexec, true, false, "Error[2]: [a.cpp::f::259] Error Code 2: x"},
      {"[07/07/2026-02:11:00] [F] [TRT] x", LogSeverity::internal_error, Producer::trtexec, true,
       true, "x"},
      // stderr of 7.0 to 8.0 has no stamp; stdout has the stamps of the lines it lost.
      {"[W] [TRT] Layer 'a' (CONSTANT): Unsupported", kW, Producer::unknown, true, true,
       "Layer 'a' (CONSTANT): Unsupported"},
      // A program's own logger.
      {"[E][TRT] c:\\plugin\\priorBoxPlugin.cpp (197) - Cuda Error in copyToDevice: 1",
       LogSeverity::error, Producer::unknown, true, true,
       "c:\\plugin\\priorBoxPlugin.cpp (197) - Cuda Error in copyToDevice: 1"},
      {"[03/19/2022-12:28:30] [03/19/2022-12:28:30] [V] [TRT] Importing initializer: b4/read:0",
       LogSeverity::verbose, Producer::trtexec, true, true, "Importing initializer: b4/read:0"},
      {"[07/29/2021-19:44:10] [07/29/2021-19:44:10] [07/29/2021-19:44:10] [W] [TRT] x", kW,
       Producer::trtexec, true, true, "x"},
      // Blank lines with and without the blank at their end; bodies keep their leading blanks.
      {"[07/07/2026-02:11:00] [I] ", kI, Producer::trtexec, true, false, ""},
      {"[07/07/2026-02:11:00] [I]", kI, Producer::trtexec, true, false, ""},
      {"[07/07/2026-02:11:00] [V] [TRT] ", LogSeverity::verbose, Producer::trtexec, true, true, ""},
      {"[07/07/2026-02:11:00] [V] [TRT]  (foreignNode) x", LogSeverity::verbose, Producer::trtexec,
       true, true, " (foreignNode) x"},
      {"[07/07/2026-02:11:00] [W]   Add --noDataTransfers flag", kW, Producer::trtexec, true, false,
       "  Add --noDataTransfers flag"},
      // A message whose text looks like a header: only the first one is the header.
      {"[07/07/2026-02:11:00] [I] [TRT] Layer [E] [TRT] x", kI, Producer::trtexec, true, true,
       "Layer [E] [TRT] x"},
      {"[07/07/2026-02:11:00] [I] &&&& PASSED x", kI, Producer::trtexec, true, false,
       "&&&& PASSED x"},
  };
  for (const Case& c : cases) check(c);
}

TEST(LogHeader, PythonAndItsWrappers) {
  constexpr LogSeverity kI = LogSeverity::info;
  constexpr LogSeverity kW = LogSeverity::warning;
  const Case cases[] = {
      {"[05/21/2024-14:02:21] [TRT] [I] [GraphReduction] called.", kI, Producer::python, true, true,
       "[GraphReduction] called."},
      {"[TRT] [V] Tactic: 0x1 Time: 1", LogSeverity::verbose, Producer::python, true, true,
       "Tactic: 0x1 Time: 1"},
      {"[TensorRT] VERBOSE: Tactic: -9204333525109552344 time 0.046688", LogSeverity::verbose,
       Producer::python, true, true, "Tactic: -9204333525109552344 time 0.046688"},
      {"[TensorRT] INTERNAL ERROR: Assertion failed: d.nbDims >= 1", LogSeverity::internal_error,
       Producer::python, true, true, "Assertion failed: d.nbDims >= 1"},
      {"[2022-11-08 06:01:58 WARNING] Missing scale", kW, Producer::python, true, true,
       "Missing scale"},
      {"[2022-11-08 06:01:58    INFO] text", kI, Producer::python, true, true, "text"},
      {"2024-05-17 17:06:02.351065690 [W:onnxruntime:log, tensorrt_execution_provider.h:83 log] "
       "[2024-05-17 17:06:02 WARNING] onnx2trt_utils.cpp:374: Your ONNX model",
       kW, Producer::onnxruntime, true, true, "onnx2trt_utils.cpp:374: Your ONNX model"},
      {"2021-12-08 16:53:27.1 [W:onnxruntime:Default, tensorrt_execution_provider.h:53 "
       "onnxruntime::TensorrtLogger::log] [2021-12-08 16:53:27   ERROR] D:\\a\\_work x",
       LogSeverity::error, Producer::onnxruntime, true, true, "D:\\a\\_work x"},
  };
  for (const Case& c : cases) check(c);
}

TEST(LogHeader, ServersAndSamples) {
  constexpr LogSeverity kI = LogSeverity::info;
  constexpr LogSeverity kW = LogSeverity::warning;
  constexpr LogSeverity kV = LogSeverity::verbose;
  constexpr LogSeverity kE = LogSeverity::error;
  const Case cases[] = {
      {"I0829 03:48:41.018076 1161 logging.cc:46] [MemUsageChange] Init CUDA", kI, Producer::triton,
       true, true, "[MemUsageChange] Init CUDA"},
      {"E0829 03:48:41.018076 1161 logging.cc:40] 2: x", LogSeverity::error, Producer::triton, true,
       true, "2: x"},
      {"INFO: [TRT]: Reading Calibration Cache", kI, Producer::deepstream, true, true,
       "Reading Calibration Cache"},
      {"WARNING: [TRT]: x", kW, Producer::deepstream, true, true, "x"},
      // Behind this one stands Torch-TensorRT's own text, too.
      {"DEBUG: [Torch-TensorRT TorchScript Conversion Context] - Tactic: 1002 Time: 0.0043", kV,
       Producer::torch_tensorrt, true, false, "Tactic: 1002 Time: 0.0043"},
      {"DEBUG: [Torch-TensorRT] - - Runner scratch: 1024 bytes", kV, Producer::torch_tensorrt, true,
       false, "- Runner scratch: 1024 bytes"},
      {"DEBUG: [TRTorch Conversion Context] - Layer(Reformat): x", kV, Producer::torch_tensorrt,
       true, false, "Layer(Reformat): x"},
      {"INFO:torch_tensorrt [TensorRT Conversion Context]:[MemUsageChange] Init CUDA", kI,
       Producer::torch_tensorrt, true, true, "[MemUsageChange] Init CUDA"},
      {"INFO:torch_tensorrt [TensorRT Conversion Context]:logging.py:22 [MemUsageChange] Init CUDA",
       kI, Producer::torch_tensorrt, true, true, "[MemUsageChange] Init CUDA"},
      {"[TRT]    Loaded engine size: 15 MiB", kI, Producer::jetson_inference, true, true,
       "Loaded engine size: 15 MiB"},
      {"[TRT]    device GPU, failed to create CUDA engine", kE, Producer::jetson_inference, true,
       true, "device GPU, failed to create CUDA engine"},
      {"[TRT]    device DLA_1, failed to build CUDA engine", kE, Producer::jetson_inference, true,
       true, "device DLA_1, failed to build CUDA engine"},
      {"[TRT]    device DLA_1, completed building CUDA engine", kI, Producer::jetson_inference,
       true, true, "device DLA_1, completed building CUDA engine"},
      {"[TRT]       -- maxBatchSize 1", kI, Producer::jetson_inference, true, true,
       "-- maxBatchSize 1"},
      {"[TRT]  Loaded engine size: 15 MiB", kI, Producer::jetson_inference, true, true,
       "Loaded engine size: 15 MiB"},
      {"[TRT] Loaded engine size: 15 MiB", kI, Producer::tag, true, true,
       "Loaded engine size: 15 MiB"},
      {"[TRT]: Loaded engine size: 15 MiB", kI, Producer::tag, true, true,
       "Loaded engine size: 15 MiB"},
      {"[INFO] [MemUsageChange] Init CUDA", kI, Producer::tao, true, true,
       "[MemUsageChange] Init CUDA"},
      {"[21:38:19.610] [INFO] [TensorRT] Loaded engine size: 1300 MiB", kI, Producer::edge_llm,
       true, true, "Loaded engine size: 1300 MiB"},
      {"WARN         TRT: Missing scale and zero-point for tensor x, expect trt_utils.cpp:252",
       LogSeverity::warning, Producer::unknown, true, true,
       "Missing scale and zero-point for tensor x, expect"},
      {"INFO TRT: Detected 1 inputs", kI, Producer::unknown, true, true, "Detected 1 inputs"},
      {"[TRT]   device GPU, failed to create CUDA engine", LogSeverity::error,
       Producer::jetson_inference, true, true, "device GPU, failed to create CUDA engine"},
      // Polygraphy shows TensorRT's verbose messages as [X].
      {"[X] Tactic: 0x1 Time: 1", kV, Producer::polygraphy, true, true, "Tactic: 0x1 Time: 1"},
      // A header that nobody knows, but TensorRT's tag in it.
      {"[node-1] [ERROR] [1701369293.026835734] [TRT]: TRT ERROR: 3: x", LogSeverity::error,
       Producer::unknown, true, true, "3: x"},
      {"[1701369293.026835734] [TRT]: TRT WARNING: x", kW, Producer::unknown, true, true, "x"},
      {"[1701369293.026835734] [TRT]: Error Code 3: x", LogSeverity::error, Producer::unknown, true,
       true, "Error Code 3: x"},
      {"[ERROR] [a] [b] [c] [TRT]: TRT is x", LogSeverity::unknown, Producer::unknown, true, true,
       "TRT is x"},
      {"2021-01-01 host app[7]: [TRT] Loaded engine size: 3 MiB", LogSeverity::unknown,
       Producer::unknown, true, true, "Loaded engine size: 3 MiB"},
  };
  for (const Case& c : cases) check(c);
}

TEST(LogHeader, DecorationsOfTerminalsAndCi) {
  constexpr LogSeverity kI = LogSeverity::info;
  const Case cases[] = {
      {"#12 34.51 [05/21/2024-14:02:21] [I] x", kI, Producer::trtexec, true, false, "x"},
      {"2024-05-21T14:00:34.1234567Z [05/21/2024-14:02:21] [I] [TRT] x", kI, Producer::trtexec,
       true, true, "x"},
      {"> [05/21/2024-14:02:21] [I] x", kI, Producer::trtexec, true, false, "x"},
      {"    [05/21/2024-14:02:21] [I] x", kI, Producer::trtexec, true, false, "x"},
      {"2023-12-04_08:50:01#&&&& RUNNING TensorRT.trtexec # t", LogSeverity::unknown,
       Producer::unknown, true, false, "&&&& RUNNING TensorRT.trtexec # t"},
      {"2024-05-21T14:00:34.1Z &&&& PASSED TensorRT.trtexec # t", LogSeverity::unknown,
       Producer::unknown, true, false, "&&&& PASSED TensorRT.trtexec # t"},
      {"\x1b[38;5;11m[07/07/2026-02:11:00] [W] [TRT] x\x1b[0m", LogSeverity::warning,
       Producer::trtexec, true, true, "x"},
      {"\x1b[1A\x1b[0G\x1b[2K[07/07/2026-02:11:00] [I] x", kI, Producer::trtexec, true, false, "x"},
      {"\xEF\xBB\xBF[07/07/2026-02:11:00] [I] x", kI, Producer::trtexec, true, false, "x"},
      {"\xEF\xBB\xBF&&&& RUNNING TensorRT.trtexec # t", LogSeverity::unknown, Producer::unknown,
       true, false, "&&&& RUNNING TensorRT.trtexec # t"},
      // stdout and stderr cut into each other: what follows the stamp is the line.
      {"CUDA lazy loading is not ena[07/07/2026-02:11:00] [I] Starting inference", kI,
       Producer::trtexec, true, false, "Starting inference"},
  };
  for (const Case& c : cases) check(c);
}

TEST(LogHeader, ALetterNeedsABlankOrTheTag) {
  std::string scratch;
  EXPECT_EQ(split_header("[E][app] x", scratch).severity, LogSeverity::unknown);
  EXPECT_EQ(split_header("[E]x", scratch).severity, LogSeverity::unknown);
}

TEST(LogHeader, WhatIsNoHeader) {
  for (const char* text :
       {"", " ", "hello", "[I]x", "[A] x", "[07/07/2026] [I", "INFO: something",
        "We saw &&&& PASSED in the log", "DEBUG: [Torch-TensorRT] no dash", "INFO:torch_tensorrt",
        "Average on 10 runs", "[libprotobuf ERROR google/protobuf/text_format.cc:298] x"}) {
    SCOPED_TRACE(text);
    std::string scratch;
    const LogLine line = split_header(text, scratch);
    EXPECT_FALSE(line.own);
    EXPECT_FALSE(line.library);
    EXPECT_EQ(line.body, text);
    EXPECT_EQ(line.severity, LogSeverity::unknown);
  }
}

// Headers of other programs: the line is theirs, and no message of TensorRT's goes on in it.
TEST(LogHeader, HeadersOfOtherPrograms) {
  constexpr LogSeverity kI = LogSeverity::info;
  constexpr LogSeverity kW = LogSeverity::warning;
  struct Foreign {
    const char* line;
    LogSeverity severity;
    const char* body;
  };
  constexpr Foreign kCases[] = {
      {"[INFO] hello", kI, "hello"},
      {"I0829 03:48:41.018076 1161 main.cc:46] hello there", kI, "hello there"},
      {"[2022-11-08 06:01:58 LOUD] x", kI, " x"},
      {"[2021-03-17 14:49:33,418 main.py:694 WARNING] x", kW, " x"},
      {"[08/25/2023-07:32:00] [TRT-LLM] [W] x", kW, "x"},
      {"[08/25/2023-07:31:55] Reusing dataset cnn_dailymail", kI, "Reusing dataset cnn_dailymail"},
      {"[21:38:19.220] [INFO] [llm_inference.cpp:272:f] x", kI, "[llm_inference.cpp:272:f] x"},
      {"WARNING:tensorflow:From x.py:96", kW, "tensorflow:From x.py:96"},
      {"WARNING:a:b", kW, "a:b"},
      {"2021-07-06 22:57:13.524844: I tensorflow/x.cc:49] y", kI, ": I tensorflow/x.cc:49] y"},
      {"0:00:04.467701746 1459327 0x5b9e5f55cc90 WARN nvinfer x", kW,
       "1459327 0x5b9e5f55cc90 WARN nvinfer x"},
      {"0:00:04.467701746 14 0x5b ERROR                nvinfer gstnvinfer.cpp:640:f:<gie> "
       "NvDsInferContext[UID 1]: Error in initResource() <a.cpp:7> [UID = 1]: no function",
       LogSeverity::error, "no function"},
  };
  for (const Foreign& c : kCases) {
    SCOPED_TRACE(c.line);
    std::string scratch;
    const LogLine line = split_header(c.line, scratch);
    EXPECT_FALSE(line.own);
    EXPECT_FALSE(line.library);
    EXPECT_EQ(line.severity, c.severity);
    EXPECT_EQ(line.body, c.body);
  }
}

TEST(LogHeader, WhereAnotherLineBegins) {
  EXPECT_EQ(stamp_inside("CUDA lazy[07/07/2026-02:11:00] [I] x"), 9U);
  for (const char* text : {"", "[", "a [07/07/2026-02:11:00]", "a [07/07/2026-02:11:00] b",
                           "a [07/07/2026-02:11:00] [Q] b", "x [1] [V] y"}) {
    EXPECT_EQ(stamp_inside(text), std::string_view::npos) << text;
  }
}

TEST(LogHeader, CutEscapesAndControlsAlone) {
  std::string scratch;
  for (const char* text :
       {"\x1b", "\x1b[", "\x1b[3", "\x1b[0m", "\x1b]", "\xEF\xBB", "[", "&&&& ", "\"", "\",", " \"",
        "[0", "[0m", "#1 2", "> ", "2024-05-21T14:00:34.1Z"}) {
    const LogLine line = split_header(text, scratch);
    EXPECT_LE(line.body.size(), std::string(text).size());
  }
  EXPECT_EQ(split_header("\x1b[0m", scratch).body, "");
}

}  // namespace
}  // namespace trtlens::log_header_test
