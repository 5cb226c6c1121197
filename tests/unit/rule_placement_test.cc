// Structural rules that look at where Q/DQ and conversions stand: each with a near miss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/build_maker.h"

namespace trtlens::rule_placement_test {
namespace {

using test::analyze_build;
using test::analyze_layers;
using test::build_of;
using test::conv;
using test::dequantize;
using test::find;
using test::layer;
using test::quantize;
using test::reformat;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Layer typed(std::string name, std::string type, std::string parameter, std::vector<Tensor> in,
            Tensor out, double ms) {
  Layer l = layer(std::move(name), std::move(type), std::move(in), {std::move(out)}, ms);
  l.parameter_type = std::move(parameter);
  return l;
}

// An INT8 convolution from tensor to tensor; it writes `out`.
Layer int8_conv(const std::string& name, const std::string& from, const std::string& to, double ms,
                DataType out = kI) {
  return conv(name, {tensor(from, kI)}, tensor(to, out), kI, ms);
}

std::vector<Layer> pooled(const char* name) {
  return {int8_conv("c1", "a", "b", 0.8, kH),
          typed(name, "CaskPooling", "Pooling", {tensor("b", kH)}, tensor("p", kH), 0.1),
          quantize("q", "p", "pq", 0.05, kH), int8_conv("fc", "pq", "y", 0.05, kH)};
}

TEST(RuleGapPool, FiresOnAveragePoolingNotOnMaximum) {
  const Analysis a = analyze_layers(pooled("GlobalAveragePool_1"));
  const Finding* f = find(a, "gap-pool-not-quantised");
  ASSERT_NE(f, nullptr);
  // The pooling itself stays.
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.05, 1e-12);
  EXPECT_THAT(f->layers, UnorderedElementsAre("q"));
  EXPECT_EQ(find(analyze_layers(pooled("MaxPool_1")), "gap-pool-not-quantised"), nullptr);
  // Calibrated: there is no Q whose pair could be moved.
  std::vector<Layer> implicit = pooled("GlobalAveragePool_1");
  implicit[2] = reformat("r", tensor("p", kH), tensor("pq", kI), 0.05);
  EXPECT_EQ(find(analyze_layers(implicit), "gap-pool-not-quantised"), nullptr);
  // In INT8 already: nothing to convert.
  std::vector<Layer> healthy = pooled("GlobalAveragePool_1");
  healthy[0].outputs[0].type = healthy[1].inputs[0].type = kI;
  EXPECT_EQ(find(analyze_layers(healthy), "gap-pool-not-quantised"), nullptr);
}

// What the convolution in front adds is dequantized for it, and it takes longer than its twin that
// writes INT8.
std::vector<Layer> pooled_behind_an_add(double twin_ms) {
  std::vector<Layer> layers = pooled("GlobalAveragePool_1");
  layers[0].time->mean_ms = 0.3;
  layers[0].inputs.push_back(tensor("rf", kH));
  Layer twin = int8_conv("twin", "a0", "r", twin_ms);
  twin.inputs.push_back(tensor("r0", kI));
  layers.push_back(twin);
  layers.push_back(dequantize("dq", "r", "rf", 0.04, kH));
  return layers;
}

TEST(RuleGapPool, CountsTheResidualThatIsDequantizedForIt) {
  const char* rule = "gap-pool-not-quantised";
  const Analysis a = analyze_layers(pooled_behind_an_add(0.2));
  const Finding* f = find(a, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("dq", "q", "c1"));
  ASSERT_TRUE(f->gain);
  EXPECT_NEAR(f->gain->low_ms, 0.09, 1e-12);   // the pooling, 0.1, takes twice as long
  EXPECT_NEAR(f->gain->high_ms, 0.19, 1e-12);  // 0.09 of Q and DQ, 0.1 of the convolution
  // A twin that is no faster: the convolution is not in question.
  const Analysis equal = analyze_layers(pooled_behind_an_add(0.29));
  ASSERT_NE(find(equal, rule), nullptr);
  EXPECT_THAT(find(equal, rule)->layers, UnorderedElementsAre("dq", "q"));
}

TEST(RuleGapPool, CountsAConvolutionOnceForAllItsPools) {
  std::vector<Layer> layers = pooled_behind_an_add(0.2);
  layers.push_back(typed("GlobalAveragePool_2", "CaskPooling", "Pooling", {tensor("b", kH)},
                         tensor("p2", kH), 0.01));
  layers.push_back(quantize("q2", "p2", "pq2", 0.05, kH));
  layers.push_back(int8_conv("fc2", "pq2", "y2", 0.05, kH));
  const Analysis a = analyze_layers(std::move(layers));
  const Finding* f = find(a, "gap-pool-not-quantised");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(test::figures(*f), ElementsAre(HasSubstr("3 conversions because of it"),
                                             HasSubstr("1 convolution writing float for it")));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.44, 1e-12);
  ASSERT_TRUE(f->gain);
  EXPECT_NEAR(f->gain->low_ms, 0.13, 1e-12);
  EXPECT_NEAR(f->gain->high_ms, 0.24, 1e-12);  // 0.14 of Q and DQ, 0.1 of the convolution
}

