// Structural rules about causes: each fires on the defect and is silent on what nearly is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/build_maker.h"

namespace trtlens::rule_cause_test {
namespace {

using test::conv;
using test::dequantize;
using test::find;
using test::layer;
using test::quantize;
using test::reformat;
using test::tensor;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

// INT8 work that takes `ms`, apart from everything else: what a share is a share of.
Layer ballast(double ms) {
  return conv("ballast", {tensor("ballast in", kI)}, tensor("ballast out", kI), kI, ms);
}

std::vector<Layer> dequantized_conv(DataType weights) {
  return {ballast(8.0), dequantize("dq", "q0", "x", 0.2),
          conv("/c/Conv", {tensor("x", kF)}, tensor("y", kF), weights, 0.5),
          layer("clip", "PointWiseV2", {tensor("y", kF)}, {tensor("z", kF)}, 0.1),
          quantize("q", "z", "q1", 0.3)};
}

TEST(RuleConvFp32WeightQdqMissing, FiresOnFloatWeightsBehindDq) {
  const Analysis a = test::analyze_layers(dequantized_conv(kF));
  const Finding* f = find(a, "conv-fp32-weight-qdq-missing");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->stake_ms);
  EXPECT_NEAR(*f->stake_ms, 1.1, 1e-12);
  EXPECT_THAT(f->layers, ElementsAre("dq", "/c/Conv", "clip", "q"));
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_EQ(f->confidence, Confidence::measured);
  EXPECT_EQ(f->title, "The weights of 1 layer lack Q/DQ");
  EXPECT_THAT(test::figures(*f),
              ElementsAre("1 in FP32, 0.500 ms", "1 DequantizeLinear kernel, 0.200 ms",
                          "1 QuantizeLinear kernel, 0.300 ms", "1 unfused activation, 0.100 ms"));
  EXPECT_EQ(find(a, "fp32-fallback"), nullptr);  // already explained
  EXPECT_EQ(find(a, "qdq-unfused-standalone"), nullptr);
}

TEST(RuleConvFp32WeightQdqMissing, SilentOnQuantizedWeightsAndFloatInputs) {
  EXPECT_EQ(find(test::analyze_layers(dequantized_conv(kI)), "conv-fp32-weight-qdq-missing"),
            nullptr);
  EXPECT_EQ(
      find(test::analyze_layers(dequantized_conv(DataType::int4)), "conv-fp32-weight-qdq-missing"),
      nullptr);
  std::vector<Layer> layers = dequantized_conv(kF);
  layers[1] = reformat("cast", tensor("h", kH), tensor("x", kF), 0.2);
  EXPECT_EQ(find(test::analyze_layers(layers), "conv-fp32-weight-qdq-missing"), nullptr);
}

TEST(RuleConvFp32WeightQdqMissing, NamesThePrecisionsApart) {
  std::vector<Layer> layers = dequantized_conv(kF);
  layers.push_back(dequantize("dq2", "q1", "x2", 0.2));
  layers.push_back(conv("/d/Conv", {tensor("x2", kF)}, tensor("y2", kF), kH, 0.4));
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "conv-fp32-weight-qdq-missing");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(test::figures(*f), IsSupersetOf({"1 in FP16, 0.400 ms", "1 in FP32, 0.500 ms"}));
}

// Three profiles of one engine are one engine.
TEST(RuleConvFp32WeightQdqMissing, OtherOptimizationProfilesCountNothing) {
  std::vector<Layer> layers = dequantized_conv(kF);
  for (Layer l : dequantized_conv(kF)) {
    l.name = l.name + " [profile 1]";
    l.opt_profile = 1;
    l.time.reset();
    layers.push_back(std::move(l));
  }
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "conv-fp32-weight-qdq-missing");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->title, HasSubstr("The weights of 1 layer "));
  ASSERT_TRUE(a.fallbacks);
  EXPECT_EQ(a.fallbacks->size(), 1U);
  std::uint32_t counted = 0;
  for (const ShareRow& row : a.by_type) counted += row.layers;
  EXPECT_EQ(counted, 5U);
}

TEST(RuleConvFp32WeightQdqMissing, WithoutProfileTheStakeIsUnknown) {
  std::vector<Layer> layers = dequantized_conv(kF);
  for (Layer& l : layers) l.time.reset();
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "conv-fp32-weight-qdq-missing");
  ASSERT_NE(f, nullptr);
  EXPECT_FALSE(f->stake_ms);
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_EQ(f->title, "The weights of 1 layer lack Q/DQ");
}

