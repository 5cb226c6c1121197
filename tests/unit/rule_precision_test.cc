// Structural rules about what computes wider than it was quantized for: each with a near miss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/build_maker.h"

namespace trtlens::rule_precision_test {
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
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;
constexpr DataType k8 = DataType::fp8;

Layer gemm(const std::string& name, const std::string& from, const std::string& to, DataType type,
           double ms) {
  Layer l = layer(name, "gemm", {tensor(from, type)}, {tensor(to, type)}, ms);
  l.weights = Weights{type, 1024};
  return l;
}

// A convolution behind a DQ from FP8 (or from INT8), with a Q behind it.
std::vector<Layer> dequantized_conv(DataType from, std::int64_t groups, std::int64_t kernel) {
  Layer c = conv("conv", {tensor("d", kH)}, tensor("e", kH), kH, 0.5);
  c.groups = groups;
  c.out_maps = 64;
  c.kernel = {kernel, kernel};
  return {reformat("dq", tensor("a", from), tensor("d", kH), 0.1, "QDQ"), c,
          reformat("q", tensor("e", kH), tensor("f", from), 0.1, "QDQ"),
          conv("next", {tensor("f", from)}, tensor("y", kH), from, 0.3)};
}

TEST(RuleFp8GroupConv, FiresOnGroupsBehindFp8InPlaceOfTheWeightsRule) {
  const Analysis a = analyze_layers(dequantized_conv(k8, 64, 3));
  const Finding* f = find(a, "fp8-group-conv-no-kernel");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("dq", "conv", "q"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.7, 1e-12);
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_EQ(find(a, "conv-fp32-weight-qdq-missing"), nullptr);
  // One group has FP8 kernels, INT8 has grouped ones.
  EXPECT_EQ(find(analyze_layers(dequantized_conv(k8, 1, 3)), "fp8-group-conv-no-kernel"), nullptr);
  EXPECT_EQ(find(analyze_layers(dequantized_conv(kI, 64, 3)), "fp8-group-conv-no-kernel"), nullptr);
}

TEST(RuleFp8Kernel, FiresOnSevenBySeven) {
  const Analysis a = analyze_layers(dequantized_conv(k8, 1, 7));
  const Finding* f = find(a, "fp8-conv-kernel-gt-32");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("dq", "conv", "q"));
  EXPECT_EQ(find(a, "conv-fp32-weight-qdq-missing"), nullptr);
  const Analysis small = analyze_layers(dequantized_conv(k8, 1, 5));
  EXPECT_EQ(find(small, "fp8-conv-kernel-gt-32"), nullptr);
  EXPECT_NE(find(small, "conv-fp32-weight-qdq-missing"), nullptr);
}

Build forced(std::size_t count, double ms) {
  std::vector<Layer> layers = {conv("free", {tensor("x", kH)}, tensor("t0", kH), kH, 1 - ms)};
  Build build;
  std::vector<LayerNote> notes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    layers.push_back(conv("forced" + n, {tensor("a" + n, kF)}, tensor("b" + n, kF), kF,
                          ms / static_cast<double>(count)));
    notes.push_back({"forced" + n, "precision fp32", {}});
  }
  build = build_of(std::move(layers));
  build.forced_precision = std::move(notes);
  build.allowed.labels = {"FP32", "FP16"};
  build.has_log = true;
  return build;
}

TEST(RuleForcedMany, FiresFromThreeLayersAndAFifthOfTheTime) {
  const char* rule = "forced-higher-precision-many";
  const Analysis a = analyze_build(forced(3, 0.21));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, SizeIs(3));
  EXPECT_NEAR(find(a, rule)->stake_ms.value_or(0), 0.21, 1e-12);
  EXPECT_EQ(find(a, "fp32-fallback"), nullptr);  // the same layers
  EXPECT_EQ(find(analyze_build(forced(3, 0.19)), rule), nullptr);
  const Analysis two = analyze_build(forced(2, 0.3));
  EXPECT_EQ(find(two, rule), nullptr);
  EXPECT_NE(find(two, "fp32-fallback"), nullptr);
}

