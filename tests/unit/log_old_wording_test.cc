// Wording of 7.x and older that carries facts: the parser's file and line, fusions without a pass,
// memory of a loaded engine. Lines from NVIDIA/TensorRT#1090, #875, #252, eweill-nv/dcnv2_trt#1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::log_old_wording_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ParsedLog verbose7(const std::vector<std::string>& bodies) {
  ParsedLog log = parse_log("&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m --verbose\n" +
                            library_lines(bodies));
  for (const SeenLine& line : log.lines) {
    EXPECT_NE(line.line_class, LineClass::unknown) << line.text;
    EXPECT_NE(line.line_class, LineClass::malformed) << line.text;
  }
  return log;
}

TEST(OldWording, ParserLinesBehindTheirSourcePosition) {
  const std::string inputs = "[x -> (1, 3, 8)], [optional input, not set], [w -> (64)], ";
  const ParsedLog log = verbose7(
      {"ModelImporter.cpp:202: Adding network input: x with dtype: float32, dimensions: (1, 3, 8)",
       "ImporterContext.hpp:122: Registering constant layer: w for ONNX initializer: w",
       "ModelImporter.cpp:107: Parsing node: Conv_16 [Conv]",
       "ModelImporter.cpp:123: Searching for input: x",
       "ModelImporter.cpp:129: Conv_16 [Conv] inputs: " + inputs,
       "builtin_op_importers.cpp:477: Convolution input dimensions: (1, 3, 8)",
       "ImporterContext.hpp:97: Registering tensor: 422 for ONNX tensor: 422",
       "ModelImporter.cpp:180: Conv_16 [Conv] outputs: [422 -> (1, 64, 138)], ",
       "ModelImporter.cpp:507: Marking 422 as output: 422"});
  ASSERT_EQ(log.build().onnx_nodes.size(), 1U);
  const OnnxNode& node = log.build().onnx_nodes[0];
  EXPECT_EQ(node.name, "Conv_16");
  EXPECT_EQ(node.op, "Conv");
  ASSERT_EQ(node.inputs.size(), 2U);
  EXPECT_EQ(node.inputs[0].name, "x");
  EXPECT_THAT(node.inputs[0].dims, ElementsAre(1, 3, 8));
  EXPECT_EQ(node.inputs[0].type, DataType::unknown);  // not said, and not FP32
  EXPECT_EQ(node.inputs[1].name, "w");
  ASSERT_EQ(node.outputs.size(), 1U);
  EXPECT_THAT(node.outputs[0].dims, ElementsAre(1, 64, 138));
  ASSERT_EQ(log.build().io_tensors.size(), 2U);
  EXPECT_TRUE(log.build().io_tensors[0].is_input);
  EXPECT_EQ(log.build().io_tensors[0].tensor.type, DataType::fp32);
  EXPECT_EQ(log.build().io_tensors[1].tensor.name, "422");
}

TEST(OldWording, ParserLinesBehindAPath) {
  const ParsedLog log = verbose7(
      {"/workspace/TensorRT/parsers/onnx/ModelImporter.cpp:103: Parsing node: relu [Relu]",
       "/workspace/TensorRT/parsers/onnx/ImporterContext.hpp:154: Registering layer: relu for ONNX "
       "node: relu",
       "ModelImporter.cpp:139: No importer registered for op: DCNv2. Attempting to import as "
       "plugin.",
       "builtin_op_importers.cpp:3659: Searching for plugin: DCNv2, plugin_version: 1, "
       "plugin_namespace: "});
  ASSERT_EQ(log.build().onnx_nodes.size(), 1U);
  EXPECT_EQ(log.build().onnx_nodes[0].name, "relu");
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[0].text,
            "No importer registered for op: DCNv2. Attempting to import as plugin.");
}

TEST(OldWording, FusionsWithoutAPass) {
  const ParsedLog log =
      verbose7({"Fusing convolution weights from 078_convolutional with scale 078_bn",
                "Fusing (Unnamed Layer* 0) [Scale] with (Unnamed Layer* 1) [Scale]",
                "BinaryFusion: Fusing vgg0_conv10_fwd with vgg0_relu10_fwd"});
  std::vector<std::string> kinds;
  for (const SeenLine& line : log.lines) kinds.push_back(line.kind);
  EXPECT_THAT(kinds, ElementsAre("verdict", "fusion-scale", "fusion-7", "fusion"));
}

TEST(OldWording, TimesOfLoadingAndBuilding) {
  const ParsedLog log =
      verbose7({"Constructing optimization profile number 0 out of 1",
                "Builder timing cache: created 115 entries, 415 hit(s)",
                "Data initialization and engine generation completed in 0.0410 seconds.",
                "Deserialize required 1554865 microseconds."});
  ASSERT_EQ(log.build().stages.size(), 2U);
  EXPECT_EQ(log.build().stages[0].name, "engine generation");
  EXPECT_DOUBLE_EQ(log.build().stages[0].s, 0.041);
  EXPECT_DOUBLE_EQ(log.build().stages[1].s, 1.554865);
}