// Severity follows the share of the profile: 10 %, 3 %, 0.5 %.
TEST(Severity, FollowsTheShareOfTheStake) {
  const struct {
    double ballast_ms;
    Severity expected;
  } cases[] = {{9.89, Severity::major}, {9.91, Severity::moderate}, {35.5, Severity::moderate},
               {35.6, Severity::minor}, {218.8, Severity::minor},   {219.0, Severity::info}};
  for (const auto& c : cases) {  // 1.1 ms at stake
    std::vector<Layer> layers = dequantized_conv(kF);
    layers[0] = ballast(c.ballast_ms);
    const Analysis a = test::analyze_layers(layers);
    const Finding* f = find(a, "conv-fp32-weight-qdq-missing");
    ASSERT_NE(f, nullptr);
    EXPECT_STREQ(to_string(f->severity), to_string(c.expected)) << c.ballast_ms;
  }
}

std::vector<Layer> depthwise_between(DataType weights) {
  Layer wide = conv("/dw/Conv", {tensor("x", kF)}, tensor("y", kF), weights, 0.5);
  wide.groups = 32;
  wide.out_maps = 32;
  return {conv("before", {tensor("a", kI)}, tensor("b", kI), kI, 4.0),
          reformat("r1", tensor("b", kI), tensor("x", kF), 0.1), std::move(wide),
          reformat("r2", tensor("y", kF), tensor("c", kI), 0.2),
          conv("after", {tensor("c", kI)}, tensor("d", kI), kI, 0.2)};
}

TEST(RuleDepthwiseInt8RunsFp32, FiresBetweenInt8Layers) {
  const Analysis a = test::analyze_layers(depthwise_between(kF));
  const Finding* f = find(a, "depthwise-int8-runs-fp32");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->stake_ms);
  EXPECT_NEAR(*f->stake_ms, 0.8, 1e-12);
  EXPECT_THAT(f->title, HasSubstr("1 depthwise convolution between"));
}

TEST(RuleDepthwiseInt8RunsFp32, SilentOnFp16AndInt8AndFloatNeighboursAndPlainConvolutions) {
  const char* rule = "depthwise-int8-runs-fp32";
  EXPECT_EQ(find(test::analyze_layers(depthwise_between(kH)), rule), nullptr);
  std::vector<Layer> layers = depthwise_between(kF);
  layers[2].groups = 1;
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
  layers = depthwise_between(kF);
  layers[0].weights->type = kH;
  layers[0].inputs[0].type = kH;
  layers[4].weights->type = kH;
  layers[4].inputs[0].type = kH;
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
  // A DQ in front: the weights are the reason, and another rule says so.
  layers = depthwise_between(kF);
  layers[1] = dequantize("dq", "b", "x", 0.1);
  const Analysis a = test::analyze_layers(layers);
  EXPECT_EQ(find(a, rule), nullptr);
  EXPECT_NE(find(a, "conv-fp32-weight-qdq-missing"), nullptr);
}

Build missing_scale_build(bool with_cost) {
  Build build = test::build_of(
      {ballast(1.0), conv("int8", {tensor("x", kI)}, tensor("t", kF), kI, 0.1),
       conv("wide", {tensor("t", with_cost ? kF : kI)}, tensor("o", kF), with_cost ? kF : kI, 0.5),
       reformat("out", tensor("o", kF), tensor("p", kI), 0.07)});
  build.missing_scales.push_back({"t", 3, SourcePos{0, 41, 0}});
  build.missing_scales.push_back({"(Unnamed Layer* 3) [Constant]_output", 1, SourcePos{0, 42, 0}});
  return build;
}

TEST(RuleMissingScaleHotLayer, FiresWithTheLayersTimeAndTheReformats) {
  const Analysis a = test::analyze_build(missing_scale_build(true));
  const Finding* f = find(a, "missing-scale-hot-layer");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->stake_ms);
  EXPECT_NEAR(*f->stake_ms, 0.57, 1e-12);
  EXPECT_EQ(f->title, "1 tensor without scale keeps layers out of INT8");
  EXPECT_THAT(test::figures(*f),
              ElementsAre("1 layer out of INT8, 0.500 ms", "1 reformat around them, 0.0700 ms"));
  ASSERT_FALSE(f->evidence.empty());
  EXPECT_EQ(f->evidence[0].file, "build.log");
  EXPECT_EQ(f->evidence[0].line, 41U);
  const Finding* rest = find(a, "missing-scale-ignorable");
  ASSERT_NE(rest, nullptr);
  EXPECT_THAT(rest->title, HasSubstr("1 tensor without scale costs nothing"));
}

