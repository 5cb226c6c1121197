// Structural rules about kernels, layouts and races: each with a near miss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/build_maker.h"

namespace trtlens::rule_kernel_test {
namespace {

using test::analyze_build;
using test::analyze_layers;
using test::build_of;
using test::conv;
using test::find;
using test::layer;
using test::reformat;
using test::tensor;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Layer half_conv(const std::string& name, const std::string& from, const std::string& to,
                double ms) {
  return conv(name, {tensor(from, kH)}, tensor(to, kH), kH, ms);
}

Layer gemm(const std::string& name, const std::string& from, const std::string& to, double ms) {
  return layer(name, "gemm", {tensor(from, kH)}, {tensor(to, kH)}, ms);
}

Analysis converted(double ms, DataType to, bool at_border = false) {
  Build build = build_of({half_conv("c1", "x", "a", 1 - ms),
                          reformat("r", tensor("a", kH), tensor("b", to), ms),
                          layer("soft", "CudaSoftMax", {tensor("b", to)}, {tensor("y", to)}, 0)});
  if (at_border) test::add_io(build, tensor("b", to), false);
  return analyze_build(std::move(build));
}

TEST(RuleMixedTypeReformat, FiresFromTwoPercentInsideTheNetwork) {
  const char* rule = "mixed-type-reformat";
  const Analysis a = converted(0.021, kF);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("r"));
  EXPECT_THAT(test::figures(*find(a, rule)), ElementsAre("1 FP16 to FP32, 0.0210 ms"));
  EXPECT_THAT(find(a, rule)->remedies, ::testing::SizeIs(1));  // no Cast: not strongly typed
  EXPECT_EQ(find(converted(0.019, kF), rule), nullptr);
  EXPECT_EQ(find(converted(0.03, kH), rule), nullptr);  // layout only
  EXPECT_EQ(find(converted(0.03, kF, true), rule), nullptr);
}

std::vector<Layer> chained(const char* origin) {
  return {half_conv("c1", "x", "a", 0.9), reformat("r1", tensor("a", kH), tensor("b", kH), 0.03),
          reformat("r2", tensor("b", kH), tensor("c", kH), 0.03, origin),
          half_conv("c2", "c", "y", 0.04)};
}

TEST(RuleReformatChain, FiresOnAReformatOfAReformat) {
  const char* rule = "reformat-chain";
  const Analysis a = analyze_layers(chained("REFORMAT"));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("r1", "r2"));
  EXPECT_NEAR(find(a, rule)->stake_ms.value_or(0), 0.06, 1e-12);
  std::vector<Layer> uneven = chained("REFORMAT");
  uneven[2].time->mean_ms = 0.05;
  const Analysis b = analyze_layers(std::move(uneven));
  ASSERT_TRUE(find(b, rule) != nullptr && find(b, rule)->gain);
  EXPECT_NEAR(find(b, rule)->gain->low_ms, 0.03, 1e-12);  // the faster of the two
  EXPECT_NEAR(find(b, rule)->gain->high_ms, 0.08, 1e-12);
  // Nothing is quantized here, and nothing has to be.
  EXPECT_THAT(find(a, rule)->remedies.at(0), ::testing::Not(HasSubstr("uantize")));
  std::vector<Layer> quantized = chained("REFORMAT");
  quantized[2].outputs[0].type = DataType::int8;
  ASSERT_NE(find(analyze_layers(quantized), rule), nullptr);
  EXPECT_THAT(find(analyze_layers(quantized), rule)->remedies.at(0),
              HasSubstr("Quantize the layer"));
  // No layer stands in front of it: the network's input does.
  quantized.erase(quantized.begin());
  ASSERT_NE(find(analyze_layers(quantized), rule), nullptr);
  EXPECT_THAT(find(analyze_layers(quantized), rule)->remedies.at(0), HasSubstr("preprocessing"));
  EXPECT_EQ(find(analyze_layers(chained("CONCAT")), rule), nullptr);  // a copy
  std::vector<Layer> shared = chained("REFORMAT");
  shared.push_back(half_conv("c3", "b", "z", 0.1));  // somebody else wants the first one's output
  EXPECT_EQ(find(analyze_layers(shared), rule), nullptr);
}

std::vector<Layer> attention(const char* middle, double ms) {
  Layer softmax = layer("softmax", middle, {tensor("s", kH)}, {tensor("p", kH)}, ms);
  return {half_conv("rest", "x", "q", 1 - 3 * ms), gemm("qk", "q", "s", ms), softmax,
          gemm("pv", "p", "y", ms)};
}