Build without_tf32(const char* capability, bool flag) {
  Build build = build_of({conv("c", {tensor("a", kF)}, tensor("b", kF), kF, 1)});
  build.layers[0].tactic_name = "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_ffma";
  build.allowed.no_tf32 = flag;
  build.allowed.labels = {"FP32"};
  build.gpu.emplace();
  build.gpu->compute_capability = capability;
  return build;
}

TEST(RuleNoTf32, FiresOnAGpuThatHasIt) {
  const char* rule = "noTF32-fp32-slow";
  const Analysis a = analyze_build(without_tf32("8.0", true));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->severity, Severity::moderate);
  EXPECT_NEAR(find(a, rule)->stake_ms.value_or(0), 1, 1e-12);
  EXPECT_EQ(find(analyze_build(without_tf32("7.5", true)), rule), nullptr);
  EXPECT_EQ(find(analyze_build(without_tf32("8.0", false)), rule), nullptr);
}

Build fp32_alone(double share, const char* capability) {
  Build build =
      build_of({conv("c", {tensor("a", kF)}, tensor("b", kF), kF, share),
                layer("pool", "CaskPooling", {tensor("b", kF)}, {tensor("d", kF)}, 1 - share)});
  build.layers[0].tactic_name = "sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc";
  build.producer = "trtexec";
  build.allowed.labels = {"FP32"};
  build.gpu.emplace();
  build.gpu->compute_capability = capability;
  return build;
}

TEST(RuleFp32Only, FiresWhereNothingElseWasAllowedOnAGpuWithFastFp16) {
  const char* rule = "fp32-only-allowed";
  for (const char* capability : {"9.0", "7.0", "6.2", "6.0", "5.3"}) {
    const Analysis a = analyze_build(fp32_alone(0.31, capability));
    ASSERT_NE(find(a, rule), nullptr) << capability;
    EXPECT_EQ(find(a, rule)->severity, Severity::moderate);
    EXPECT_FALSE(find(a, rule)->gain);
    EXPECT_EQ(find(a, rule)->title, "Only FP32 was allowed: 1 convolution computes in TF32");
  }
  for (const char* capability : {"6.1", "5.2", ""}) {
    EXPECT_EQ(find(analyze_build(fp32_alone(0.31, capability)), rule), nullptr) << capability;
  }
  EXPECT_EQ(find(analyze_build(fp32_alone(0.29, "9.0")), rule), nullptr);
}

TEST(RuleFp32Only, SilentWhereMoreWasAllowedOrNobodySays) {
  const char* rule = "fp32-only-allowed";
  for (const std::vector<std::string>& labels :
       std::vector<std::vector<std::string>>{{"FP32", "FP16"}, {"FP32", "INT8"}, {"FP16"}}) {
    Build build = fp32_alone(1, "9.0");
    build.allowed.labels = labels;
    EXPECT_EQ(find(analyze_build(std::move(build)), rule), nullptr);
  }
  Build script = fp32_alone(1, "9.0");  // what a script allows, its command does not say
  script.producer = "python";
  EXPECT_EQ(find(analyze_build(std::move(script)), rule), nullptr);
  Build quantized = fp32_alone(0.8, "9.0");
  quantized.layers.push_back(quantize("QuantizeLinear_1", "x", "y", 0.1));
  EXPECT_EQ(find(analyze_build(std::move(quantized)), rule), nullptr);
}

