// The framing half of the collected traps (format-cases.md 1 to 20): what stands in front of a
// message, and what is no line of TensorRT's. One test a case, or a few.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "parsers/log/framing/header.h"
#include "tests/unit/format_case.h"

namespace trtlens::format_cases_framing_test {
namespace {

struct Split {
  std::string body;
  LogSeverity severity;
  std::string producer;
  bool own, library;
};

Split split(std::string_view raw) {
  std::string scratch;
  const LogLine line = split_header(raw, scratch);
  return {std::string(line.body), line.severity, to_string(line.producer), line.own, line.library};
}

void expect_split(std::string_view raw, LogSeverity severity, const std::string& producer,
                  bool library, const std::string& body) {
  SCOPED_TRACE(raw);
  const Split got = split(raw);
  EXPECT_EQ(got.body, body);
  EXPECT_EQ(got.severity, severity);
  EXPECT_EQ(got.producer, producer);
  EXPECT_EQ(got.library, library);
  EXPECT_TRUE(got.own);
}

// ---- A. framing and prefixes ----

TEST(FormatCase01, OrphanStamps) {
  expect_split(
      "[03/19/2022-12:28:30] [03/19/2022-12:28:30] [V] [TRT] Importing initializer: b4/read:0", kV,
      "trtexec", true, "Importing initializer: b4/read:0");
  expect_split(
      "[07/29/2021-19:44:10] [07/29/2021-19:44:10] [07/29/2021-19:44:10] [W] [TRT] Default DLA is "
      "enabled but layer split is not supported on DLA, falling back to GPU.",
      kW, "trtexec", true,
      "Default DLA is enabled but layer split is not supported on DLA, falling back to GPU.");
  // The stamp of a lost error stands before the verdict: it is the verdict all the same.
  const ParsedLog log = parse_log(running("--onnx=m.onnx", "8003") + "[03/19/2022-12:28:30] " +
                                  closing("FAILED", "--onnx=m.onnx"));
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::failed);
  EXPECT_TRUE(log.build().closing_line);
  // Stamps alone are the stamps of lost lines.
  EXPECT_EQ(parse_log("[03/19/2022-12:28:30] [03/19/2022-12:28:30]\n").lines[0].line_class,
            kNoiseLine);
}

TEST(FormatCase02, SeverityWithoutStamp) {
  const std::string body =
      "Layer '/model.24/Constant_1_output_0' (CONSTANT): Unsupported on DLA. Switching this "
      "layer's device type to GPU.";
  expect_split("[W] [TRT] " + body, kW, "unknown", true, body);
  const ParsedLog log = parse_log("[W] [TRT] " + body + "\n[E] [TRT] 2: Error Code 2: x\n");
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_TRUE(log.build().messages[0].of_tensorrt);
  EXPECT_EQ(log.build().messages[0].text, body);
  EXPECT_EQ(log.run().outcome, Outcome::failed);
}

TEST(FormatCase03, SwappedTags) {
  expect_split(
      "[05/21/2024-14:02:21] [TRT] [I] [GraphReduction] The approximate region cut reduction "
      "algorithm is called.",
      kI, "python", true,
      "[GraphReduction] The approximate region cut reduction algorithm is called.");
}

TEST(FormatCase04, OldPythonWords) {
  expect_split("[TensorRT] VERBOSE: Tactic: -9204333525109552344 time 0.046688", kV, "python", true,
               "Tactic: -9204333525109552344 time 0.046688");
  expect_split("[TensorRT] INTERNAL ERROR: Assertion failed: d.nbDims >= 1",
               LogSeverity::internal_error, "python", true, "Assertion failed: d.nbDims >= 1");
  const ParsedLog log = parse_log(
      "[TensorRT] VERBOSE: Tactic: -9204333525109552344 time 0.046688\n"
      "[TensorRT] INTERNAL ERROR: Assertion failed: d.nbDims >= 1\n");
  EXPECT_EQ(log.build().producer, "python");
  EXPECT_EQ(log.run().outcome, Outcome::failed);
}

TEST(FormatCase05, PolygraphyLetters) {
  expect_split("[X] Tactic: 0x1 Time: 1", kV, "polygraphy", true, "Tactic: 0x1 Time: 1");
  expect_split("[!] Invalid model", kE, "polygraphy", false, "Invalid model");
  const ParsedLog log = parse_log(
      "[I] RUNNING | Command: /usr/local/bin/polygraphy run m.onnx --trt --onnxrt\n"
      "[V] Loaded Module: polygraphy | Version: 0.49.26 | Path: ['/usr/lib/polygraphy']\n"
      "[I] trt-runner-N0-07/07/26-02:08:48     | Activating and starting inference\n"
      "[V]     Input tensor: audio_seqs__0 (dtype=DataType.FLOAT, shape=(4, 1, 80, 16)) | Setting "
      "input tensor shapes to: (min=[1, 1, 80, 16])\n"
      "[V] Loaded Module: tensorrt | Version: 10.16.2.5 | Path: ['/usr/lib/tensorrt']\n"
      "[V] [MemUsageChange] Init CUDA: CPU +14, GPU +0, now: CPU 167, GPU 458 (MiB)\n"
      "[V]     Total Activation Memory: 919040 bytes\n"
      "[I] Building engine with configuration:\n"
      "    Flags                  | [FP16]\n"
      "[I] Finished engine building in 13.793 seconds\n"
      "[I] onnxrt-runner-N0-07/07/26-02:08:48\n"
      "    ---- Inference Input(s) ----\n"
      "[W] Some values are 0. Will add a small epsilon quantity to these\n"
      "[I] PASSED | Runtime: 16.888s | Command: /usr/local/bin/polygraphy run m.onnx --trt\n");
  expect_lines(log, {{kRecognised, "polygraphy-command"},
                     {kRecognised, "polygraphy-module"},
                     {kForeign, ""},
                     {kForeign, ""},
                     {kRecognised, "polygraphy-tensorrt"},
                     {kRecognised, "memory-change"},
                     {kRecognised, "memory-total"},
                     {kRecognised, "polygraphy-options"},
                     {kRecognised, "polygraphy-flags"},
                     {kRecognised, "polygraphy-built"},
                     {kForeign, ""},
                     {kForeign, ""},
                     {kRecognised, "message"},
                     {kRecognised, "polygraphy-verdict"}});
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().producer, "polygraphy");
  EXPECT_EQ(log.run().outcome, Outcome::passed);
  EXPECT_EQ(log.run().command, "/usr/local/bin/polygraphy run m.onnx --trt --onnxrt");
  EXPECT_EQ(log.build().allowed.labels, (std::vector<std::string>{"FP32", "FP16"}));
  EXPECT_TRUE(log.build().command.empty());
  EXPECT_DOUBLE_EQ(log.build().engine_build_s.value_or(0), 13.793);
  ASSERT_TRUE(log.build().tensorrt.has_value());
  EXPECT_EQ(log.build().tensorrt->text(), "10.16.2");
  for (const Message& message : log.build().messages) {
    if (message.severity == kW) {
      EXPECT_FALSE(message.of_tensorrt);
    }
  }
}