// A loaded engine has no totals of a builder; a built one keeps them.
TEST(OldWording, MemoryOfALoadedEngine) {
  const std::vector<std::string> loaded = {"Allocated persistent device memory of size 4608",
                                           "Allocated activation device memory of size 38535680",
                                           "Total per-runner device persistent memory is 6656",
                                           "Total per-runner host persistent memory is 22288",
                                           "Total per-runner device memory is 99"};
  EXPECT_EQ(verbose7(loaded).build().memory.device_persistent_bytes, 6656);
  EXPECT_EQ(verbose7(loaded).build().memory.host_persistent_bytes, 22288);
  EXPECT_EQ(verbose7(loaded).build().memory.context_bytes, 38535680);
  std::vector<std::string> built = {"Total Device Persistent Memory: 4096 bytes"};
  built.insert(built.end(), loaded.begin(), loaded.end());
  EXPECT_EQ(verbose7(built).build().memory.device_persistent_bytes, 4096);
  EXPECT_EQ(
      verbose7({"Total per-runner device memory is 99"}).build().memory.device_persistent_bytes,
      std::nullopt);
}

// Programs other than trtexec print no version; the library's file name has it.
TEST(OldWording, VersionOfTheLibrarysFileName) {
  const std::string line =
      "Trying to load shared library libnvinfer_builder_resource_sm90.so.10.16.2";
  const Build python = parse_log("[07/30/2024-23:54:02] [TRT] [V] " + line + "\n").build();
  ASSERT_TRUE(python.tensorrt.has_value());
  EXPECT_EQ(python.tensorrt->number(), 101602);
  EXPECT_EQ(python.tensorrt->source, VersionSource::log);
  const Build banner = parse_log(running("--onnx=m", "101601") + library_lines({line})).build();
  EXPECT_EQ(banner.tensorrt.value_or(Version()).number(), 101601);
  EXPECT_FALSE(
      parse_log(library_lines({"Loaded shared library libcudnn.so.8.9.6", "Tactic: 0x1 Time: 0.5"}))
          .build()
          .tensorrt.has_value());
}

// The tuning loop of 11.1 is kept for the report, in all its forms.
TEST(OldWording, TuningLoopOf11) {
  const ParsedLog log = parse_log(
      running("--onnx=m --tuneBuildRoutes", "110100") +
      own_lines({"Expanded to 4 build route configurations", "Tuning phase1: 12 iterations.",
                 "Tuning iteration [3]: -knob=a -other=b",
                 "Tuning timeout reached (60s); stopping early.",
                 "Mixed search: 3 positive knobs identified; entering phase 2.",
                 "Best iteration: -a=b (gpu_time_ms=1.5)",
                 "Tuning summary: 3 / 4 iterations succeeded."}));
  EXPECT_EQ(log.result.coverage.of(LineClass::recognised), 8U);
  EXPECT_EQ(log.build().messages.size(), 7U);
  EXPECT_THAT(log.build().layers, IsEmpty());
}

TEST(OldWording, MemoryOfALayerWithItsWeights) {
  const ParsedLog log =
      verbose7({"Layer: Conv_37 Weights: 0 HostPersistent: 1664 DevicePersistent: 271360",
                "Layer: a Weights: x Host Persistent: 16 Device Persistent: 2 Scratch Memory: 3"});
  const std::vector<LayerMemory>& layers = log.build().memory.layers;
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].layer, "Conv_37");
  EXPECT_EQ(layers[0].host_persistent_bytes, 1664);
  EXPECT_EQ(layers[0].device_persistent_bytes, 271360);
  EXPECT_EQ(layers[1].layer, "a Weights: x");
}

TEST(OldWording, FormatsOfALayerLine) {
  const ParsedLog log = verbose7(
      {"Layer(FusedConvActDirect): a, Tactic: 141, data[Float(3,224,224)] -> b (Half[1,2])"});
  ASSERT_EQ(log.build().layers.size(), 1U);
  const Layer& layer = log.build().layers[0];
  EXPECT_EQ(layer.inputs.at(0).name, "data");
  EXPECT_EQ(layer.inputs[0].format, "Float");
  EXPECT_EQ(layer.inputs[0].type, DataType::fp32);
  EXPECT_EQ(layer.inputs[0].dims, (std::vector<std::int64_t>{3, 224, 224}));
  EXPECT_EQ(layer.outputs.at(0).format, "Half");
}

TEST(OldWording, TheParserWarnsWithoutAHeader) {
  const std::string warning =
      "WARNING: ONNX model has a newer ir_version (0.0.7) than this parser was built against "
      "(0.0.3).";
  const ParsedLog log =
      parse_log("&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m\n" + warning + "\n");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].severity, LogSeverity::warning);
  EXPECT_EQ(log.build().messages[0].text, warning);
  EXPECT_TRUE(log.build().messages[0].of_tensorrt);
}