// roboflow/rf-detr#1453: fp16=True, and TensorRT 11 built the model's FP32.
TEST(RuleFp32Only, ATypedNetworkInFp32IsConvertedNotAllowedMore) {
  const char* rule = "fp32-only-allowed";
  Build build = fp32_alone(0.31, "9.0");
  build.allowed.labels.clear();
  build.allowed.strongly_typed = true;
  const Analysis a = analyze_build(build);
  const Finding* f = find(a, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "The network's own types are FP32: 1 convolution computes in TF32");
  EXPECT_EQ(f->confidence, Confidence::inferred);
  EXPECT_THAT(f->remedies, ElementsAre(StartsWith("Convert a strongly typed model with AutoCast")));
  EXPECT_THAT(f->why, StartsWith("A strongly typed network is built in the types of its model"));
  build.layers[1].outputs[0].type = DataType::fp16;
  build.layers.push_back(
      conv("h", {tensor("a", DataType::fp16)}, tensor("e", DataType::fp16), DataType::fp16, 0.1));
  build.layers.back().tactic_name = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc";
  EXPECT_EQ(find(analyze_build(build), rule), nullptr);
  const Analysis allowed = analyze_build(fp32_alone(0.31, "9.0"));
  EXPECT_THAT(find(allowed, rule)->remedies.front(), StartsWith("If the outputs need not match"));
}

// One narrow tensor of a layer says that more was allowed; a layer without outputs says nothing.
TEST(RuleFp32Only, OneNarrowTensorIsEnough) {
  Build build = fp32_alone(0.6, "9.0");
  build.allowed.labels.clear();
  build.layers.push_back(test::layer("shape", "Shape", {tensor("y", kF)}, {}, 0.1));
  EXPECT_NE(find(analyze_build(build), "fp32-only-allowed"), nullptr);
  build.layers.back().outputs = {tensor("a", kF), tensor("b", DataType::fp16)};
  EXPECT_EQ(find(analyze_build(build), "fp32-only-allowed"), nullptr);
}

TEST(RuleFp32Only, FiresWhereAllIsFp32AndNobodySaysWhatWasAllowed) {
  Build build = fp32_alone(0.6, "9.0");
  build.allowed.labels.clear();
  build.gpu.reset();
  const Analysis a = analyze_build(build);
  const Finding* f = find(a, "fp32-only-allowed");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->confidence, Confidence::guessed);
  EXPECT_EQ(f->title, "1 convolution computes in TF32; what was allowed is unknown");
  build.layers[1].outputs[0].type = DataType::fp16;
  EXPECT_EQ(find(analyze_build(build), "fp32-only-allowed"), nullptr);
}

// --noTF32 is the first thing to say; that FP16 was not allowed comes without a second stake.
TEST(RuleFp32Only, LeavesTheStakeToNoTf32) {
  Build build = without_tf32("8.0", true);
  build.producer = "trtexec";
  const Analysis a = analyze_build(std::move(build));
  ASSERT_NE(find(a, "fp32-only-allowed"), nullptr);
  EXPECT_FALSE(find(a, "fp32-only-allowed")->stake_ms);
  EXPECT_THAT(test::figures(*find(a, "fp32-only-allowed")),
              ::testing::ElementsAre("1 layer of them in other findings, 1.000 ms"));
  EXPECT_EQ(a.findings.front().rule, "noTF32-fp32-slow");
}

Build uncalibrated(DataType second) {
  Build build = build_of({conv("c1", {tensor("a", kF)}, tensor("b", kF), kF, 0.5),
                          conv("c2", {tensor("b", second)}, tensor("c", kF), second, 0.5)});
  for (const char* name : {"b", "c"}) {
    MissingScale scale;
    scale.tensor = name;
    build.missing_scales.push_back(scale);
  }
  build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}

TEST(RuleNoInt8AtAll, FiresInPlaceOfTheSingleTensors) {
  const char* rule = "missing-scale-only-warnings-no-int8-at-all";
  const Analysis a = analyze_build(uncalibrated(kF));
  const Finding* f = find(a, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "2 tensors lack a scale, and nothing computes in INT8");
  EXPECT_EQ(find(a, "missing-scale-hot-layer"), nullptr);
  const Analysis partial = analyze_build(uncalibrated(kI));
  EXPECT_EQ(find(partial, rule), nullptr);
  EXPECT_NE(find(partial, "missing-scale-hot-layer"), nullptr);
}