// Outputs that differ, an error of TensorRT's: the command failed, whether the build did or not.
TEST(FormatCase05, PolygraphyFailsForManyReasons) {
  const std::string begin = "[I] RUNNING | Command: polygraphy run m.onnx --trt\n";
  const std::string end = "[E] FAILED | Runtime: 3.6s | Command: polygraphy run m.onnx --trt\n";
  const std::string built = "[I] Finished engine building in 1.5 seconds\n";
  const ParsedLog differ = parse_log(begin + built + end);
  EXPECT_EQ(differ.run().outcome, Outcome::failed);
  EXPECT_TRUE(differ.build().engine_was_built());
  EXPECT_EQ(parse_log(begin + end).run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(begin + built).run().outcome, Outcome::truncated);
  EXPECT_EQ(parse_log(begin + "[!] Nobody knows this\n").run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(begin + "[W] Nobody knows this\n").run().outcome, Outcome::truncated);
  EXPECT_EQ(parse_log(begin + "[!] Nobody knows this\n" + built).run().outcome, Outcome::truncated);
  const ParsedLog failed = parse_log(
      begin + "[E] 2: [utils.cpp::checkMemLimit::380] Error Code 2: Internal Error (x)\n" + end);
  EXPECT_EQ(failed.run().outcome, Outcome::failed);
  ASSERT_EQ(failed.build().messages.size(), 1U);
  EXPECT_TRUE(failed.build().messages[0].of_tensorrt);
  // Two commands in one file are two runs; the output of a command that it runs is none.
  EXPECT_EQ(parse_log(begin + built + begin + built).result.runs.size(), 2U);
  const ParsedLog nested = parse_log(
      "[I] (12:30:01) [tool.py:12] RUNNING | Command: polygraphy debug reduce m.onnx\n        " +
      begin + "        [I] PASSED | Runtime: 1.5s | Command: polygraphy run m.onnx --trt\n" + end);
  ASSERT_EQ(nested.result.runs.size(), 1U);
  EXPECT_EQ(nested.run().command, "polygraphy debug reduce m.onnx");
  EXPECT_EQ(nested.run().outcome, Outcome::failed);
}