TEST(RuleGapPool, HoldsWhatTheTwinProves) {
  const std::string path = test::shared("corpus/engines/004-trex-a100-resnet-qat-residual");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  const Finding* f = find(a, "gap-pool-not-quantised");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->gain);
  EXPECT_LE(f->gain->low_ms, 0.055);
  EXPECT_GE(f->gain->high_ms, 0.055);
  EXPECT_EQ(f->severity, Severity::moderate);
}

std::vector<Layer> concatenated(std::size_t own) {
  std::vector<Layer> layers = {int8_conv("c1", "a", "cat", 0.5)};
  for (std::size_t i = 0; i < own; ++i) {
    const std::string n = std::to_string(i);
    layers.push_back(conv("f" + n, {tensor("a" + n, kH)}, tensor("b" + n, kH), kH, 0.1));
    layers.push_back(quantize("q" + n, "b" + n, "cat", 0.1, kH));
  }
  layers.push_back(int8_conv("c2", "cat", "y", 0.5));
  return layers;
}

TEST(RuleConcatScale, FiresOnTwoBranchesWithAQOfTheirOwn) {
  const Analysis a = analyze_layers(concatenated(2));
  const Finding* f = find(a, "concat-scale-mismatch");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("q0", "q1"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.2, 1e-12);
  EXPECT_EQ(find(analyze_layers(concatenated(1)), "concat-scale-mismatch"), nullptr);
}

std::vector<Layer> transposed(const std::string& kind) {
  Layer product = conv("mm", {tensor("t", kH)}, tensor("y", kH), kH, 0.5);
  product.layer_type = "gemm";
  return {int8_conv("c1", "a", "b", 0.3), dequantize("dq", "b", "d", 0.1, kH),
          typed("move", kind, kind, {tensor("d", kH)}, tensor("t", kH), 0.1), product};
}

TEST(RuleQdqBeforeTranspose, FiresOnAShuffleBetween) {
  const Analysis a = analyze_layers(transposed("Shuffle"));
  const Finding* f = find(a, "qdq-before-transpose");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("dq", "move", "mm"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.7, 1e-12);
  // Arithmetic in between is no layout work.
  EXPECT_EQ(find(analyze_layers(transposed("PointWise")), "qdq-before-transpose"), nullptr);
}

OnnxNode node(const char* name, const char* op, const char* from, const char* to) {
  OnnxNode n;
  n.name = name;
  n.op = op;
  n.inputs = {tensor(from, DataType::unknown)};
  n.outputs = {tensor(to, DataType::unknown)};
  return n;
}

Analysis transposed_weight(const char* layout) {
  Layer product = conv("mm", {tensor("x", kH)}, tensor("y", kH), kH, 1);
  product.layer_type = "gemm";
  product.onnx_nodes = {"/fc/MatMul"};
  Build build = build_of({product});
  OnnxNode matmul = node("/fc/MatMul", "MatMul", "x", "y");
  matmul.inputs.push_back(tensor("moved", DataType::unknown));
  build.onnx_nodes = {node("/fc/Q", "QuantizeLinear", "fc.weight", "q"),
                      node("/fc/DQ", "DequantizeLinear", "q", "dq"),
                      node("/fc/T", layout, "dq", "moved"), matmul};
  return analyze_build(std::move(build));
}

