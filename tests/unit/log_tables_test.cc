// Tables of a log: the profile in its three orders, the lists of layers in all spellings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::log_tables_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kHead3 = "   Layer   Time (ms)   Avg. Time (ms)   Time %";
const std::string kHead4 = "   Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %";
const std::string kHead86 = "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer";

ParsedLog table(const std::vector<std::string>& rows) {
  std::vector<std::string> lines = {"=== Profile (309 iterations ) ==="};
  lines.insert(lines.end(), rows.begin(), rows.end());
  lines.emplace_back("");
  return parse_log(running("--onnx=m --dumpProfile") + own_lines(lines) + closing("PASSED", ""));
}

std::vector<std::string> names(const Build& build) {
  std::vector<std::string> found;
  for (const Layer& layer : build.layers) found.push_back(layer.name);
  return found;
}

TEST(ProfileTable, NamesFirstWithoutMedian) {
  const ParsedLog log = table({
      kHead3,
      "                                        conv1 + relu1       16.77           0.0543      0.5",
      "  Reformatting CopyNode for Input Tensor 0 to conv 1        1.00               4     99.5",
      "                                                Total       17.77             4.05    100.0",
  });
  const Build& build = log.build();
  EXPECT_THAT(names(build),
              ElementsAre("conv1 + relu1", "Reformatting CopyNode for Input Tensor 0 to conv 1"));
  ASSERT_TRUE(build.layers[0].time.has_value());
  EXPECT_DOUBLE_EQ(build.layers[0].time->mean_ms, 0.0543);
  EXPECT_DOUBLE_EQ(build.layers[0].time->total_ms.value_or(0), 16.77);
  EXPECT_FALSE(build.layers[0].time->median_ms.has_value());
  EXPECT_DOUBLE_EQ(build.layers[0].time->quantum_ms, 1e-4);
  EXPECT_DOUBLE_EQ(build.layers[1].time->quantum_ms, 1);
  EXPECT_EQ(build.profile_iterations, 309U);
  EXPECT_EQ(build.profile_pos.line, 2U);
  EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 0U);
}

TEST(ProfileTable, NamesFirstWithMedian) {
  const ParsedLog log = table({
      kHead4,
      "          [HostToDeviceCopy 0]       16.77           0.0543             0.0285      0.5",
      "   {ForeignNode[a b...c_min]} 7     2130.62           6.8952             6.2962     69.4",
      "                      12 34.5 1     2130.62           6.8952             6.2962     69.4",
      "                         Total     3068.65           9.9309             9.1586    100.0",
  });
  EXPECT_THAT(names(log.build()),
              ElementsAre("[HostToDeviceCopy 0]", "{ForeignNode[a b...c_min]} 7", "12 34.5 1"));
  EXPECT_DOUBLE_EQ(log.build().layers[0].time->mean_ms, 0.0543);
  EXPECT_DOUBLE_EQ(log.build().layers[0].time->median_ms.value_or(0), 0.0285);
}

// trtexec has printed such: the layer's time is not known, the other layers' are.
TEST(ProfileTable, ANegativeTimeIsLeftOutAndSaid) {
  const ParsedLog log = table({
      kHead4,
      "   a      -72.25          -0.7225             -0.7220     -3.8",
      "   b        0.00           0.0000             -0.0001      0.0",
      "   c        1.00           0.0100              0.0100      0.5",
      "   Total  -71.25          -0.7125             -0.7120    100.0",
  });
  ASSERT_THAT(names(log.build()), ElementsAre("a", "b", "c"));
  EXPECT_FALSE(log.build().layers[0].time.has_value());
  ASSERT_TRUE(log.build().layers[1].time.has_value());
  EXPECT_EQ(log.build().layers[1].time->mean_ms, 0);
  EXPECT_FALSE(log.build().layers[1].time->median_ms.has_value());
  ASSERT_TRUE(log.build().layers[2].time.has_value());
  EXPECT_EQ(log.result.impossible_numbers, 3U);
  EXPECT_EQ(log.result.first_impossible_line, 4U);
}