// The cookbook's logger prints TensorRT's letters without stamp and tag: unknown words are
// TensorRT's there, once known ones were seen, unless tagged lines say otherwise.
TEST(FormatCase05, LettersOfALoggerOfTensorRts) {
  const std::string known =
      "[V] --------------- Timing Runner: Optimizer Reformat(inputT0 -> <out>) (Reformat)\n";
  const std::string unknown = "[V] Words that nobody has seen\n";
  EXPECT_EQ(parse_log(known + unknown).lines[1].line_class, kUnknown);
  EXPECT_EQ(parse_log(unknown + known).lines[0].line_class, kForeign);
  const std::string tagged = "[I] [TRT] Loaded engine size: 69 MiB\n";
  EXPECT_EQ(parse_log(known + tagged + unknown).lines[2].line_class, kForeign);
}

TEST(FormatCase06, IsoStampAndWord) {
  expect_split(
      "[2022-11-08 06:01:58 WARNING] Missing scale and zero-point for tensor 903, expect fall back "
      "to non-int8 implementation for any layer consuming or producing given tensor",
      kW, "python", true,
      "Missing scale and zero-point for tensor 903, expect fall back to non-int8 implementation "
      "for any layer consuming or producing given tensor");
  const ParsedLog log = parse_log(
      "[2022-11-08 06:01:58 WARNING] Missing scale and zero-point for tensor 903, expect fall back "
      "to non-int8 implementation for any layer consuming or producing given tensor\n"
      // Python's logging looks much the same and is another program's.
      "[2021-03-17 14:49:33,418 main.py:694 INFO] Detected System ID: A100-SXM-80GBx8\n");
  EXPECT_EQ(log.build().missing_scales.size(), 1U);
  EXPECT_EQ(log.lines[1].line_class, kForeign);
}

TEST(FormatCase07, OnnxRuntimesDoubleHeader) {
  expect_split(
      "2024-05-17 17:06:02.351065690 [W:onnxruntime:log, tensorrt_execution_provider.h:83 log] "
      "[2024-05-17 17:06:02 WARNING] onnx2trt_utils.cpp:374: Your ONNX model has been generated "
      "with INT64 weights, while TensorRT does not natively support INT64.",
      kW, "onnxruntime", true,
      "onnx2trt_utils.cpp:374: Your ONNX model has been generated with INT64 weights, while "
      "TensorRT does not natively support INT64.");
  expect_split(
      "2021-12-08 16:53:27.1 [W:onnxruntime:Default, tensorrt_execution_provider.h:53 "
      "onnxruntime::TensorrtLogger::log] [2021-12-08 16:53:27 WARNING] "
      "D:\\a\\_work\\1\\s\\x.cpp:1: y",
      kW, "onnxruntime", true, "D:\\a\\_work\\1\\s\\x.cpp:1: y");
  // The execution provider's own lines.
  const Split own = split(
      "2024-05-17 17:06:02.3 [W:onnxruntime:Default, tensorrt_execution_provider.cc:1234 f] "
      "[TensorRT EP] No graph will run on TensorRT execution provider");
  EXPECT_FALSE(own.own);
}