TEST(RuleQdqBeforeTranspose, FiresOnAWeightThatIsTransposedBehindItsQdq) {
  const Analysis a = transposed_weight("Transpose");
  ASSERT_NE(find(a, "qdq-before-transpose"), nullptr);
  EXPECT_THAT(find(a, "qdq-before-transpose")->layers, ElementsAre("mm"));
  EXPECT_EQ(find(transposed_weight("Mul"), "qdq-before-transpose"), nullptr);
}

std::vector<Layer> transposed_convolution(DataType out) {
  Layer deconv = int8_conv("up", "a", "b", 0.5, out);
  deconv.layer_type = "CaskDeconvolutionV2";
  return {deconv, typed("bn", "Scale", "Scale", {tensor("b", out)}, tensor("s", out), 0.1),
          typed("relu", "PointWiseV2", "PointWise", {tensor("s", out)}, tensor("r", out), 0.1)};
}

TEST(RuleConvTransposeBn, FiresOnFloatOutputWithKernelsBehind) {
  const Analysis a = analyze_layers(transposed_convolution(kF));
  const Finding* f = find(a, "convtranspose-bn-unfused-int8-float");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("bn", "relu"));
  EXPECT_EQ(find(a, "bn-left-unfused"), nullptr);  // the same kernels
  EXPECT_EQ(find(analyze_layers(transposed_convolution(kI)), "convtranspose-bn-unfused-int8-float"),
            nullptr);
}

std::vector<Layer> resized(bool dequantized) {
  Layer first = dequantized ? dequantize("dq", "b", "d", 0.1, kH)
                            : reformat("r", tensor("b", kI), tensor("d", kH), 0.1);
  return {int8_conv("c1", "a", "b", 0.3), first,
          typed("resize", "Resize", "Resize", {tensor("d", kH)}, tensor("e", kH), 0.1),
          quantize("q", "e", "f", 0.1, kH), int8_conv("c2", "f", "y", 0.3)};
}

TEST(RuleResize, FiresBehindADequantizeOnly) {
  const Analysis a = analyze_layers(resized(true));
  const Finding* f = find(a, "resize-needs-no-qdq");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("dq", "resize", "q"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.3, 1e-12);
  EXPECT_EQ(find(analyze_layers(resized(false)), "resize-needs-no-qdq"), nullptr);
}

std::vector<Layer> normalised(const std::string& conv_name) {
  return {conv(conv_name, {tensor("a", kH)}, tensor("b", kH), kH, 0.5),
          typed("BatchNormalization_2", "Scale", "Scale", {tensor("b", kH)}, tensor("c", kH), 0.1),
          conv("Conv_3", {tensor("c", kH)}, tensor("d", kH), kH, 0.4)};
}

TEST(RuleBnLeftUnfused, FiresBehindAConvolutionThatCouldTakeItIn) {
  const Analysis a = analyze_layers(normalised("Conv_1"));
  const Finding* f = find(a, "bn-left-unfused");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("BatchNormalization_2"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.1, 1e-12);
  // Behind an activation nothing folds into the weights.
  EXPECT_EQ(find(analyze_layers(normalised("Conv_1 + Relu_1")), "bn-left-unfused"), nullptr);
  // Nor when somebody else reads the convolution.
  std::vector<Layer> shared = normalised("Conv_1");
  shared.push_back(conv("Conv_4", {tensor("b", kH)}, tensor("e", kH), kH, 0.4));
  EXPECT_EQ(find(analyze_layers(shared), "bn-left-unfused"), nullptr);
}

std::vector<Layer> around_softmax(bool in_front) {
  const std::string from = in_front ? "d" : "b";
  std::vector<Layer> layers = {
      conv("g1", {tensor("a", kI)}, tensor("b", in_front ? kI : kH), kI, 0.4),
      typed("softmax", "CudaSoftMax", "SoftMax", {tensor(from, kH)}, tensor("s", kH), 0.2),
      quantize("q", "s", "t", 0.1, kH), conv("g2", {tensor("t", kI)}, tensor("y", kH), kI, 0.4)};
  if (in_front) layers.push_back(dequantize("dq", "b", "d", 0.1, kH));
  return layers;
}