TEST(ProfileTable, NumbersFirst) {
  const ParsedLog log = table({
      kHead86,
      "      31.40       0.0017       0.0018       2.1   __mye59_0_myl0_0",
      "     101.96       0.0056       0.0044       6.7   12 34.5 Conv",
      "     101.96       0.0056       0.0044       6.7     leading blanks",
      "       0.00         -nan       0.0000       nan   never ran",
      "    1529.13       0.0833       0.0804     100.0   Total",
  });
  const Build& build = log.build();
  EXPECT_THAT(names(build),
              ElementsAre("__mye59_0_myl0_0", "12 34.5 Conv", "  leading blanks", "never ran"));
  EXPECT_DOUBLE_EQ(build.layers[1].time->mean_ms, 0.0056);
  EXPECT_DOUBLE_EQ(build.layers[1].time->median_ms.value_or(0), 0.0044);
  EXPECT_FALSE(build.layers[3].time.has_value());  // listed, and not 0
}

// The heads decide, not the version: an 8.6.10 build was seen with the order of 8.5.
TEST(ProfileTable, TheHeadDecides) {
  const ParsedLog log =
      parse_log(running("--loadEngine=m", "8610") +
                own_lines({"=== Profile (1 iterations ) ===", kHead4,
                           "  conv     1.00           0.1000             0.2000     50.0"}));
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].name, "conv");
}

TEST(ProfileTable, RepeatedNamesAreLayersOfTheirOwn) {
  const ParsedLog log = table({
      kHead86,
      "       1.00       0.1000       0.1000      33.3   copy",
      "       1.00       0.2000       0.1000      33.3   conv",
      "       1.00       0.3000       0.1000      33.3   copy",
      "       3.00       0.6000       0.3000     100.0   Total",
  });
  EXPECT_THAT(names(log.build()), ElementsAre("copy", "conv", "copy"));
  EXPECT_DOUBLE_EQ(log.build().layers[0].time->mean_ms, 0.1);
  EXPECT_DOUBLE_EQ(log.build().layers[2].time->mean_ms, 0.3);
}

TEST(ProfileTable, OnlyTheLastTotalIsTheSum) {
  const ParsedLog log = table({
      kHead86,
      "       1.00       0.1000       0.1000      33.3   Total",
      "       1.00       0.2000       0.1000      66.7   conv",
      "       2.00       0.3000       0.2000     100.0   Total",
  });
  EXPECT_THAT(names(log.build()), ElementsAre("Total", "conv"));
  EXPECT_DOUBLE_EQ(log.build().layers[0].time->mean_ms, 0.1);
}

TEST(ProfileTable, EndsAtTheEmptyLine) {
  const ParsedLog log =
      parse_log(own_lines({"=== Profile (1 iterations ) ===", kHead3,
                           "   conv        1.00           0.1000     50.0", "", "one 2 3 4"}));
  EXPECT_THAT(names(log.build()), ElementsAre("conv"));
  EXPECT_EQ(log.lines.back().line_class, LineClass::unknown);
}

// Totals of 1e8 ms and more fill their column: read by their decimals, and not guessed without.
TEST(ProfileTable, TouchingColumnsAreNotGuessed) {
  const ParsedLog log = table({kHead86, "123456789.0012.34567       0.1234       2.1   conv"});
  EXPECT_THAT(names(log.build()), IsEmpty());
  EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 1U);
}

// ---- Layer(TYPE): NAME, Tactic: ID, inputs -> outputs ----

Build engine(const std::string& lines) {
  return parse_log(running("--onnx=m --verbose") + library_lines({"Engine Layer Information:"}) +
                   lines)
      .build();
}

TEST(LayerLines, DecimalIdsAndBracketsBefore85) {
  const Build build = engine(
      "Layer(CaskConvolution): Conv__25 + Relu, Tactic: 7144526460361122478, "
      "x:0[Float(-2,1,28,28)] -> Relu:0[Half(-24,32:8,14,14)]\n");
  ASSERT_EQ(build.layers.size(), 1U);
  const Layer& layer = build.layers[0];
  EXPECT_EQ(layer.name, "Conv__25 + Relu");
  EXPECT_EQ(layer.layer_type, "CaskConvolution");
  EXPECT_EQ(layer.tactic_id, 0x632674f65e3422aeU);
  ASSERT_EQ(layer.inputs.size(), 1U);
  EXPECT_EQ(layer.inputs[0].name, "x:0");
  EXPECT_EQ(layer.inputs[0].type, DataType::fp32);
  EXPECT_THAT(layer.inputs[0].dims, ElementsAre(-1, 1, 28, 28));
  ASSERT_EQ(layer.outputs.size(), 1U);
  EXPECT_EQ(layer.outputs[0].type, DataType::fp16);
  EXPECT_THAT(layer.outputs[0].dims, ElementsAre(-1, 32, 14, 14));
  EXPECT_EQ(layer.found_in, kFoundInLog);
  EXPECT_EQ(layer.pos.line, 3U);
}