TEST(FormatCase08, Triton) {
  const std::string body = "[MemUsageChange] Init CUDA: CPU +1, GPU +0, now: CPU 32, GPU 458 (MiB)";
  expect_split("I0829 03:48:41.018076 1161 logging.cc:46] " + body, kI, "triton", true, body);
  expect_split("I0829 03:48:41.018076 1161 logging.cc:46] \"" + body + "\"", kI, "triton", true,
               body);
  const ParsedLog log =
      parse_log("I0829 03:48:41.018076 1161 logging.cc:46] " + body +
                "\nI0829 03:48:41.018596 1161 model_lifecycle.cc:819] successfully loaded 'm'\n");
  expect_lines(log, {{kRecognised, "memory-change"}, {kForeign, ""}});
  EXPECT_EQ(log.build().producer, "triton");
  EXPECT_EQ(log.build().memory.steps.size(), 1U);
}

TEST(FormatCase09, TorchTensorRt) {
  expect_split("DEBUG: [Torch-TensorRT] - - Runner scratch: 1024 bytes", kV, "torch_tensorrt",
               false, "- Runner scratch: 1024 bytes");
  const ParsedLog log = parse_log(
      "DEBUG: [Torch-TensorRT] - - Runner scratch: 1024 bytes\n"
      "DEBUG: [Torch-TensorRT TorchScript Conversion Context] - Tactic: 1002 Time: 0.0043\n"
      "DEBUG: [TRTorch Conversion Context] - Total Activation Memory: 1073741824\n"
      "INFO:torch_tensorrt [TensorRT Conversion Context]:[MemUsageChange] Init CUDA: CPU +3, GPU "
      "+0, now: CPU 11764, GPU 1019 (MiB)\n"
      "DEBUG: [Torch-TensorRT] - Settings requested for Lowering:\n"
      "WARNING: [Torch-TensorRT] - Truncating weight from Int64 to Int32\n"
      "DEBUG:torch_tensorrt.dynamo.conversion._TRTInterpreter:Converting node x (kind: [x]:y)\n");
  expect_lines(log, {{kNoiseLine, "runner-scratch"},
                     {kRecognised, "tactic-time"},
                     {kRecognised, "memory-total"},
                     {kRecognised, "memory-change"},
                     {kForeign, ""},
                     {kRecognised, "message"},
                     {kForeign, ""}});
  EXPECT_EQ(log.build().producer, "torch_tensorrt");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_FALSE(log.build().messages[0].of_tensorrt);
}

TEST(FormatCase10, JetsonInference) {
  expect_split("[TRT]    Loaded engine size: 15 MiB", kI, "jetson_inference", true,
               "Loaded engine size: 15 MiB");
  const ParsedLog log = parse_log(
      "[TRT]    TensorRT version 8.5.1\n"
      "[TRT]    loading NVIDIA plugins...\n"
      "[TRT]    Registered plugin creator - ::Region_TRT version 1\n"
      "[TRT]    selecting fastest native precision for GPU:  FP16\n"
      "[TRT]    Loaded engine size: 15 MiB\n"
      "[TRT]\n"
      "[TRT]    CUDA engine context initialized on device GPU:\n"
      "[TRT]       -- maxBatchSize 1\n"
      "[TRT]       binding 0\n"
      "                -- index   0\n"
      "                -- name    'data'\n"
      "[TRT]    binding to input 0 data  binding index:  0\n"
      "[TRT]    3: [runtime.cpp::f::1] Error Code 3: API Usage Error (x)\n"
      "class 0281 - 0.219604  (tabby, tabby cat)\n");
  expect_lines(log, {{kRecognised, "jetson-version"},
                     {kNoiseLine, "jetson-inference"},
                     {kNoiseLine, "plugin-registered"},
                     {kRecognised, "jetson-precision"},
                     {kRecognised, "engine-loaded-size"},
                     {kNoiseLine, "blank"},
                     {kNoiseLine, "jetson-context"},
                     {kNoiseLine, "jetson-inference"},
                     {kNoiseLine, "jetson-binding"},
                     {kContinuation, ""},
                     {kContinuation, ""},
                     {kNoiseLine, "jetson-inference"},
                     {kRecognised, "error-code"},
                     {kForeign, ""}});
  EXPECT_EQ(log.build().producer, "jetson_inference");
  EXPECT_EQ(log.build().tensorrt->text(), "8.5.1");
  EXPECT_EQ(log.run().outcome, Outcome::failed);
}