TEST(RuleMhaNotFused, FiresOnProductSoftmaxProduct) {
  const char* rule = "mha-not-fused";
  const Analysis a = analyze_layers(attention("CudaSoftMax", 0.02));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, UnorderedElementsAre("qk", "softmax", "pv"));
  EXPECT_NEAR(find(a, rule)->stake_ms.value_or(0), 0.06, 1e-12);
  EXPECT_EQ(find(analyze_layers(attention("CudaSoftMax", 0.01)), rule), nullptr);
  EXPECT_EQ(find(analyze_layers(attention("PointWise", 0.02)), rule), nullptr);
}

std::vector<Layer> projections(const char* third) {
  return {half_conv("rest", "x", "h", 0.9), gemm("/attn/q_proj/MatMul", "h", "q", 0.03),
          gemm("/attn/k_proj/MatMul", "h", "k", 0.03), gemm(third, "h", "v", 0.03)};
}

TEST(RuleQkv, FiresOnThreeProjectionsOfOneTensor) {
  const char* rule = "qkv-not-fused";
  const Analysis a = analyze_layers(projections("/attn/v_proj/MatMul"));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, SizeIs(3));
  EXPECT_EQ(find(a, rule)->severity, Severity::minor);
  EXPECT_EQ(find(analyze_layers(projections("/mlp/up/MatMul")), rule), nullptr);
}

std::vector<Layer> elementwise(std::size_t count, const std::string& name, double ms) {
  std::vector<Layer> layers = {half_conv("c", "x", "t0", 1)};
  for (std::size_t i = 0; i < count; ++i) {
    layers.push_back(layer(name + std::to_string(i), "kgen", {tensor("t" + std::to_string(i), kH)},
                           {tensor("t" + std::to_string(i + 1), kH)}, ms));
  }
  return layers;
}

// Fused, a kernel still reads its other operands at worst.
TEST(RulePointwiseAlone, GainsAtWorstAllButTheOtherOperands) {
  std::vector<Layer> layers = elementwise(10, "__myl_MaxMinCas_myl", 0.03);
  layers[1].inputs.push_back(tensor("other", kF));  // 4 bytes of 4 + 2 + 2
  const Analysis a = analyze_layers(std::move(layers));
  ASSERT_NE(find(a, "pointwise-alone"), nullptr);
  ASSERT_TRUE(find(a, "pointwise-alone")->gain);
  EXPECT_NEAR(find(a, "pointwise-alone")->gain->low_ms, 9 * 0.03 + 0.015, 1e-9);
  EXPECT_NEAR(find(a, "pointwise-alone")->gain->high_ms, 10 * 0.03, 1e-9);
}

TEST(RulePointwiseAlone, CountsElementwiseKernelsOnly) {
  const char* rule = "pointwise-alone";
  const Analysis a = analyze_layers(elementwise(10, "__myl_MaxMinCas_myl", 0.02));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_NEAR(find(a, rule)->stake_ms.value_or(0), 0.2, 1e-12);
  EXPECT_EQ(find(analyze_layers(elementwise(9, "__myl_MaxMinCas_myl", 0.02)), rule), nullptr);
  EXPECT_EQ(find(analyze_layers(elementwise(10, "__myl_MaxMinCas_myl", 0.01)), rule), nullptr);
  EXPECT_EQ(
      find(analyze_layers(elementwise(10, "__myl_AddMeanSubMulMeanAddSqrtDiv_myl", 0.02)), rule),
      nullptr);  // a normalisation
}

Analysis shape_work(DataType type, double ms) {
  return analyze_layers(
      {half_conv("c", "x", "y", 1 - ms),
       layer("gather", "kgen", {tensor("i", DataType::int64)}, {tensor("o", type)}, ms)});
}

TEST(RuleCastShape, FiresOnIntegerKernelsFromThreePercent) {
  const char* rule = "cast-shape-overhead";
  const Analysis a = shape_work(DataType::int32, 0.031);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("gather"));
  EXPECT_EQ(find(shape_work(DataType::int32, 0.029), rule), nullptr);
  EXPECT_EQ(find(shape_work(kH, 0.1), rule), nullptr);  // an embedding
}

std::vector<Layer> aligned(std::int64_t channels, DataType type) {
  Layer c = conv("c", {tensor("x", type, {8, channels, 7, 7})}, tensor("y", type, {8, 64, 7, 7}),
                 type, 0.5);
  c.out_maps = channels;
  return {c, conv("next", {tensor("y", type)}, tensor("z", type), type, 0.5)};
}

TEST(RuleTcAlignment, FiresOnPaddedChannels) {
  const char* rule = "tc-alignment";
  const Analysis a = analyze_layers(aligned(20, kI));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("c"));
  EXPECT_EQ(find(a, rule)->evidence.at(0).note,
            "20 channels to 20 in INT8: 61 % of the multiplications are padding");
  EXPECT_EQ(find(analyze_layers(aligned(24, kH)), rule), nullptr);  // a multiple of 8
  EXPECT_EQ(find(analyze_layers(aligned(3, kI)), rule), nullptr);   // an image
  EXPECT_EQ(find(analyze_layers(aligned(20, kF)), rule), nullptr);
  EXPECT_EQ(find(analyze_layers(aligned(INT64_MAX, kI)), rule), nullptr);  // a hostile number
  std::vector<Layer> last = aligned(20, kI);
  last.pop_back();  // the classifier has the channels of its classes
  EXPECT_EQ(find(analyze_layers(last), rule), nullptr);
}