TEST(LayerLines, ParenthesesFrom85On) {
  const Build build = engine(
      "Layer(Myelin): {ForeignNode[a...b]}, Tactic: 0x0000000000000000, Reformatted Input Tensor 0 "
      "to {ForeignNode[a...b]} (Half[-1,32:8,14,14]), b, (c) (Int64[]) -> relu_1 "
      "(Half[-1,64:8,14,14]), idx (Int64[1])\n");
  ASSERT_EQ(build.layers.size(), 1U);
  const Layer& layer = build.layers[0];
  EXPECT_EQ(layer.name, "{ForeignNode[a...b]}");
  ASSERT_EQ(layer.inputs.size(), 2U);
  EXPECT_EQ(layer.inputs[0].name, "Reformatted Input Tensor 0 to {ForeignNode[a...b]}");
  EXPECT_THAT(layer.inputs[0].dims, ElementsAre(-1, 32, 14, 14));
  EXPECT_EQ(layer.inputs[1].name, "b, (c)");
  EXPECT_TRUE(layer.inputs[1].has_dims);
  EXPECT_THAT(layer.inputs[1].dims, IsEmpty());
  EXPECT_EQ(layer.inputs[1].elements(), 1);
  ASSERT_EQ(layer.outputs.size(), 2U);
  EXPECT_EQ(layer.outputs[1].name, "idx");
  EXPECT_EQ(layer.outputs[1].type, DataType::int64);
}

TEST(LayerLines, WithoutInputsOrOutputs) {
  const Build build = engine(
      "Layer(Constant): constantData, Tactic: 0x0000000000000000,  -> (Unnamed Layer* 0) "
      "[Constant]_output[Float(1,512,256)]\n"
      "Layer(TrainStation): [trainStation1], Tactic: 0x0000000000000000,  ->\n"
      "Layer(DeviceToShapeHost): X[DevicetoShapeHostCopy], Tactic: 0x0000000000000000, X (Int32[]) "
      "->\n");
  ASSERT_EQ(build.layers.size(), 3U);
  EXPECT_THAT(build.layers[0].inputs, IsEmpty());
  ASSERT_EQ(build.layers[0].outputs.size(), 1U);
  EXPECT_EQ(build.layers[0].outputs[0].name, "(Unnamed Layer* 0) [Constant]_output");
  EXPECT_THAT(build.layers[0].outputs[0].dims, ElementsAre(1, 512, 256));
  EXPECT_THAT(build.layers[1].inputs, IsEmpty());
  EXPECT_THAT(build.layers[1].outputs, IsEmpty());
  EXPECT_EQ(build.layers[2].inputs.at(0).name, "X");
  EXPECT_THAT(build.layers[2].outputs, IsEmpty());
}

TEST(LayerLines, NamesWithTheGrammarsOwnSeparators) {
  const std::string name =
      "MatMul, Tactic: + b3/read:0 + (Unnamed Layer* 21) [Shuffle] || /m/cv3/Conv -> x";
  const Build build =
      engine("Layer(CaskConvolution): " + name + ", Tactic: 0x1, a[Float(1,2)] -> b[Float(3,4)]\n");
  ASSERT_EQ(build.layers.size(), 1U);
  EXPECT_EQ(build.layers[0].name, name);
  EXPECT_EQ(build.layers[0].tactic_id, 1U);
}

// 7.x prints every layer with a header of its own.
TEST(LayerLines, WithHeaders7) {
  const ParsedLog log = parse_log(library_lines(
      {"--------------- Layers running on GPU: ",
       "Layer(FusedConvActDirect): conv, Tactic: 141, data[Float(1,32,32)] -> y[Float(1,8,8)]"}));
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].tactic_id, 141U);
}