TEST(FormatCase11, DeepStream) {
  expect_split("INFO: [TRT]: Reading Calibration Cache for calibrator: EntropyCalibration2", kI,
               "deepstream", true, "Reading Calibration Cache for calibrator: EntropyCalibration2");
  const ParsedLog log = parse_log(
      "WARNING: ../nvdsinfer/nvdsinfer_model_builder.cpp:1487 Deserialize engine failed\n"
      "ERROR: [TRT]: 1: [stdArchiveReader.cpp::f::40] Error Code 1: Serialization (x)\n"
      "0:00:04.467701746 1459327 0x5b9e5f55cc90 WARN nvinfer gstnvinfer.cpp:679:gst_nvinfer_logger:"
      "<primary> NvDsInferContext[UID 3]: Warning\n"
      "INFO: [TRT]: Total Activation Memory: 4096 bytes\n");
  expect_lines(
      log,
      {{kForeign, ""}, {kRecognised, "error-code"}, {kForeign, ""}, {kRecognised, "memory-total"}});
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text.find('\n'), std::string::npos);
}

TEST(FormatCase12, BareLibraryText) {
  const ParsedLog log = parse_log(
      "Total per-runner device persistent memory is 8731648\n"
      "app: app.cc:98: int main(): Assertion `engine' failed.\n"
      "Aborted (core dumped)\n");
  // Words that only TensorRT has are known without a header; the rest is the program's.
  expect_lines(log, {{kRecognised, "runner-memory"},
                     {kRecognised, "glibc-assert"},
                     {kRecognised, "death-aborted"}});
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::failed);
}

TEST(FormatCase13, ForeignPrefixes) {
  const std::string body = "Engine built in 8.1 sec.";
  for (const std::string prefix :
       {"2023-12-04_08:50:01#", "#12 34.51 ", "2024-05-21T14:00:34.1234567Z ", "> ", "> > ", "    ",
        "trt-build-1  | ", "2024-10-01 16:32:52 | INFO     | ONNXExporter | "}) {
    SCOPED_TRACE(prefix);
    expect_split(prefix + "[07/07/2026-02:11:00] [I] x", kI, "trtexec", false, "x");
    std::string text = prefix + running("--onnx=m.onnx");
    text.append(prefix).append(own_lines({body}));
    text.append(prefix).append(closing("PASSED", "--onnx=m.onnx"));
    const ParsedLog log = parse_log(text);
    ASSERT_EQ(log.result.runs.size(), 1U);
    EXPECT_EQ(log.run().outcome, Outcome::passed);
    EXPECT_DOUBLE_EQ(log.build().engine_build_s.value_or(0), 8.1);
  }
}

// Lines without a header have the decoration too.
TEST(FormatCase13, DecoratedLinesWithoutHeader) {
  const std::string plain =
      library_lines({"Engine Layer Information:"}) +
      "Layer(CaskConvolution): conv, Tactic: 0x01, x (Float[1]) -> y (Float[1])\n";
  for (const std::string prefix :
       {"2023-12-04_08:50:01#", "#12 34.51 ", "2024-05-21T14:00:34.1234567Z ", "> "}) {
    SCOPED_TRACE(prefix);
    std::string text;
    for (std::size_t at = 0; at < plain.size();) {
      const std::size_t end = plain.find('\n', at) + 1;
      text += prefix + plain.substr(at, end - at);
      at = end;
    }
    const ParsedLog log = parse_log(text);
    ASSERT_EQ(log.build().layers.size(), 1U);
    EXPECT_EQ(log.build().layers[0].name, "conv");
  }
}

