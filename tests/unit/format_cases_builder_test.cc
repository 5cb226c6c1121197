// The traps of reference/format-cases.md that concern the builder's lines: layer lists and tactics
// (55-65), errors and fusions (67-69), dialects inside one version and split messages (81-85). One
// test a case, its lines verbatim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::format_cases_builder_test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

void expect_all_read(const ParsedLog& log) {
  for (const SeenLine& line : log.lines) {
    EXPECT_NE(line.line_class, LineClass::unknown) << line.text;
    EXPECT_NE(line.line_class, LineClass::malformed) << line.text;
  }
}

ParsedLog verbose(const std::vector<std::string>& bodies) {
  return parse_log(running("--onnx=m --verbose") + library_lines(bodies));
}

// The layer of one `Layer(…)` line.
Layer layer_of(const std::string& line) {
  const ParsedLog log = parse_log(running("--onnx=m --verbose") +
                                  library_lines({"Engine Layer Information:"}) + line + "\n");
  EXPECT_EQ(log.build().layers.size(), 1U) << line;
  return log.build().layers.empty() ? Layer() : log.build().layers[0];
}

const std::string kCombination =
    "*************** Autotuning format combination: Float(1,1) -> Float(1,1) ***************";

// The race of one format combination, its lines between the heads and the winner's.
Autotune race_of(std::vector<std::string> bodies, const std::string& chosen) {
  bodies.insert(bodies.begin(), kCombination);
  bodies.push_back(">>>>>>>>>>>>>>> Chose Runner Type: " + chosen);
  const ParsedLog log = verbose(bodies);
  expect_all_read(log);
  EXPECT_EQ(log.build().autotuning.size(), 1U);
  return log.build().autotuning.empty() ? Autotune() : log.build().autotuning[0];
}

TEST(FormatCase55, NamesWithTheGrammarsSeparators) {
  const std::string matmul =
      "MatMul + b3/read:0 + (Unnamed Layer* 21) [Shuffle] + unsqueeze_node_after_b3/read:0 + "
      "(Unnamed Layer* 21) [Shuffle]_(Unnamed Layer* 21) [Shuffle]_output + add_2 + Relu_2";
  EXPECT_EQ(
      layer_of("Layer(CaskGemm): " + matmul + ", Tactic: 0x1, a[Float(-2,64)] -> b[Half(8)]").name,
      matmul);
  const std::string horizontal = "/m/cv2/Conv + /m/act/Relu || /m/cv3/Conv + /m/act_1/Relu";
  const Layer layer =
      layer_of("Layer(CaskConvolution): " + horizontal +
               ", Tactic: 0x1, Reformatted Input Tensor 0 to Conv_1 (Half[1,32:8,14,14]), (Unnamed "
               "Layer* 21) [Shuffle]_output (Float[1,8]) -> Add_output_0'.1_46 (Half[1,32,14,14])");
  EXPECT_EQ(layer.name, horizontal);
  ASSERT_EQ(layer.inputs.size(), 2U);
  EXPECT_EQ(layer.inputs[0].name, "Reformatted Input Tensor 0 to Conv_1");
  EXPECT_EQ(layer.inputs[1].name, "(Unnamed Layer* 21) [Shuffle]_output");
  EXPECT_EQ(layer.outputs.at(0).name, "Add_output_0'.1_46");
  const Layer old = layer_of(
      "Layer(Reformat): Reformatting CopyNode for Input Tensor 0 to Conv_1, Tactic: 0, x[Half(-2,32"
      ",14,14)] -> Reformatted Input Tensor 0 to Conv_1[Float(-2,32,14,14)]");
  EXPECT_EQ(old.outputs.at(0).name, "Reformatted Input Tensor 0 to Conv_1");
  EXPECT_EQ(old.outputs.at(0).type, DataType::fp32);
}