TEST(OldWording, BugIsALevel) {
  const ParsedLog log = parse_log(
      "[2021-03-31 10:26:55     BUG] Assertion failed: cublasStatus == CUBLAS_STATUS_SUCCESS\n"
      "../rtSafe/cublas/cublasLtWrapper.cpp:279\nAborting...\n");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].severity, LogSeverity::internal_error);
  EXPECT_EQ(log.build().messages[0].text,
            "Assertion failed: cublasStatus == CUBLAS_STATUS_SUCCESS\n"
            "../rtSafe/cublas/cublasLtWrapper.cpp:279\nAborting...");
}

std::string version_of_log(const std::string& text) {
  const ParsedLog log = parse_log(text);
  return log.build().tensorrt ? log.build().tensorrt->text() : "unknown";
}

TEST(OldWording, VersionsInNames) {
  const std::string head = "&&&& RUNNING TensorRT.trtexec # ";
  EXPECT_EQ(version_of_log(head + "/opt/TensorRT-6.0.1.5/bin/trtexec --onnx=m\n"), "6.0.1");
  EXPECT_EQ(version_of_log(head + "D:\\TensorRT-7.2.3.4\\bin\\trtexec.exe --onnx=m\n"), "7.2.3");
  // A path among the arguments is anybody's.
  EXPECT_EQ(version_of_log(head + "trtexec --onnx=/opt/TensorRT-6.0.1.5/m\n"), "unknown");
  EXPECT_EQ(
      version_of_log(running("--onnx=m") + "[E] [TRT] 6: Unable to load library: "
                                           "libnvinfer_builder_resource.so.8.4.1: cannot open\n"),
      "8.5.1");
  EXPECT_EQ(version_of_log("[TRT] [E] 6: Unable to load library: "
                           "libnvinfer_builder_resource_win.so.10.2.0: cannot open\n"),
            "10.2.0");
  // A library that another program misses is not the one in use.
  const std::string missing = "libnvinfer.so.8.6.1: cannot open shared object file: No such file";
  EXPECT_EQ(version_of_log("[TRT] [E] 6: x\n" + missing + "\n"), "unknown");
  EXPECT_EQ(version_of_log("[TRT] [E] 6: x\n" + missing + "\n[TRT] [E] libnvinfer.so.8.5.2: y\n"),
            "8.5.2");
}

// Names until 8.x; from 10.x on numbers, of the network and of each graph of Myelin.
TEST(OldWording, LayersThatSparseKernelsCouldCompute) {
  const SparseLayers named =
      verbose7({"(Sparsity) Layers eligible for sparse math: a, b, c",
                "(Sparsity) TRT inference plan picked sparse implementation for layers: "})
          .build()
          .sparse;
  EXPECT_EQ(named.eligible, 3U);
  EXPECT_EQ(named.chosen, 0U);
  EXPECT_EQ(named.eligible_pos.line, 2U);
  EXPECT_EQ(named.chosen_pos.line, 3U);
  const SparseLayers counted =
      verbose7({"(Sparsity) Found 2 layer(s) eligible to use sparse tactics: a, b",
                " (foreignNode) (Sparsity) Found 3 layer(s) eligible to use sparse tactics: c",
                "(Sparsity) Chose 0 layer(s) using kernels with sparse weights: ",
                "(Sparsity) Chose which layer(s) using kernels: "})
          .build()
          .sparse;
  EXPECT_EQ(counted.eligible, 5U);
  EXPECT_EQ(counted.chosen, 0U);
  EXPECT_EQ(counted.eligible_pos.line, 2U);
  EXPECT_EQ(counted.chosen_pos.line, 4U);
  EXPECT_FALSE(verbose7({"(Sparsity) Other layers: a"}).build().sparse.eligible);
}

TEST(OldWording, HelpEndsWithoutAVerdict) {
  EXPECT_EQ(parse_log(running("--help") + "=== Model Options ===\n  --onnx=<file>  ONNX model\n")
                .run()
                .outcome,
            Outcome::unknown);
  EXPECT_EQ(parse_log(running("--helper") + own_lines({"=== Model Options ==="})).run().outcome,
            Outcome::truncated);
}

TEST(OldWording, AFileThatTheSamplesDoNotFind) {
  const ParsedLog log = parse_log(
      "Could not find data/mnist.onnx in data directories:\n\tdata/mnist/\n&&&& FAILED\n");
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::failed);
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].severity, LogSeverity::error);
  EXPECT_EQ(log.build().messages[0].text,
            "Could not find data/mnist.onnx in data directories:\n\tdata/mnist/");
}

}  // namespace
}  // namespace trtlens::log_old_wording_test