TEST(FormatCase13, NotebookStrings) {
  const ParsedLog log = parse_log(
      "  {\n"
      "      \"text\": [\n"
      "        \"&&&& RUNNING TensorRT.trtexec [TensorRT v8205] # trtexec --onnx=m.onnx\\n\",\n"
      "        \"[07/25/2022-16:42:23] [I] Engine built in 59.1433 sec.\\n\",\n"
      "        \"[W] - 225 weights are affected by this issue: Detected subnormal FP16 "
      "values.\\n\",\n"
      "        \"[07/25/2022-16:42:23] [V] [TRT] Parsing node: say \\\"a\\\" [Conv]\\n\",\n"
      "        \"\\u001b[0;93m[07/25/2022-16:42:23] [W] [TRT] x\\u001b[m\\n\",\n"
      "        \"[07/25/2022-16:42:23] [V] [TRT] Engine Layer Information:\\n\",\n"
      "        \"Layer(NoOp): next, Tactic: 0x00,  -> z (Float[1])\\n\",\n"
      "        \"&&&& PASSED TensorRT.trtexec [TensorRT v8205] # trtexec --onnx=m.onnx\"\n"
      "      ]\n");
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::passed);
  EXPECT_EQ(log.run().command, "trtexec --onnx=m.onnx");
  EXPECT_DOUBLE_EQ(log.build().engine_build_s.value_or(0), 59.1433);
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[0].text,
            "- 225 weights are affected by this issue: Detected subnormal FP16 values.");
  EXPECT_EQ(log.build().messages[1].text, "x");
  EXPECT_EQ(log.build().onnx_nodes.at(0).name, "say \"a\"");
  ASSERT_EQ(log.build().layers.size(), 1U);
}

TEST(FormatCase14, PaddingAndBars) {
  const std::string pad(60, ' ');
  const ParsedLog log =
      parse_log("&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m.onnx" + pad + "\n" + stamp() +
                "[I] Engine built in 8.1 sec." + pad + "\r\n" + "[07/07/2026-02:10:45] [I]\r\n" +
                "\x1b[38;5;11m" + stamp() + "[W] [TRT] Odd\x1b[0m" + pad + "\n" + "[38;5;11m" +
                stamp() + "[W] [TRT] Odd[0m\n" + "  1%|x|\r 50%|xx|\r" + stamp() +
                "[I] Throughput: 100.5 qps\r100%|xxxx|\n");
  EXPECT_EQ(log.run().command, "trtexec --onnx=m.onnx");
  EXPECT_DOUBLE_EQ(log.build().engine_build_s.value_or(0), 8.1);
  EXPECT_EQ(log.lines[2].kind, "blank");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text, "Odd");
  EXPECT_EQ(log.build().messages[0].count, 2U);
  EXPECT_DOUBLE_EQ(log.build().performance.throughput_qps.value_or(0), 100.5);
}

TEST(FormatCase15, Encodings) {
  const std::string plain = running("--onnx=m.onnx") + own_lines({"Engine built in 8.1 sec."}) +
                            closing("PASSED", "--onnx=m.onnx");
  const std::string nul(5000, '\0');
  for (const std::string& text : {utf16(plain, true), utf16(plain, false), "\xEF\xBB\xBF" + plain,
                                  nul + plain, plain + nul, plain + nul + "\n"}) {
    const ParsedLog log = parse_log(text);
    ASSERT_EQ(log.result.runs.size(), 1U);
    EXPECT_EQ(log.run().outcome, Outcome::passed);
    EXPECT_DOUBLE_EQ(log.build().engine_build_s.value_or(0), 8.1);
  }
  // Latin-1 in a device's name, invalid UTF-8 in a layer's, U+FFFD where 0x1E was.
  const ParsedLog odd = parse_log(
      own_lines({"=== Device Information ===", "Selected Device: Carte \xE9t\xE9"}) +
      library_lines({"Parsing node: a\xFF\xFE(b [Conv]", "Parsing node: x\xEF\xBF\xBDy [Relu]"}));
  EXPECT_EQ(odd.build().gpu->name, "Carte \xE9t\xE9");
  ASSERT_EQ(odd.build().onnx_nodes.size(), 2U);
  EXPECT_EQ(odd.build().onnx_nodes[0].name, "a\xFF\xFE(b");
  EXPECT_EQ(odd.build().onnx_nodes[1].name, "x\xEF\xBF\xBDy");
}