TEST(FormatCase56, LayersWithoutInputsOrOutputs) {
  const Layer constant = layer_of(
      "Layer(Constant): constantData, Tactic: 0x0000000000000000,  -> (Unnamed Layer* 0) "
      "[Constant]_output[Float(1,512,256)]");
  EXPECT_THAT(constant.inputs, IsEmpty());
  ASSERT_EQ(constant.outputs.size(), 1U);
  EXPECT_EQ(constant.outputs[0].name, "(Unnamed Layer* 0) [Constant]_output");
  EXPECT_THAT(constant.outputs[0].dims, ElementsAre(1, 512, 256));

  const Layer station =
      layer_of("Layer(TrainStation): [trainStation1], Tactic: 0x0000000000000000,  ->");
  EXPECT_EQ(station.name, "[trainStation1]");
  EXPECT_THAT(station.inputs, IsEmpty());
  EXPECT_THAT(station.outputs, IsEmpty());

  const Layer scalar = layer_of(
      "Layer(DeviceToShapeHost): X[DevicetoShapeHostCopy], Tactic: 0x0000000000000000, X "
      "(Int32[]) ->");
  ASSERT_EQ(scalar.inputs.size(), 1U);
  EXPECT_EQ(scalar.inputs[0].type, DataType::int32);
  EXPECT_TRUE(scalar.inputs[0].has_dims);
  EXPECT_THAT(scalar.inputs[0].dims, IsEmpty());

  const Layer codes =
      layer_of("Layer(X): a -> b, Tactic: 0x1, c[Float(-24,32:8,14)] -> d[Int8(2)]");
  EXPECT_EQ(codes.name, "a -> b");
  EXPECT_THAT(codes.inputs.at(0).dims, ElementsAre(-1, 32, 14));
}

TEST(FormatCase57, SignedDecimalIds) {
  const Autotune race = race_of(
      {"--------------- Timing Runner: conv (CaskConvolution)",
       "Tactic: -3908975881807046106 Time: 0.046688", "Tactic: -9204333525109552344 time 0.05",
       "Fastest Tactic: -3908975881807046106 "
       "Time: 0.046688"},
      "CaskConvolution Tactic: -3908975881807046106");
  EXPECT_EQ(race.chosen_id, 0xc9c0872569525a26U);
  EXPECT_THAT(race.chosen_ms, Optional(DoubleEq(0.046688)));
  EXPECT_EQ(race.runner_up_id, static_cast<std::uint64_t>(-9204333525109552344));

  // "none" in both spellings: no candidate, no winner.
  for (const char* none : {"0xd15ea5edd15ea5ed", "-3360065831133338131"}) {
    const ParsedLog log =
        verbose({kCombination, "--------------- Timing Runner: conv (CaskConvolution)",
                 std::string("Fastest Tactic: ") + none + " Time: inf"});
    expect_all_read(log);
    ASSERT_EQ(log.build().autotuning.size(), 1U);
    EXPECT_EQ(log.build().autotuning[0].timed, 0U);
    EXPECT_FALSE(log.build().autotuning[0].chosen_id.has_value());
    EXPECT_EQ(log.build().autotuning[0].chosen_runner, "");
  }
}

TEST(FormatCase58, TimeWithAndWithoutAColon) {
  const Autotune race =
      race_of({"--------------- Timing Runner: conv (FusedConvActConvolution)",
               "Tactic: 1002 time 0.064928", "Tactic: 0 Time: 0.07",
               "Tactic: 61 skipped. Scratch requested: 1145307136, available: 1048576",
               "Fastest Tactic: 1002 Time: 0.064928"},
              "FusedConvActConvolution Tactic: 1002");
  EXPECT_EQ(race.timed, 2U);
  EXPECT_EQ(race.skipped, 1U);
  EXPECT_THAT(race.chosen_ms, Optional(DoubleEq(0.064928)));
  EXPECT_THAT(race.runner_up_ms, Optional(DoubleEq(0.07)));
  // 5.x
  const ParsedLog old = parse_log(
      "[TensorRT] VERBOSE: --------------- Timing conv3/Conv2D(14)\n"
      "[TensorRT] VERBOSE: Tactic 313790760974845026 time 8.02246\n"
      "[TensorRT] VERBOSE: Tactic 2 scratch requested: 301989888, "
      "available: 16777216\n");
  expect_all_read(old);
  EXPECT_EQ(old.build().tactics_timed, 1U);
  EXPECT_EQ(old.build().tactics_skipped, 1U);
  ASSERT_TRUE(old.build().last_timed.has_value());
  EXPECT_EQ(old.build().last_timed->layer, "conv3/Conv2D");
}