TEST(RuleMissingScale, OnlyIgnorableWhenNothingFellBack) {
  const Analysis a = test::analyze_build(missing_scale_build(false));
  EXPECT_EQ(find(a, "missing-scale-hot-layer"), nullptr);
  const Finding* f = find(a, "missing-scale-ignorable");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::info);
  EXPECT_THAT(f->title, HasSubstr("2 tensors without scale cost nothing"));
}

TEST(RuleMissingScale, WithoutLayerDetailsNothingIsCalledHarmless) {
  for (const bool names_only : {false, true}) {
    Build build = missing_scale_build(true);
    build.commands = {"trtexec --onnx=m.onnx --int8 --calib=c.cache"};
    build.options.flags = {{"onnx", "m.onnx"}, {"int8", ""}, {"calib", "c.cache"}};
    if (names_only) {
      for (Layer& l : build.layers) {
        l = layer(l.name, "", {}, {}, l.time->mean_ms);
        l.found_in = kFoundInLayerInfo | kFoundInProfile;
      }
      build.layer_names_only = true;
    } else {
      build.layers.clear();
      build.has_layer_info = build.has_profile = false;
      build.profile_sum_ms = 0;
    }
    const Analysis a = test::analyze_build(std::move(build));
    const Finding* f = find(a, "missing-scale-hot-layer");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->confidence, Confidence::guessed);
    EXPECT_EQ(f->severity, Severity::moderate);
    EXPECT_EQ(f->title, "1 tensor without scale may keep layers in FP32");
    EXPECT_THAT(f->next_check, HasSubstr("--exportLayerInfo=layers.json"));
    EXPECT_THAT(f->next_check, HasSubstr(" --int8 --calib=c.cache "));
    EXPECT_THAT(f->next_check, ::testing::Not(HasSubstr("--fp16")));
    const Finding* constant = find(a, "missing-scale-ignorable");
    ASSERT_NE(constant, nullptr);
    EXPECT_THAT(constant->next_check, HasSubstr("trtexec --onnx=m.onnx --int8 --calib=c.cache "));
    EXPECT_EQ(constant->title, "1 tensor without scale is a constant or shape arithmetic");
  }
}

TEST(RuleMissingScale, SilentWithoutMissingScales) {
  Build build = missing_scale_build(true);
  build.missing_scales.clear();
  const Analysis a = test::analyze_build(std::move(build));
  EXPECT_EQ(find(a, "missing-scale-hot-layer"), nullptr);
  EXPECT_EQ(find(a, "missing-scale-ignorable"), nullptr);
}

// Conv + Add in INT8 with a residual of type `residual`; its output is quantized for the next
// block.
std::vector<Layer> residual_block(DataType residual, DataType output) {
  return {ballast(1.0),
          conv("/block/conv2 + Add", {tensor("x", kI), tensor("r", residual)}, tensor("y", output),
               kI, 0.2),
          quantize("QuantizeLinear_9", "y", "z", 0.05, output == kI ? kH : output)};
}

TEST(RuleResidualAddNotQuantised, FiresOnAFloatResidual) {
  const Analysis a = test::analyze_layers(residual_block(kH, kH));
  const Finding* f = find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->stake_ms);
  EXPECT_NEAR(*f->stake_ms, 0.05, 1e-12);
  EXPECT_EQ(f->confidence, Confidence::inferred);
  EXPECT_EQ(f->title, "1 residual Add lacks Q/DQ");
  EXPECT_THAT(test::figures(*f), ElementsAre("1 extra QuantizeLinear kernel, 0.0500 ms"));
  EXPECT_THAT(f->evidence.back().note.str(), HasSubstr("writes FP16"));
  EXPECT_THAT(check_of(f->next_check).commands.at(0),
              ::testing::StartsWith("trtexec --onnx=RESIDUAL_QDQ.onnx "));
}

TEST(RuleResidualAddNotQuantised, SilentOnQuantizedResidualsAndWithoutAdd) {
  const char* rule = "residual-add-not-quantised";
  EXPECT_EQ(find(test::analyze_layers(residual_block(kI, kI)), rule), nullptr);
  EXPECT_EQ(find(test::analyze_layers(residual_block(kI, kH)), rule), nullptr);
  std::vector<Layer> layers = residual_block(kH, kH);
  layers[1].inputs.pop_back();  // writes float, adds nothing
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
  layers = residual_block(kH, kH);
  layers.pop_back();  // the block's output is not quantized again
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
}