// Attention in `type`, with INT8 allowed.
Build attention(DataType type, bool qdq) {
  Layer softmax = layer("softmax", "CudaSoftMax", {tensor("s", type)}, {tensor("p", type)}, 0.1);
  std::vector<Layer> layers = {gemm("qkv", "x", "q", type, 0.2), gemm("qk", "q", "s", type, 0.2),
                               softmax, gemm("pv", "p", "o", type, 0.2),
                               gemm("proj", "o", "y", type, 0.2)};
  if (qdq) layers.push_back(quantize("q0", "other", "q8", 0.1, type));
  Build build = build_of(std::move(layers));
  build.allowed.labels = {"FP32", "FP16", "INT8"};
  build.has_log = true;
  return build;
}

TEST(RuleTransformerImplicit, FiresOnCalibratedAttentionOnly) {
  const char* rule = "transformer-implicit-int8";
  const Analysis a = analyze_build(attention(kF, false));
  const Finding* f = find(a, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, UnorderedElementsAre("qkv", "qk", "pv", "proj"));
  EXPECT_EQ(find(a, "fp32-fallback"), nullptr);
  EXPECT_EQ(find(a, "mha-not-fused"), nullptr);
  EXPECT_EQ(find(analyze_build(attention(kF, true)), rule), nullptr);   // explicit
  EXPECT_EQ(find(analyze_build(attention(kI, false)), rule), nullptr);  // it did get INT8
  Build t4 = attention(kF, false);
  t4.gpu.emplace();
  t4.gpu->compute_capability = "7.5";
  EXPECT_EQ(find(analyze_build(std::move(t4)), rule), nullptr);
  Build fp16 = attention(kH, false);
  fp16.allowed.labels = {"FP32", "FP16"};
  const Analysis half = analyze_build(std::move(fp16));
  EXPECT_EQ(find(half, rule), nullptr);
  EXPECT_NE(find(half, "mha-not-fused"), nullptr);  // not fused, though, and that is its own fault
}

TEST(RuleTransformerImplicit, NamesOfTensorsTellWhereNoLayersDo) {
  const char* rule = "transformer-implicit-int8";
  Build build;
  build.has_log = true;
  build.missing_scales = {{"attention_mask", 1, {}}, {"/layer.0/attention/self/Reshape", 1, {}}};
  const Analysis a = analyze_build(build);
  const Finding* f = find(a, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->confidence, Confidence::guessed);
  EXPECT_THAT(f->title, HasSubstr("2 tensors of attention lack an INT8 scale"));
  build.allowed.labels = {"FP32", "FP16"};
  EXPECT_EQ(find(analyze_build(build), rule), nullptr);
  build.allowed.labels = {"FP32", "INT8"};
  build.missing_scales[1].tensor = "/layer1/conv1/Conv_output_0";
  EXPECT_EQ(find(analyze_build(build), rule), nullptr);
}

Build calibrated(DataType last, bool qdq) {
  std::vector<Layer> layers = {conv("c1", {tensor("a", kI)}, tensor("b", kI), kI, 0.4),
                               conv("c2", {tensor("b", kI)}, tensor("c", last), kI, 0.4),
                               conv("c3", {tensor("c", last)}, tensor("y", kF), last, 0.01)};
  if (qdq) layers[0].name = "w + QuantizeLinear_1 + c1";
  Build build = build_of(std::move(layers));
  build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}

TEST(RuleImplicitLast, FiresOnTheLastLayerOfACalibratedNetwork) {
  const char* rule = "implicit-last-layer-fp32";
  const Analysis a = analyze_build(calibrated(kF, false));
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_THAT(find(a, rule)->layers, ElementsAre("c3"));
  EXPECT_EQ(find(a, "fp32-fallback"), nullptr);
  EXPECT_EQ(find(analyze_build(calibrated(kI, false)), rule), nullptr);
  const Analysis explicit_one = analyze_build(calibrated(kF, true));
  EXPECT_EQ(find(explicit_one, rule), nullptr);
  EXPECT_NE(find(explicit_one, "fp32-fallback"), nullptr);
}