TEST(FormatCase59, WhereTheTacticsNameIs) {
  const std::string runner = "--------------- Timing Runner: X (CaskConvolution)";
  // 7.x: the line before, without an id.
  EXPECT_EQ(race_of({runner, "X (scudnn) Set Tactic Name: volta_scudnn_128x128_nhwc_tn_v1",
                     "Tactic: 7 time 0.5"},
                    "CaskConvolution Tactic: 7")
                .chosen_name,
            "volta_scudnn_128x128_nhwc_tn_v1");
  // 8.0 to 8.5: the line before, with an id.
  EXPECT_EQ(race_of({runner, "X Set Tactic Name: maxwell_scudnn_128x32_relu_medium_nn_v1 Tactic: 7",
                     "Tactic: 7 Time: 0.5"},
                    "CaskConvolution Tactic: 7")
                .chosen_name,
            "maxwell_scudnn_128x32_relu_medium_nn_v1");
  // 8.5: without the layer.
  EXPECT_EQ(race_of({runner,
                     "Set Tactic Name: ampere_sgemm_32x32_sliced1x4_relu_tn_v1 Tactic: "
                     "0x0000000000020457 numSplitK: 1 numBuffers: 0 numKernels: 1",
                     "Tactic: 0x0000000000020457 Time: 0.5"},
                    "CaskConvolution Tactic: 0x0000000000020457")
                .chosen_name,
            "ampere_sgemm_32x32_sliced1x4_relu_tn_v1");
  // 8.5 ConvActPool: alone.
  EXPECT_EQ(race_of({"--------------- Timing Runner: X (ConvActPool)",
                     "Tactic Name: kIMMA_V1_TILE_32x64 ", "Tactic: 0x1 Time: 0.5"},
                    "ConvActPool Tactic: 0x1")
                .chosen_name,
            "kIMMA_V1_TILE_32x64");
  // 8.6+: the same line, the split between name and id. What is said to be skipped is timed.
  const Build build =
      verbose({kCombination, "--------------- Timing Runner: X (CaskConvolution[0x80000009])",
               "Fast skip Tactic:0x4efce38acc876f5c which exceed time limit during pre-run",
               "Tactic Name: sm80_xmma_gemm numSplitK: 1 numBuffers: 0 numKernels: 1 Tactic: "
               "0x4efce38acc876f5c Time: 0.5",
               ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x4efce38acc876f5c"})
          .build();
  ASSERT_EQ(build.autotuning.size(), 1U);
  const Autotune& race = build.autotuning[0];
  EXPECT_EQ(race.chosen_name, "sm80_xmma_gemm");
  EXPECT_EQ(race.timed, 1U);
  EXPECT_EQ(race.skipped, 0U);
  EXPECT_EQ(build.tactics_skipped_for[static_cast<std::size_t>(SkipReason::time_limit)], 0U);
}

// 7.x: reformats are timed behind the winner of a layer, without a head.
TEST(FormatCase59, ReformatsOf7xAreNoRaceOfTheLayer) {
  const ParsedLog log =
      verbose({kCombination, "--------------- Timing Runner: conv (FusedConv)",
               "Tactic: 7 time 0.5", ">>>>>>>>>>>>>>> Chose Runner Type: FusedConv Tactic: 7",
               "--------------- Timing Runner: <reformat> (Reformat)", "Tactic: 1002 time 0.1",
               "Fastest Tactic: 1002 Time: 0.1"});
  expect_all_read(log);
  ASSERT_EQ(log.build().autotuning.size(), 1U);
  EXPECT_EQ(log.build().autotuning[0].layer, "conv");
  EXPECT_EQ(log.build().autotuning[0].timed, 1U);
  EXPECT_EQ(log.build().tactics_timed, 2U);
}

TEST(FormatCase60, RunnersWithACode) {
  const Autotune race =
      race_of({"--------------- Timing Runner: PWN(node_linear_1_5) (PointWiseV2[0x80000028])",
               "Tactic: 0x1 Time: 0.5"},
              "PointWiseV2 Tactic: 0x1");
  EXPECT_EQ(race.layer, "PWN(node_linear_1_5)");
  EXPECT_EQ(race.chosen_runner, "PointWiseV2");
  EXPECT_THAT(race.chosen_ms, Optional(DoubleEq(0.5)));
}

TEST(FormatCase61, EmptyNamesAndSymbolicStrides) {
  const std::string symbolic =
      "Float((* 512 E0),(# 1 (SHAPE x)),1) -> Float((* 512 E0),1) where E0=(* (# 1 (SHAPE x)) 2)";
  const ParsedLog log =
      verbose({"=============== Computing costs for ", "ForeignNode {ForeignNode[a...b]} metadata:",
               "*************** Autotuning format combination:  -> Float(1) ***************",
               "--------------- Timing Runner: constant (Constant)", "Tactic: 0x0 Time: 0.1",
               "*************** Autotuning format combination: " + symbolic + " ***************",
               "--------------- Timing Runner: matmul (CaskGemmMatrixMultiply[0x80000034])",
               "Tactic: 0x1 Time: 0.2"});
  expect_all_read(log);
  const std::deque<Autotune>& races = log.build().autotuning;
  ASSERT_EQ(races.size(), 2U);
  EXPECT_EQ(races[0].layer, "constant");
  EXPECT_EQ(races[0].format_combination, " -> Float(1)");
  EXPECT_EQ(races[1].format_combination, symbolic);
}

TEST(FormatCase62, MissingBlanksInMessages) {
  const ParsedLog log = parse_log(
      running("--onnx=m --verbose") +
      library_lines({"Skip backend strategy 2since its estimated inference time (0.32816) is not "
                     "faster than the previous engine with estimated inference time (0.310688).",
                     "Setting workspace to 17450532864enables more tactics for profiling"}) +
      stamped("[W] ", {"Shape missing for input with dynamic shape: xAutomatically setting shape "
                       "to: 1x1x28x28"}) +
      stamped("[W] [TRT] ", {"UNSUPPORTED_STATESkipping tactic 0 due to insufficient memory on "
                             "requested size of 2688 detected for tactic 0x0000000000000000."}));
  expect_all_read(log);
  EXPECT_EQ(log.build().tactics_skipped, 1U);
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_THAT(log.build().messages[0].text, HasSubstr("setting shape to: 1x1x28x28"));
  EXPECT_THAT(log.build().messages[1].text, HasSubstr("Skipping tactic 0"));
}

// Of several passes one is the engine: its notes on layers and its memory, not those of the passes
// that lost.
TEST(FormatCase63, OnlyTheKeptPassCounts) {
  const auto pass = [](const std::string& n, const std::vector<std::string>& targets,
                       const std::string& bytes) {
    std::vector<std::string> lines = {
        "Building graph using backend strategy " + n,
        "Layer: relu" + n + " Host Persistent: 1664 Device Persistent: 5120"};
    for (const std::string& target : targets) {
      lines.push_back("For layer " + target +
                      " a non-conforming implementation was chosen than was requested");
    }
    lines.push_back("Total Activation Memory: " + bytes + " bytes");
    lines.push_back("Engine generation completed in 0.5 seconds.");
    return stamped("[I] [TRT] ", lines);
  };
  const std::string log =
      running("--onnx=m --verbose") + pass("4", {"a", "b"}, "2876416") +
      library_lines({"Use backend strategy 4 with estimated inference time (0.3344) as the initial "
                     "choice."}) +
      pass("3", {"c"}, "2007040") +
      library_lines({"Chose this engine with backend strategy 3 since its estimated inference time "
                     "(0.310688) is faster than the previous engine with estimated inference time "
                     "(0.3344)."});
  const std::string last = pass("2", {"d"}, "2007552");
  const std::string skip =
      library_lines({"Skip backend strategy 2since its estimated inference time (0.32816) is not "
                     "faster than the previous engine with estimated inference time (0.310688)."});
  const auto expect_third = [](const Build& build) {
    ASSERT_EQ(build.non_conforming.size(), 1U);
    EXPECT_EQ(build.non_conforming[0].layer, "c");
    ASSERT_EQ(build.memory.layers.size(), 1U);
    EXPECT_EQ(build.memory.layers[0].layer, "relu3");
    EXPECT_EQ(build.memory.activation_bytes, 2007040);
  };
  const ParsedLog whole = parse_log(log + last + skip);
  expect_all_read(whole);
  expect_third(whole.build());
  EXPECT_EQ(whole.build().stages.size(), 3U);  // all of them took time
  // Cut in the middle of the last pass: that one is no engine yet.
  expect_third(parse_log(log + last.substr(0, last.find("Engine generation") - 40)).build());
  // A single pass has no verdict.
  EXPECT_EQ(parse_log(running("--onnx=m") + last).build().non_conforming.size(), 1U);
}

TEST(FormatCase64, ActivationMemoryTwice) {
  const ParsedLog log = parse_log(running("--onnx=m --verbose", "8401") +
                                  library_lines({"Total Activation Memory: 23625302024"}) +
                                  stamped("[I] [TRT] ", {"Total Activation Memory: 2408456"}));
  EXPECT_EQ(log.build().memory.activation_bytes, 2408456);
}

TEST(FormatCase65, CachedTactics) {
  const ParsedLog log =
      verbose({"=============== Computing costs for node_max_pool2d",
               "node_max_pool2d [Float(25088,784,28,1) -> Float(6272,196,14,1)] got cached result: "
               "CaskPooling, tactic 0xdd39499496c9cc38, 0.00294885 ms"});
  expect_all_read(log);
  ASSERT_EQ(log.build().autotuning.size(), 1U);
  const Autotune& race = log.build().autotuning[0];
  EXPECT_EQ(race.layer, "node_max_pool2d");
  EXPECT_EQ(race.format_combination, "Float(25088,784,28,1) -> Float(6272,196,14,1)");
  EXPECT_EQ(race.chosen_runner, "CaskPooling");
  EXPECT_EQ(race.chosen_id, 0xdd39499496c9cc38U);
  EXPECT_THAT(race.chosen_ms, Optional(DoubleEq(0.00294885)));
  EXPECT_EQ(race.timed, 0U);  // nothing was timed for it in this run
  EXPECT_EQ(log.build().tactics_timed, 0U);
}

TEST(FormatCase67, ErrorBodies) {
  const std::string no_implementation =
      "IBuilder::buildSerializedNetwork: Error Code 10: Internal Error (Could not find any "
      "implementation for node {ForeignNode[(Unnamed Layer* 0) [Constant]...(Unnamed Layer* 1) "
      "[DynamicQuantize]]}. In computeCosts at /_src/optimizer/common/tactic/optimizer.cpp:4265)";
  const ParsedLog log =
      parse_log(running("--onnx=m", "101601") + stamped("[E] [TRT] ", {no_implementation}) +
                stamped("[E] ", {"Error[2]: [convBaseBuilder.cpp::createConvolution::259] Error "
                                 "Code 2: Internal Error (Assertion isOpConsistent(…) failed. )"}) +
                closing("FAILED", ""));
  expect_all_read(log);
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[0].text, no_implementation);
  EXPECT_EQ(log.build().messages[0].severity, LogSeverity::error);
  EXPECT_TRUE(log.build().messages[1].of_tensorrt);
  EXPECT_EQ(log.build().outcome, Outcome::failed);

  // [E], and yet only a tactic: the build goes on.
  const ParsedLog skipped = parse_log(
      running("--onnx=m", "101601") +
      stamped("[E] [TRT] ", {"Error Code: 9: Skipping tactic 0x0000000000000000 due to exception "
                             "[api_compile.cpp:4790: compileGraph] In compileGraph at "
                             "/_src/optimizer/myelin/codeGenerator.cpp:1783"}) +
      library_lines({"Tactic: 0x1 Time: 0.5"}) + own_lines({"Engine built in 8.1 sec."}));
  expect_all_read(skipped);
  EXPECT_EQ(skipped.build().tactics_skipped, 1U);
  ASSERT_EQ(skipped.build().messages.size(), 1U);
  EXPECT_TRUE(skipped.build().messages[0].before_progress);
  EXPECT_NE(skipped.build().outcome, Outcome::failed);
}

TEST(FormatCase68, ParserErrorBlock) {
  const ParsedLog log = parse_log(
      running("--onnx=m", "101601") +
      stamped("[E] [TRT] ", {"ModelImporter.cpp:138: While parsing node number 3 [UnknownNode2 -> "
                             "\"UnknownModel-V-3-UnknownNode2-0\"]:",
                             "ModelImporter.cpp:140: --- Begin node ---"}) +
      "input: \"UnknownModel-V-2-Identity-0\"\noutput: \"UnknownModel-V-3-UnknownNode2-0\"\n"
      "name: \"N\"\nop_type: \"UnknownNode2\"\n\n" +
      stamped("[E] [TRT] ", {"ModelImporter.cpp:141: --- End node ---",
                             "ModelImporter.cpp:149: ERROR: onnxOpCheckers.cpp:923 In function "
                             "checkFallbackPluginImporter:"}) +
      "[6] creator && \"Plugin not found, are the plugin name, version, and namespace "
      "correct?\"\n");
  expect_all_read(log);
  EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::continuation), 6U);
  ASSERT_EQ(log.build().messages.size(), 4U);
  EXPECT_THAT(log.build().messages[1].text, HasSubstr("op_type: \"UnknownNode2\""));
  EXPECT_THAT(log.build().messages[3].text, HasSubstr("\n[6] creator && \"Plugin not found"));
}