TEST(RuleLayernormSplits, FiresOnQdqInFrontNotBehind) {
  const Analysis a = analyze_layers(around_softmax(true));
  const Finding* f = find(a, "layernorm-splits-int8-fusion");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("dq"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.1, 1e-12);
  EXPECT_EQ(find(analyze_layers(around_softmax(false)), "layernorm-splits-int8-fusion"), nullptr);
}

std::vector<Layer> plugin_between(bool behind) {
  Layer plugin = layer("plugin", "PluginV2", {tensor("b", kF)}, {tensor("c", kF)}, 0.02);
  plugin.plugin_type = "InstanceNormalization_TRT";
  std::vector<Layer> layers = {conv("c1", {tensor("x", kH)}, tensor("a", kH), kH, 0.6),
                               reformat("in", tensor("a", kH), tensor("b", kF), 0.05), plugin};
  if (behind) layers.push_back(reformat("out", tensor("c", kF), tensor("d", kH), 0.05));
  layers.push_back(conv("c2", {tensor(behind ? "d" : "c", kH)}, tensor("y", kH), kH, 0.28));
  return layers;
}

TEST(RulePluginWall, FiresOnReformatsOnBothSides) {
  const Analysis a = analyze_layers(plugin_between(true));
  const Finding* f = find(a, "plugin-reformat-wall");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("in", "out"));
  EXPECT_EQ(f->title, "1 plugin needs conversions on both sides");
  EXPECT_EQ(find(analyze_layers(plugin_between(false)), "plugin-reformat-wall"), nullptr);
  std::vector<Layer> small = plugin_between(true);
  small[0].time->mean_ms = 20;  // 0.6 % is no wall
  EXPECT_EQ(find(analyze_layers(small), "plugin-reformat-wall"), nullptr);
}

std::vector<Layer> activated(const std::string& name, bool residual) {
  std::vector<Tensor> inputs{tensor("d", kF)};
  if (residual) inputs.push_back(tensor("other", kF));
  std::vector<Layer> layers = {
      int8_conv("c1", "a", "b", 0.4), reformat("r1", tensor("b", kI), tensor("d", kF), 0.05),
      typed(name, "PointWiseV2", "PointWise", inputs, tensor("e", kF), 0.05),
      reformat("r2", tensor("e", kF), tensor("f", kI), 0.05), int8_conv("c2", "f", "y", 0.4)};
  if (residual) layers.push_back(conv("side", {tensor("z", kF)}, tensor("other", kF), kF, 0.1));
  return layers;
}

TEST(RuleActivationBetween, FiresWithTheConversionsOnBothSides) {
  const Analysis a = analyze_layers(activated("PWN(LeakyRelu_2)", false));
  const Finding* f = find(a, "fp32-activation-between-int8");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("r1", "PWN(LeakyRelu_2)", "r2"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.15, 1e-12);
  EXPECT_EQ(find(a, "conv-int8-in-float-out"), nullptr);  // its conversions stand here
  // An Add of a float branch is not the activation's doing.
  EXPECT_EQ(
      find(analyze_layers(activated("PWN(Add_2 + Relu_3)", true)), "fp32-activation-between-int8"),
      nullptr);
  // A kernel that reads and writes INT8 itself needs no conversions.
  std::vector<Layer> fused = activated("PWN(LeakyRelu_2)", false);
  fused[2].inputs[0] = tensor("b", kI);
  fused[2].outputs[0] = tensor("f", kI);
  EXPECT_EQ(find(analyze_layers(fused), "fp32-activation-between-int8"), nullptr);
}