// On a GPU of the device table: 1 x 1 is bound by its bytes, 11 x 11 by its arithmetic.
TEST(RuleTcAlignment, LeavesLayersAloneThatTheirBytesHold) {
  const auto finds = [](std::int64_t kernel) {
    Build build = build_of(aligned(20, kI));
    build.layers[0].outputs[0].dims = {8, 20, 7, 7};
    build.layers[0].kernel = {kernel, kernel};
    build.layers[0].weights->count = std::int64_t{400} * kernel * kernel;
    build.gpu.emplace();
    build.gpu->name = "NVIDIA A100-SXM4-40GB";
    build.gpu->compute_capability = "8.0";
    return find(analyze_build(std::move(build)), "tc-alignment") != nullptr;
  };
  EXPECT_FALSE(finds(1));
  EXPECT_TRUE(finds(11));
}

Analysis with_tactic(const char* name, std::int64_t groups = 1) {
  Layer c = conv("c", {tensor("x", kI)}, tensor("y", kI), kI, 1);
  c.tactic_name = name;
  c.groups = groups;
  return analyze_layers({c});
}

TEST(RuleNonTensorCore, KnowsWhichNamesAreTensorCoreKernels) {
  const char* rule = "non-tensor-core-tactic";
  const Analysis a = with_tactic("ampere_int8x4_icudnn_int8x4_128x32_relu_interior_c32_nn_v1");
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->evidence.at(0).note,
            "ampere_int8x4_icudnn_int8x4_128x32_relu_interior_c32_nn_v1");
  for (const char* name :
       {"ampere_h16816cudnn_128x64_ldg8_relu_exp_stages_64x3_small_nhwc_tn_v1",
        "ampere_h1688cudnn_256x64_ldg8_relu_exp_medium_nhwc_tn_v1",
        "turing_int8_i8816cudnn_int8_256x64_ldg16_relu_small_nt_v1",
        "volta_fp16_s884cudnn_fp16_128x128_ldg8_relu_exp_interior_nhwc_tn_v1", ""}) {
    EXPECT_EQ(find(with_tactic(name), rule), nullptr) << name;
  }
  // Depthwise kernels never use them.
  EXPECT_EQ(find(with_tactic("ampere_int8x4_icudnn_int8x4_128x32_nn_v1", 64), rule), nullptr);
}

Build sparse(std::uint64_t chosen) {
  Build build;
  build.has_log = true;
  build.sparse.eligible = 4;
  build.sparse.chosen = chosen;
  return build;
}

TEST(RuleSparsity, FiresWhenHalfOrLessWasPicked) {
  const char* rule = "sparsity-not-used";
  const Analysis a = analyze_build(sparse(1));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->title, "Only 1 layer that could be sparse got a sparse kernel");
  EXPECT_NE(find(analyze_build(sparse(0)), rule), nullptr);
  EXPECT_EQ(find(analyze_build(sparse(3)), rule), nullptr);
}

Build with_sparsity(const char* option, std::int64_t channels, bool one_sparse) {
  std::vector<Layer> layers;
  for (const char* name : {"a", "b"}) {
    Layer c = conv(name, {tensor("x", DataType::fp16, {1, channels, 8, 8})},
                   tensor("y", DataType::fp16), DataType::fp16, 1);
    c.sparse_weights = one_sparse && layers.empty();
    layers.push_back(std::move(c));
  }
  Build build = test::build_of(std::move(layers));
  build.options.flags = {{"sparsity", option}};
  return build;
}

TEST(RuleSparsity, TheLogsNumbersCountBeforeTheLayers) {
  Build build = with_sparsity("enable", 64, false);
  build.sparse.eligible = 1;
  build.sparse.chosen = 0;
  EXPECT_EQ(find(analyze_build(std::move(build)), "sparsity-not-used"), nullptr);
}

TEST(RuleSparsity, ReadsTheLayerInfoWhenTheLogIsSilent) {
  const char* rule = "sparsity-not-used";
  const auto with = [](const char* option, std::int64_t channels, bool one_sparse) {
    return analyze_build(with_sparsity(option, channels, one_sparse));
  };
  const Analysis a = with("enable", 64, false);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->title, "No layer with enough channels has sparse weights");
  EXPECT_EQ(find(with("enable", 64, true), rule), nullptr);
  EXPECT_EQ(find(with("enable", 60, false), rule), nullptr);
  EXPECT_EQ(find(with("disable", 64, false), rule), nullptr);
}