TEST(FormatCase69, FusionsInOtherWords) {
  const std::string both = "(/a/DequantizeLinear and /b/DequantizeLinear)";
  const ParsedLog log = verbose(
      {"Running: QuantizeDoubleInputNodes on /c/Conv",
       "QuantizeDoubleInputNodes: fusing " + both + " into /c/Conv",
       "Running: QConvScaleFusion on X", "Removing Y", "Running: SplitQAcrossPrecedingFanIn on X",
       "Running: QDQToCopy on Q", "Swap the layer type of Q from QUANTIZE to kQDQ"});
  expect_all_read(log);
}

TEST(FormatCase81, DialectsInsideOneVersion) {
  // 8.4.10 of the automotive branch writes as 8.2 does, 8.4.1 does not; both in one log are read.
  for (const char* version : {"8410", "8401"}) {
    const ParsedLog log = parse_log(
        running("--onnx=m --verbose", version) +
        library_lines({"Running: ConstShuffleFusion", "Running: ConstShuffleFusion on constant1024",
                       kCombination, "--------------- Timing Runner: conv (CaskConvolution)",
                       "Tactic: -3908975881807046106 Time: 0.5",
                       "Tactic: 0x00000000000003e8 Time: 0.25",
                       ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 1000"}));
    expect_all_read(log);
    ASSERT_EQ(log.build().autotuning.size(), 1U);
    EXPECT_EQ(log.build().autotuning[0].timed, 2U);
    EXPECT_THAT(log.build().autotuning[0].chosen_ms, Optional(DoubleEq(0.25)));
  }
  const auto version_of_run = [](const char* number) {
    return parse_log(running("--onnx=m", number)).build().tensorrt.value_or(Version());
  };
  EXPECT_EQ(version_of_run("8410").patch, 10);
  EXPECT_EQ(version_of_run("8401").patch, 1);
  EXPECT_EQ(version_of_run("8510").minor, 5);
  EXPECT_EQ(version_of_run("8510").patch, 10);
}

TEST(FormatCase82, FormatsWithASuffixWord) {
  const std::string combination = "Int8(360448,11264,176,1) -> Int8(901120,2816,88,1) long-strided";
  const std::string plain = "Half(16588800,32400,180,1)";
  const std::string strided = "Half(2073600,1:8,11520,64) long-strided";
  const ParsedLog log = verbose(
      {"*************** Autotuning format combination: " + combination + " ***************",
       "--------------- Timing Runner: X (CaskConvolution[0x80000009])", "Tactic: 0x1 Time: 0.5",
       "Adding reformat layer: Reformatted Output Tensor 0 to X (y) from " + strided + " to " +
           plain,
       "Adding reformat layer: Reformatted Input Tensor 0 to X (x) from " + plain + " to " +
           strided});
  expect_all_read(log);
  ASSERT_EQ(log.build().autotuning.size(), 1U);
  EXPECT_EQ(log.build().autotuning[0].format_combination, combination);
}

TEST(FormatCase83, TwoGrammarsOfOneTag) {
  const ParsedLog log = parse_log(
      running("--onnx=m", "100300") +
      stamped("[I] [TRT] ", {"[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: "
                             "CPU 7 MiB, GPU 13 MiB",
                             "[MemUsageStats] Peak memory usage during Engine building and "
                             "serialization: CPU: 1655 MiB"}));
  expect_all_read(log);
  // The second is the whole process, not TensorRT's allocators: it must not replace the first.
  EXPECT_EQ(log.build().memory.peak_cpu_bytes, 7 * kMiB);
  EXPECT_EQ(log.build().memory.peak_gpu_bytes, 13 * kMiB);
}

TEST(FormatCase85, ErrorsSplitByThemselves) {
  const ParsedLog log = parse_log(
      running("--loadEngine=m", "8501") +
      stamped("[E] ", {"Error[1]: [cudaDriverHelpers.cpp::operator()::30] Error Code 1:"}) +
      stamped("[E] ", {"Error[3]: [engine.cpp::~Engine::306] Error Code 3: API Usage Error "
                       "(Parameter check failed at: runtime/api/engine.cpp::~Engine::306, "
                       "condition: mObjectCounter.use_count() == 1. Destroying an engine object"}) +
      ")\n");
  expect_all_read(log);
  EXPECT_EQ(log.result.coverage.of(LineClass::continuation), 1U);
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[0].text,
            "Error[1]: [cudaDriverHelpers.cpp::operator()::30] Error Code 1:");
  EXPECT_THAT(log.build().messages[1].text, testing::EndsWith("Destroying an engine object\n)"));
}

}  // namespace
}  // namespace trtlens::format_cases_builder_test