// A SiLU whose output a Q reads, an Add reads in float, and another Q takes a slice of.
std::vector<Layer> branched(bool is_sliced, bool is_added, bool fuses_elsewhere) {
  std::vector<Layer> layers = {
      int8_conv(fuses_elsewhere ? "c0 + PWN(Sigmoid_0, Mul_0)" : "c0", "z", "a", 0.2),
      int8_conv("c1", "a", "b", 0.2, kH),
      typed("PWN(Sigmoid_1, Mul_1)", "PointWise", "PointWise", {tensor("b", kH)}, tensor("s", kH),
            0.05),
      quantize("q1", "s", "sq", 0.06, kH), int8_conv("c2", "sq", "y1", 0.2)};
  if (is_sliced) {
    Layer part = quantize("q2", "s", "pq", 0.03, kH);
    part.inputs[0].dims = {8, 32, 7, 7};
    layers.push_back(std::move(part));
    layers.push_back(int8_conv("c3", "pq", "y2", 0.2, kH));
  }
  if (is_added) {
    layers.push_back(typed("PWN(Add_2)", "PointWise", "PointWise",
                           {tensor("s", kH), tensor("r", kH)}, tensor("y3", kH), 0.05));
  }
  return layers;
}

const Finding& activation_finding(const Analysis& a) {
  const Finding* f = find(a, "fp32-activation-between-int8");
  static const Finding none;
  EXPECT_NE(f, nullptr);
  return f == nullptr ? none : *f;
}

TEST(RuleActivation, NamesWhatElseReadsItsOutput) {
  constexpr const char* kRule =
      "An activation and its quantizer fuse only if that quantizer is the sole reader, of the "
      "whole tensor. Here ";
  const Analysis both = analyze_layers(branched(true, true, true));
  const Finding& f = activation_finding(both);
  EXPECT_EQ(f.why, std::string(kRule) +
                       "q2 takes a slice of what the layer in front wrote, and PWN(Add_2) reads "
                       "the same tensor in floating point.");
  EXPECT_THAT(f.remedies,
              ElementsAre("Put one Q/DQ pair on the tensor, in front of the Slice or Split, for "
                          "all its consumers."));
  EXPECT_EQ(f.confidence, Confidence::measured);
  EXPECT_NEAR(f.stake_ms.value_or(0), 0.05 + 0.06 + 0.03, 1e-12);
  const Analysis sliced = analyze_layers(branched(true, false, true));
  EXPECT_THAT(activation_finding(sliced).remedies,
              ElementsAre("Move the Q/DQ in front of the Slice or Split: one pair for the whole "
                          "tensor."));
  const Analysis added = analyze_layers(branched(false, true, true));
  EXPECT_EQ(activation_finding(added).why,
            std::string(kRule) + "PWN(Add_2) reads the same tensor in floating point.");
  EXPECT_THAT(activation_finding(added).remedies,
              ElementsAre("Put one Q/DQ pair on the tensor for all its consumers."));
}

TEST(RuleActivation, IsNotToBeReplacedWhereItsKindFuses) {
  const Analysis fuses = analyze_layers(branched(false, false, true));
  EXPECT_EQ(
      activation_finding(fuses).remedies.at(0),
      "Compare with a layer where this activation fuses: here a Split, Concat or Add may read it.");
  EXPECT_EQ(activation_finding(fuses).remedies.size(), 2U);
  const Analysis never = analyze_layers(branched(false, false, false));
  EXPECT_THAT(activation_finding(never).remedies.at(0), HasSubstr("Use an activation that fuses"));
  EXPECT_EQ(activation_finding(never).confidence, Confidence::inferred);
  // One word is one kind: a LeakyReLU may stay alone where ReLUs fuse.
  std::vector<Layer> layers = branched(false, false, true);
  layers[0].name = "c0 + Relu_0";
  layers[2].name = "PWN(LeakyRelu_1)";
  const Analysis other = analyze_layers(std::move(layers));
  EXPECT_THAT(activation_finding(other).remedies.at(0), HasSubstr("Use an activation that fuses"));
}

TEST(RuleActivation, LeavesACopyThatChangesNoTypeAlone) {
  std::vector<Layer> layers = branched(false, true, true);
  layers[4].inputs[0].name = "cat";
  layers.push_back(reformat("s copy", tensor("sq", kI), tensor("cat", kI), 0.01, "CONCAT"));
  EXPECT_NEAR(activation_finding(analyze_layers(layers)).stake_ms.value_or(0), 0.11, 1e-12);
}