// INT8 was timed for the last convolution, and lost: nothing was kept wide on purpose.
TEST(RuleImplicitLast, IsSilentWhereTheTimesDecided) {
  const Analysis a = test::analyze_path(test::fixture("g_unet_int8"));
  EXPECT_EQ(find(a, "implicit-last-layer-fp32"), nullptr);
  const Finding* fallback = find(a, "fp32-fallback");
  ASSERT_NE(fallback, nullptr);
  EXPECT_THAT(fallback->layers, ElementsAre("/out/Conv"));
}

// The command to check it is the build's own, calibrated or not.
TEST(RuleImplicitLast, ChecksWithTheFlagsOfTheBuild) {
  Build build = calibrated(kF, false);
  build.command = "trtexec --onnx=m.onnx --int8 --fp16";
  const Analysis a = analyze_build(build);
  const Finding* finding = find(a, "implicit-last-layer-fp32");
  ASSERT_NE(finding, nullptr);
  EXPECT_THAT(finding->next_check, Not(HasSubstr("--calib")));
  EXPECT_THAT(finding->why, Not(HasSubstr("calibration")));
}

Build between_int8(bool strongly_typed) {
  Build build = build_of({conv("c1", {tensor("a", kI)}, tensor("b", kI), kI, 0.4),
                          reformat("r1", tensor("b", kI), tensor("c", kF), 0.05),
                          conv("wide", {tensor("c", kF)}, tensor("d", kF), kF, 0.2),
                          reformat("r2", tensor("d", kF), tensor("e", kI), 0.05),
                          conv("c2", {tensor("e", kI)}, tensor("y", kI), kI, 0.3)});
  build.allowed.strongly_typed = strongly_typed;
  if (!strongly_typed) build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}

TEST(RuleFp32GemmBetween, FiresInStronglyTypedNetworks) {
  const char* rule = "fp32-gemm-between-int8";
  const Analysis a = analyze_build(between_int8(true));
  const Finding* f = find(a, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->layers, ElementsAre("r1", "wide", "r2"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.3, 1e-12);
  // Where the build had the choice the layer is a fallback, with its reason.
  const Analysis weak = analyze_build(between_int8(false));
  EXPECT_EQ(find(weak, rule), nullptr);
  EXPECT_NE(find(weak, "fp32-fallback"), nullptr);
  Build half = between_int8(true);
  half.layers[2].weights->type = half.layers[2].inputs[0].type = kH;
  EXPECT_EQ(find(analyze_build(std::move(half)), rule), nullptr);
}

Analysis with_region(DataType input, double ms) {
  return analyze_layers(
      {conv("c", {tensor("x", kH)}, tensor("a", kH), kH, 1 - ms),
       layer("{ForeignNode[n1...n2]}", "Myelin", {tensor("b", input)}, {tensor("y", kF)}, ms)});
}

TEST(RuleMyelinFp32, FiresOnALargeRegionWithFp32BordersBesideHalf) {
  const char* rule = "myelin-region-fp32";
  const Analysis a = with_region(kF, 0.21);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->confidence, Confidence::guessed);
  EXPECT_NEAR(find(a, rule)->stake_ms.value_or(0), 0.21, 1e-12);
  EXPECT_EQ(find(with_region(kF, 0.19), rule), nullptr);
  EXPECT_EQ(find(with_region(kH, 0.5), rule), nullptr);
}

std::vector<std::string> region_remedies(const char* region, std::vector<SharedText> allowed) {
  Build build = build_of({conv("c", {tensor("x", kH)}, tensor("a", kH), kH, 0.5),
                          layer(region, "Myelin", {tensor("b", kF)}, {tensor("y", kF)}, 0.5)});
  for (const SharedText& label : allowed) build.allowed.labels.push_back(label.str());
  const Analysis a = analyze_build(std::move(build));
  const Finding* f = find(a, "myelin-region-fp32");
  return f == nullptr ? std::vector<std::string>() : f->remedies;
}