TEST(LayerLines, EndOfTheBlock) {
  const ParsedLog log = parse_log(library_lines({"Engine Layer Information:"}) +
                                  "Layer(NoOp): a, Tactic: 0x0,  -> z (Float[1])\n" +
                                  own_lines({"Engine built in 8.1 sec."}) + "hello\n");
  EXPECT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.lines.back().line_class, LineClass::foreign);
}

// ---- Layers: … Bindings: … ----

TEST(LayerNames, UntilTheEmptyLine) {
  const ParsedLog log = parse_log(
      own_lines({"Layer Information:"}) +
      stamped("[I] [TRT] ", {"The profiling verbosity was set to "
                             "ProfilingVerbosity::kLAYER_NAMES_ONLY when the engine was built, so "
                             "only the layer names will be returned."}) +
      own_lines({"Layers:"}) +
      "Conv-1 + ReLU-2\nRemoving X\nName: odd\n12: [I] \n\nBindings:\ntensor-0\ntensor-13\n" +
      own_lines({"Starting inference"}));
  EXPECT_THAT(names(log.build()),
              ElementsAre("Conv-1 + ReLU-2", "Removing X", "Name: odd", "12: [I] "));
  EXPECT_TRUE(log.build().layer_names_only);
  EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 0U);
}

TEST(LayerNames, OneLineLayers) {
  const ParsedLog log = parse_log(
      own_lines({"Layer Information:", "Layers:"}) +
      "Name: conv1, LayerType: CaskConvolution, Inputs: [ { Name: x, Location: Device, "
      "Dimensions: [1,1,28,28], Format/Datatype: Row major linear FP32 }], Outputs: [ { Name: y, "
      "Location: Device, Dimensions: [1,32,28,28], Format/Datatype: Channel major FP16 format "
      "where channel % 8 == 0 }], ParameterType: Convolution, Kernel: [5,5], PaddingMode: kX, "
      "Stride: [2,2], OutMaps: 32, Groups: 1, Weights: {\"Type\": \"Half\", \"Count\": 800}, Bias: "
      "{\"Type\": \"Float\", \"Count\": 32}, Activation: RELU, TacticName: sm80_xmma, TacticValue: "
      "0x5b8bf1b8028629d9, StreamId: 2, Metadata: [ONNX Layer: /conv1]\n"
      "Name: r, LayerType: Reformat, Inputs: [ { Name: a, b, Location: Device, Dimensions: [1], "
      "Format/Datatype: Half }, { Name: c, Dimensions: [], Format/Datatype: Int8 }], Outputs: [], "
      "ParameterType: Reformat, Origin: QDQ, TacticValue: 0x0, StreamId: 0, Metadata: \n"
      "Name: shape_call, LayerType: shape_call, Inputs: [], Outputs: []\n"
      "\nBindings:\nx\ny\n");
  const Build& build = log.build();
  ASSERT_THAT(names(build), ElementsAre("conv1", "r", "shape_call"));
  const Layer& conv = build.layers[0];
  EXPECT_EQ(conv.layer_type, "CaskConvolution");
  EXPECT_EQ(conv.parameter_type, "Convolution");
  EXPECT_EQ(conv.inputs.at(0).type, DataType::fp32);
  EXPECT_EQ(conv.outputs.at(0).type, DataType::fp16);
  EXPECT_EQ(conv.outputs.at(0).format, "Channel major FP16 format where channel % 8 == 0");
  EXPECT_THAT(conv.kernel, ElementsAre(5, 5));
  EXPECT_THAT(conv.stride, ElementsAre(2, 2));
  EXPECT_EQ(conv.groups, 1);
  EXPECT_EQ(conv.out_maps, 32);
  ASSERT_TRUE(conv.weights.has_value());
  EXPECT_EQ(conv.weights->type, DataType::fp16);
  EXPECT_EQ(conv.weights->count, 800);
  ASSERT_TRUE(conv.bias.has_value());
  EXPECT_EQ(conv.bias->count, 32);
  EXPECT_EQ(conv.activation, "RELU");
  EXPECT_EQ(conv.tactic_name, "sm80_xmma");
  EXPECT_EQ(conv.tactic_id, 0x5b8bf1b8028629d9U);
  EXPECT_EQ(conv.stream_id, 2);
  EXPECT_THAT(conv.onnx_nodes, ElementsAre("/conv1"));
  const Layer& reformat = build.layers[1];
  EXPECT_EQ(reformat.origin, "QDQ");
  ASSERT_EQ(reformat.inputs.size(), 2U);
  EXPECT_EQ(reformat.inputs[0].name, "a, b");
  EXPECT_EQ(reformat.inputs[1].name, "c");
  EXPECT_TRUE(reformat.inputs[1].has_dims);
  EXPECT_THAT(reformat.outputs, IsEmpty());
  EXPECT_FALSE(reformat.weights.has_value());
  EXPECT_THAT(build.layers[2].inputs, IsEmpty());
}