std::vector<Layer> requantized(DataType out) {
  std::vector<Layer> layers = {int8_conv("c1", "a", "b", 0.6, out)};
  if (out == kI) {
    layers.push_back(int8_conv("c2", "b", "y", 0.4));
  } else {
    layers.push_back(quantize("q", "b", "c", 0.1, out));
    layers.push_back(int8_conv("c2", "c", "y", 0.3));
  }
  return layers;
}

TEST(RuleConvInt8FloatOut, FiresWhenTheFloatIsQuantizedAgain) {
  const Analysis a = analyze_layers(requantized(kH));
  const Finding* f = find(a, "conv-int8-in-float-out");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("q"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.1, 1e-12);
  EXPECT_EQ(find(analyze_layers(requantized(kI)), "conv-int8-in-float-out"), nullptr);
  // A reformat of a calibrated engine is no Q that failed to fuse.
  std::vector<Layer> implicit = requantized(kH);
  implicit[1].origin = "REFORMAT";
  EXPECT_EQ(find(analyze_layers(implicit), "conv-int8-in-float-out"), nullptr);
  // The last convolution may write float.
  EXPECT_EQ(find(analyze_layers({int8_conv("c1", "a", "b", 0.6, kH)}), "conv-int8-in-float-out"),
            nullptr);
}

Analysis input_of(double ms) {
  Build build = build_of({quantize("q", "image", "x", ms), int8_conv("c1", "x", "y", 1 - ms)});
  test::add_io(build, tensor("image", kF), true);
  return analyze_build(std::move(build));
}

TEST(RuleInputQuantise, FiresFromFivePercentInPlaceOfTheBorderRule) {
  const Analysis a = input_of(0.051);
  const Finding* f = find(a, "input-quantise-cost");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.051, 1e-12);
  EXPECT_EQ(f->severity, Severity::moderate);
  EXPECT_EQ(find(a, "io-format-forces-reformat"), nullptr);
  const Analysis small = input_of(0.049);
  EXPECT_EQ(find(small, "input-quantise-cost"), nullptr);
  // A Q of the model is no matter of formats: its input may only be float.
  EXPECT_EQ(find(small, "io-format-forces-reformat"), nullptr);
}

Analysis linear_int8(const std::string& format, std::int64_t channels, const char* type) {
  Layer l = int8_conv("c1", "a", "b", 1);
  l.layer_type = type;
  l.inputs[0].format = format;
  l.inputs[0].dims = {8, channels, 7, 7};
  return analyze_layers({l});
}

TEST(RuleNotVectorised, FiresOnLinearInt8OfManyChannels) {
  const char* rule = "int8-not-vectorised-format";
  const Analysis a = linear_int8("Row major Int8 format", 64, "CaskConvolution");
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("c1"));
  EXPECT_EQ(find(linear_int8("Row major Int8 format", 3, "CaskConvolution"), rule), nullptr);
  EXPECT_EQ(find(linear_int8("Row major Int8 format", 64, "ConvActPool"), rule), nullptr);
  EXPECT_EQ(find(linear_int8("Thirty-two wide channel vectorized row major Int8 format", 64,
                             "CaskConvolution"),
                 rule),
            nullptr);
}

std::vector<Layer> with_add(bool shared) {
  std::vector<Layer> layers = {int8_conv("q_conv", "a", "b", 0.4), dequantize("dq", "b", "c", 0.1),
                               typed("PWN(Add_5)", "PointWiseV2", "PointWise",
                                     {tensor("c", kF), tensor("r", kF)}, tensor("s", kF), 0.1)};
  if (shared) layers.push_back(int8_conv("other", "b", "z", 0.4));
  return layers;
}

TEST(RuleQdqOverplaced, FiresOnAnAddBehindAConvolutionThatNobodyElseReads) {
  const Analysis a = analyze_layers(with_add(false));
  const Finding* f = find(a, "qdq-overplaced-on-conv-output");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("dq", "PWN(Add_5)"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.2, 1e-12);
  EXPECT_EQ(find(analyze_layers(with_add(true)), "qdq-overplaced-on-conv-output"), nullptr);
}

}  // namespace
}  // namespace trtlens::rule_placement_test