// Neither what the build allows already, nor what is about operators that are not there.
TEST(RuleMyelinFp32, AdvisesWhatTheBuildLacksAndTheRegionHas) {
  using ::testing::ElementsAre;
  using ::testing::StartsWith;
  EXPECT_THAT(
      region_remedies("{ForeignNode[w.../InstanceNormalization]}", {"FP32", "FP16", "INT8"}),
      ElementsAre("Ask for FP16 in the layers inside: --layerPrecisions=LAYER:fp16 "
                  "--precisionConstraints=prefer."));
  EXPECT_THAT(region_remedies("{ForeignNode[w.../InstanceNormalization]}", {"FP32", "INT8"}),
              ElementsAre(StartsWith("Build with --fp16 beside --int8")));
  EXPECT_THAT(region_remedies("{ForeignNode[/MatMul.../ReduceMean]}", {"FP32", "INT8"}),
              ElementsAre(StartsWith("Build with --fp16"), StartsWith("Quantize the matrix"),
                          StartsWith("Export with opset 17")));
}

// The region took 0.4 ms in FP32 when it was timed, and `half_ms` in FP16.
Analysis with_timed_region(double half_ms) {
  const char* name = "{ForeignNode[n1...n2]}";
  Layer region = layer(name, "Myelin", {tensor("b", kF)}, {tensor("y", kF)}, 0.5);
  region.tactic_id = 0;
  Build build =
      build_of({conv("c", {tensor("x", kH)}, tensor("a", kH), kH, 0.5), std::move(region)});
  for (const auto& [formats, ms] :
       {std::pair("Float(1) -> Float(1)", 0.4), std::pair("Half(1) -> Half(1)", half_ms)}) {
    Autotune& race = build.autotuning.emplace_back();
    race.layer = name;
    race.format_combination = formats;
    race.chosen_runner = "Myelin";
    race.chosen_id = 0;
    race.chosen_ms = ms;
  }
  return analyze_build(std::move(build));
}

TEST(RuleMyelinFp32, GoesByWhatTheRegionTookInFp16) {
  const char* rule = "myelin-region-fp32";
  EXPECT_EQ(find(with_timed_region(0.4), rule), nullptr);
  const Analysis a = with_timed_region(0.32);
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_NEAR(find(a, rule)->gain->high_ms, 0.1, 1e-12);
  EXPECT_EQ(find(a, rule)->gain->low_ms, 0);
  EXPECT_EQ(find(a, rule)->gain->basis, "at best the times in FP16 of the region");
  EXPECT_EQ(find(with_region(kF, 0.5), rule)->gain->basis, "at best half the bytes in the region");
}

TEST(RuleWeightOnly, FiresOnNarrowWeightsWithWideArithmetic) {
  const char* rule = "woq-compute-high-precision";
  Layer l = gemm("g", "a", "b", kH, 1);
  l.weights->type = DataType::int4;
  const Analysis a = analyze_layers({l});
  ASSERT_NE(find(a, rule), nullptr);
  EXPECT_EQ(find(a, rule)->title, "1 layer with INT4 weights computes in FP16");
  EXPECT_EQ(find(a, rule)->severity, Severity::info);
  EXPECT_THAT(find(a, rule)->next_check,
              ::testing::HasSubstr("`trtexec --onnx=FP16_WEIGHTS.onnx "));
  EXPECT_EQ(find(analyze_layers({gemm("g", "a", "b", kI, 1)}), rule), nullptr);
  EXPECT_EQ(find(analyze_layers({gemm("g", "a", "b", kH, 1)}), rule), nullptr);
}

}  // namespace
}  // namespace trtlens::rule_precision_test