TEST(LayerNames, SizesThatCannotBeReadAreUnknown) {
  for (const char* dims : {"18446744073709551616", "a", "1,8,b", "1-1"}) {
    const ParsedLog log = parse_log(
        own_lines({"Layer Information:", "Layers:"}) +
        "Name: a, LayerType: x, Inputs: [ { Name: x, Dimensions: [" + dims +
        "], Format/Datatype: Half }, { Name: y, Dimensions: [], Format/Datatype: Half }], "
        "Outputs: []\n\n");
    const Layer& layer = log.build().layers.at(0);
    ASSERT_EQ(layer.inputs.size(), 2U);
    EXPECT_FALSE(layer.inputs[0].has_dims) << dims;
    EXPECT_EQ(layer.inputs[0].bytes(), std::nullopt) << dims;
    EXPECT_TRUE(layer.inputs[1].has_dims);  // a scalar
    EXPECT_EQ(layer.inputs[1].bytes(), 2) << dims;
  }
  const ParsedLog old = parse_log(library_lines(
      {"Layer(CaskConvolution): c, Tactic: 0x1, x (Half[1,b]), y (Half[]) -> z (Half[1,3])",
       "n [Conv] inputs: [x -> (1, b)[FLOAT]], [y -> ()[FLOAT]], "}));
  Build build = old.build();
  RestOfRun rest = old.result.rests.at(0);
  make_whole(build, rest);
  const Layer& layer = build.layers.at(0);
  ASSERT_EQ(layer.inputs.size(), 2U);
  EXPECT_FALSE(layer.inputs[0].has_dims);
  EXPECT_TRUE(layer.inputs[1].has_dims);
  const OnnxNode& node = build.onnx_nodes.at(0);
  ASSERT_EQ(node.inputs.size(), 2U);
  EXPECT_FALSE(node.inputs[0].has_dims);
  EXPECT_TRUE(node.inputs[1].has_dims);
}

TEST(LayerNames, AStreamIsNumberedFromZero) {
  for (const auto& [text, stream] : {std::pair<const char*, std::optional<int>>{"0", 0},
                                     {"1048575", 1048575},
                                     {"1048576", std::nullopt},
                                     {"4294967297", std::nullopt},
                                     {"-5", std::nullopt}}) {
    const ParsedLog log = parse_log(
        own_lines({"Layer Information:", "Layers:"}) +
        "Name: a, LayerType: x, Inputs: [], Outputs: [], StreamId: " + text + ", Metadata: \n\n");
    EXPECT_EQ(log.build().layers.at(0).stream_id, stream) << text;
  }
}

TEST(LayerNames, ACountOfWeightsThatIsNoneIsUnknown) {
  for (const char* count : {"-5", "1000000000000001", "9223372036854775807"}) {
    const ParsedLog log =
        parse_log(own_lines({"Layer Information:", "Layers:"}) +
                  "Name: a, LayerType: x, Inputs: [], Outputs: [], Weights: {\"Type\": \"Half\", "
                  "\"Count\": " +
                  count + "}\n\n");
    const Layer& layer = log.build().layers.at(0);
    EXPECT_FALSE(layer.weights.has_value()) << count;
  }
}

TEST(LayerNames, TableAndListAreTheSameLayers) {
  const ParsedLog log = parse_log(own_lines({"Layer Information:", "Layers:"}) + "conv\nrelu\n\n" +
                                  own_lines({"=== Profile (1 iterations ) ===", kHead3,
                                             "   relu        1.00           0.1000     50.0"}));
  ASSERT_THAT(names(log.build()), ElementsAre("conv", "relu"));
  EXPECT_FALSE(log.build().layers[0].time.has_value());
  EXPECT_DOUBLE_EQ(log.build().layers[1].time->mean_ms, 0.1);
}

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

}  // namespace
}  // namespace trtlens::log_tables_test