TEST(FormatCase16, EmbeddedNewlines) {
  const ParsedLog log = parse_log(
      "[03/19/2022-12:28:35] [V] [TRT] Engine Layer Information:\n"
      "Layer(CaskConvolution): Conv__25 + Relu, Tactic: 7144526460361122478, "
      "x:0[Float(-2,1,28,28)] -> Relu:0[Float(-2,32,28,28)]\n"
      "[03/19/2022-12:28:35] [W] [TRT] first\n"
      "second\n");
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].name, "Conv__25 + Relu");
  EXPECT_EQ(log.lines[1].line_class, kRecognised);
  EXPECT_EQ(log.build().messages.at(0).text, "first\nsecond");
}

TEST(FormatCase17, SecondLineLooksLikeProse) {
  const ParsedLog log = parse_log(
      "[11/05/2022-02:13:31] [W] [TRT] Skipping tactic 3 due to insuficient memory on requested "
      "size of 2243 detected for tactic 4.\n"
      "Try decreasing the workspace size with IBuilderConfig::setMaxWorkspaceSize().\n");
  EXPECT_EQ(log.lines[1].line_class, kContinuation);
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_NE(log.build().messages[0].text.find("\nTry decreasing"), std::string::npos);
}

TEST(FormatCase18, InterleavedStreams) {
  const std::string head = "CUDA lazy loading is not ena";
  const std::string rest = "bled. Enabling it can significantly reduce device memory usage.";
  for (const std::string prefix : {"[W] [TRT] ", "[07/07/2026-02:11:00] [W] [TRT] "}) {
    std::string text = running("--onnx=m.onnx");
    text.append(prefix).append(head).append(own_lines({"Engine built in 8.1 sec."}));
    text.append(rest).append("\n").append(own_lines({"Starting inference"}));
    const ParsedLog log = parse_log(text);
    EXPECT_DOUBLE_EQ(log.build().engine_build_s.value_or(0), 8.1);
    ASSERT_EQ(log.build().messages.size(), 1U);
    EXPECT_EQ(log.build().messages[0].text, head + rest);
    EXPECT_EQ(log.build().messages[0].severity, kW);
    EXPECT_EQ(log.build().messages[0].pos.line, 2U);
    EXPECT_EQ(log.lines[1].line_class, kRecognised);
    EXPECT_EQ(log.lines[2].line_class, kContinuation);
  }
  // The other way round, and without the rest: what there is of a warning is kept.
  const ParsedLog verbose = parse_log(stamp() + "[V] [TRT] Tactic: 0x00000000" + stamp() +
                                      "[W] [TRT] Odd\n00000001 Time: 0.5\n");
  EXPECT_EQ(verbose.build().tactics_timed, 1U);
  ASSERT_EQ(verbose.build().messages.size(), 1U);
  EXPECT_EQ(verbose.build().messages[0].text, "Odd");
  const ParsedLog alone =
      parse_log(stamp() + "[E] [TRT] Something bro" + stamp() + "[I] Engine built in 8.1 sec.\n");
  ASSERT_EQ(alone.build().messages.size(), 1U);
  EXPECT_EQ(alone.build().messages[0].text, "Something bro");
}

TEST(FormatCase19, EmptyMessages) {
  const ParsedLog log =
      parse_log(stamp() + "[V] [TRT] \n" + "\n" +
                library_lines({"Trying to set exclusive file lock model.cache.lock"}) + "\n" +
                library_lines({"Tactic: 0x1 Time: 1"}));
  expect_lines(log, {{kNoiseLine, "blank"},
                     {kForeign, ""},
                     {kNoiseLine, "file-lock"},
                     {kForeign, ""},
                     {kRecognised, "tactic-time"}});
}

TEST(FormatCase20, FakeHeadersInside) {
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx") +
                library_lines({"Parsing node: [I] [TRT] x [Conv]", "Doc string:       &&&& PASSED",
                               "Engine Layer Information:"}) +
                "Layer(Reformat): [I] [TRT] x, Tactic: 0x00, a (Float[1]) -> y (Float[1])\n");
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::truncated);
  EXPECT_EQ(log.build().onnx_nodes.at(0).name, "[I] [TRT] x");
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].name, "[I] [TRT] x");
}

}  // namespace
}  // namespace trtlens::format_cases_framing_test