OnnxNode node(const char* op, const char* from, const char* to) {
  OnnxNode n;
  n.name = std::string("/") + op;
  n.op = op;
  n.inputs = {tensor(from, DataType::unknown)};
  n.outputs = {tensor(to, DataType::unknown)};
  return n;
}

Build network(std::vector<OnnxNode> nodes) {
  Build build;
  build.has_log = true;
  build.onnx_nodes = std::move(nodes);
  test::add_io(build, tensor("x", kF), true);
  return build;
}

TEST(RuleLoopNonZero, FiresInTheMiddleOnly) {
  const char* rule = "loop-nonzero-dds";
  const Analysis a = analyze_build(
      network({node("Conv", "x", "a"), node("NonZero", "a", "b"), node("MatMul", "b", "c")}));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->title, "NonZero in the middle of the network");
  EXPECT_EQ(find(a, rule)->severity, Severity::minor);  // nothing shows that the host waits
  // At the end; of a shape, which is a constant.
  EXPECT_EQ(find(analyze_build(network({node("Conv", "x", "a"), node("NonZero", "a", "b"),
                                        node("Gather", "b", "c")})),
                 rule),
            nullptr);
  EXPECT_EQ(find(analyze_build(network({node("Shape", "x", "a"), node("NonZero", "a", "b"),
                                        node("MatMul", "b", "c")})),
                 rule),
            nullptr);
}

Autotune race(const char* combination, double ms, std::uint64_t id) {
  Autotune r;
  r.layer = "c";
  r.format_combination = combination;
  r.chosen_runner = "CaskConvolution";
  r.chosen_id = id;
  r.chosen_ms = ms;
  r.timed = 3;
  return r;
}

Analysis raced(double int8_ms, double half_ms) {
  Build build = build_of({conv("c", {tensor("x", kI)}, tensor("y", kI), kI, 1)});
  build.layers[0].tactic_id = 1;
  build.autotuning = {race("Int8(50176,784:32,28,1) -> Int8(50176,784:32,28,1)", int8_ms, 1),
                      race("Half(50176,1:8,1792,64) -> Half(50176,1:8,1792,64)", half_ms, 2)};
  return analyze_build(std::move(build));
}

TEST(RuleInt8Slower, ComparesTheRacesOfALayer) {
  const char* rule = "int8-tactic-slower-than-fp16";
  const Analysis a = raced(0.020, 0.020);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("c"));
  EXPECT_EQ(find(a, rule)->evidence.at(0).note, "c: INT8 0.0200 ms, FP16 0.0200 ms");
  EXPECT_EQ(find(raced(0.019, 0.020), rule), nullptr);
}

TEST(RuleInt8Slower, ARaceInFp32IsNoneInFp16) {
  Build build = build_of({conv("c", {tensor("x", kI)}, tensor("y", kI), kI, 1)});
  build.autotuning = {race("Int8(1,1,1,1) -> Int8(1,1,1,1)", 0.02, 1),
                      race("Float(1,1,1,1) -> Float(1,1,1,1)", 0.01, 2)};
  EXPECT_EQ(find(analyze_build(std::move(build)), "int8-tactic-slower-than-fp16"), nullptr);
}

TEST(RuleFastestNotChosen, SumsWhatTheEngineGaveUp) {
  const char* rule = "fastest-tactic-not-chosen";
  const Analysis a = raced(0.020, 0.0179);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->severity, Severity::info);
  EXPECT_THAT(test::figures(*find(a, rule)), Contains(HasSubstr("save 0.0021 ms of 0.0200 ms")));
  EXPECT_EQ(find(raced(0.020, 0.0181), rule), nullptr);
}

TEST(RuleFastestNotChosen, CountsLayersWhoseRacesHaveAWinner) {
  Build build = build_of({conv("c", {tensor("x", kI)}, tensor("y", kI), kI, 1),
                          conv("d", {tensor("y", kI)}, tensor("z", kI), kI, 1)});
  build.layers[0].tactic_id = build.layers[1].tactic_id = 1;
  build.autotuning = {race("Int8(1,1) -> Int8(1,1)", 0.020, 1),
                      race("Half(1,1) -> Half(1,1)", 0.010, 2),
                      race("Int8(1,1) -> Int8(1,1)", 1, 1)};
  build.autotuning.back().layer = "d";
  build.autotuning.back().chosen_ms.reset();
  const Analysis a = analyze_build(std::move(build));
  ASSERT_NE(find(a, "fastest-tactic-not-chosen"), nullptr);
  EXPECT_THAT(test::figures(*find(a, "fastest-tactic-not-chosen")),
              Contains(HasSubstr("in 1 layer with races")));
}

}  // namespace
}  // namespace trtlens::rule_kernel_test