TEST(RuleResidualAddNotQuantised, TakesInTheStemThatDoesNotFuse) {
  std::vector<Layer> layers = residual_block(kH, kH);
  layers.push_back(conv("stem", {tensor("image8", kI)}, tensor("s", kF), kI, 0.4));
  layers.push_back(layer("pool", "CaskPooling", {tensor("s", kF)}, {tensor("r", kH)}, 0.3));
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.75, 1e-12);
  EXPECT_THAT(test::figures(*f), Contains(HasSubstr("unfused, with their conversions")));
  EXPECT_THAT(test::figures(*f), Contains(HasSubstr(", 0.700 ms")));
  // Nothing says that bytes hold the stem: it may take what it takes now.
  ASSERT_TRUE(f->gain);
  EXPECT_NEAR(f->gain->low_ms, 0.35, 1e-12);
}

// With the stem and its pooling 64 layers: what is farther off explains nothing.
TEST(RuleResidualAddNotQuantised, TakesInSixtyFourLayers) {
  for (const int activations : {62, 63}) {
    std::vector<Layer> layers = residual_block(kH, kH);
    layers.push_back(conv("stem", {tensor("image8", kI)}, tensor("s", kF), kI, 0.4));
    layers.push_back(layer("pool", "CaskPooling", {tensor("s", kF)}, {tensor("r0", kH)}, 0.3));
    for (int i = 0; i < activations; ++i) {
      const std::string to = i + 1 == activations ? "r" : "r" + std::to_string(i + 1);
      layers.push_back(layer("act" + std::to_string(i), "PointWiseV2",
                             {tensor("r" + std::to_string(i), kH)}, {tensor(to, kH)}, 0));
    }
    const Analysis a = test::analyze_layers(std::move(layers));
    const Finding* f = find(a, "residual-add-not-quantised");
    ASSERT_NE(f, nullptr);
    EXPECT_NEAR(f->stake_ms.value_or(0), activations == 62 ? 0.75 : 0.05, 1e-12) << activations;
  }
}

// Versions name the Q kernel as they name any reformat; the network's Q/DQ shows elsewhere. Without
// any it is calibrated, and a reformat to INT8 is the builder's own.
TEST(RuleResidualAddNotQuantised, KnowsAQByWhatItDoes) {
  std::vector<Layer> layers = residual_block(kF, kF);
  layers[2] = reformat("Reformatting CopyNode for Input Tensor 0 to next", tensor("y", kF),
                       tensor("z", kI), 0.05);
  EXPECT_EQ(find(test::analyze_layers(layers), "residual-add-not-quantised"), nullptr);
  layers[1].name = "w + QuantizeLinear_3 + /block/conv2 + Add";
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(test::figures(*f), Contains(HasSubstr("1 extra QuantizeLinear kernel")));
  EXPECT_THAT(f->evidence.back().note.str(), HasSubstr("writes FP32"));
}

// Reformats in front of the Q and behind the convolution that writes the residual go with it.
TEST(RuleResidualAddNotQuantised, TakesInTheReformatsOnTheWay) {
  std::vector<Layer> layers = residual_block(kH, kF);
  layers[2].inputs[0].name = "y2";
  layers.push_back(reformat("to Q", tensor("y", kF), tensor("y2", kF), 0.04));
  layers.push_back(conv("front", {tensor("w", kI)}, tensor("r16", kH), kI, 0.2));
  layers.push_back(reformat("behind", tensor("r16", kH), tensor("r", kH), 0.03));
  layers.push_back(quantize("QuantizeLinear_5", "r", "rq", 0.05, kH));
  layers.push_back(reformat("elsewhere", tensor("y", kF), tensor("out", kF), 0.02));
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers,
              UnorderedElementsAre("QuantizeLinear_9", "QuantizeLinear_5", "to Q", "behind"));
  EXPECT_THAT(test::figures(*f), ElementsAre("2 extra QuantizeLinear kernels, 0.100 ms",
                                             "2 reformats beside them, 0.0700 ms"));
  // The same layers are explained once.
  EXPECT_EQ(find(a, "conv-int8-in-float-out"), nullptr);
}

// An Add between a float output, which is quantized for its other reader, and a dequantized one:
// the Q/DQ stands on the wrong input.
std::vector<Layer> lone_add(bool residual_is_quantized) {
  std::vector<Layer> layers = {ballast(1.0),
                               conv("front", {tensor("w", kI)}, tensor("r", kF), kI, 0.2),
                               quantize("q_r", "r", "rq", 0.05),
                               conv("next", {tensor("rq", kI)}, tensor("b", kI), kI, 0.2),
                               dequantize("dq", "b", "bf", 0.04),
                               layer("PWN(/block/Add)", "PointWiseV2",
                                     {tensor("r", kF), tensor("bf", kF)}, {tensor("s", kF)}, 0.03),
                               quantize("q_s", "s", "sq", 0.02),
                               conv("last", {tensor("sq", kI)}, tensor("y", kI), kI, 0.2)};
  if (residual_is_quantized) {
    layers[1].outputs[0] = tensor("r8", kI);
    layers[2] = dequantize("dq_r", "r8", "r", 0.05);
    layers[3].inputs[0].name = "r8";
  }
  return layers;
}

TEST(RuleResidualAddNotQuantised, MovesTheQdqOfALoneAddToItsOtherInput) {
  const Analysis a = test::analyze_layers(lone_add(false));
  const Finding* f = find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("q_r", "dq", "PWN(/block/Add)", "q_s"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.14, 1e-12);
  EXPECT_THAT(test::figures(*f),
              ElementsAre("1 Add kernel and 1 DequantizeLinear kernel, 0.0700 ms",
                          "2 extra QuantizeLinear kernels, 0.0700 ms"));
  EXPECT_THAT(f->remedies.at(0), HasSubstr("Move each Add's Q/DQ"));
  ASSERT_TRUE(f->gain);
  EXPECT_NEAR(f->gain->low_ms, 0.11, 1e-12);
  EXPECT_NEAR(f->gain->high_ms, 0.14, 1e-12);
  for (const char* other :
       {"qdq-overplaced-on-conv-output", "conv-int8-in-float-out", "qdq-unfused-standalone"}) {
    EXPECT_EQ(find(a, other), nullptr) << other;
  }
  // With Q/DQ on both inputs the one on the convolution's output is one too many.
  const Analysis both = test::analyze_layers(lone_add(true));
  EXPECT_EQ(find(both, "residual-add-not-quantised"), nullptr);
  EXPECT_NE(find(both, "qdq-overplaced-on-conv-output"), nullptr);
}

std::vector<Layer> qdq_without_int8() {
  return {quantize("q", "a", "b", 0.2), dequantize("dq", "b", "c", 0.1),
          layer("resize", "Resize", {tensor("c", kF)}, {tensor("d", kF)}, 0.2),
          conv("c", {tensor("d", kH)}, tensor("e", kH), kH, 0.5)};
}

TEST(RuleQdqGraphNoInt8Compute, FiresWhenAllArithmeticIsFloat) {
  const Analysis a = test::analyze_layers(qdq_without_int8());
  const Finding* f = find(a, "qdq-graph-no-int8-compute");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.3, 1e-12);
  EXPECT_EQ(f->title, "The network has Q/DQ, but no layer computes in INT8 or FP8");
  EXPECT_THAT(test::figures(*f), ElementsAre("1 QuantizeLinear kernel, 0.200 ms",
                                             "1 DequantizeLinear kernel, 0.100 ms"));
  EXPECT_EQ(find(a, "qdq-unfused-standalone"), nullptr);  // said already
}

TEST(RuleQdqGraphNoInt8Compute, SilentWhenInt8IsThereOrMayBe) {
  const char* rule = "qdq-graph-no-int8-compute";
  std::vector<Layer> layers = qdq_without_int8();
  layers.push_back(conv("int8", {tensor("b", kI)}, tensor("f", kI), kI, 0.1));
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
  layers = qdq_without_int8();
  layers.push_back(
      layer("{ForeignNode[a...b]}", "Myelin", {tensor("b", kI)}, {tensor("f", kF)}, 0.1));
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
  layers = qdq_without_int8();
  layers.push_back(conv("unknown", {Tensor()}, Tensor(), DataType::unknown, 0.1));
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
  layers = qdq_without_int8();
  layers.pop_back();  // no arithmetic at all
  EXPECT_EQ(find(test::analyze_layers(layers), rule), nullptr);
}

TEST(RuleQdqGraphNoInt8Compute, SilentOnWeightOnlyQuantization) {
  Layer gemm = conv("gemm", {tensor("x", kH)}, tensor("y", kH), DataType::int4, 0.5);
  gemm.layer_type = "gemm";
  const Analysis a = test::analyze_layers({dequantize("dq of weights", "w4", "w", 0.1, kH), gemm});
  EXPECT_EQ(find(a, "qdq-graph-no-int8-compute"), nullptr);
}

}  // namespace
}  // namespace trtlens::rule_cause_test
