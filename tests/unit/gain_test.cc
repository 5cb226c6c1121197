// What mending wins, worked out by hand: conversions that go, FP32 against the roof, per query.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzers/ledgers/gain.h"
#include "report/document/parts.h"
#include "tests/unit/build_maker.h"

namespace trtlens::gain_test {
namespace {

using test::analyze_build;
using test::build_of;
using test::conv;
using test::find;
using test::layer;
using test::quantize;
using test::reformat;
using test::tensor;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

std::optional<Gain> without(Layer conversion) {
  return gain_without(analyze_build(build_of({std::move(conversion)})), {0});
}

TEST(GainWithout, IsAtWorstWithoutWhatTheWiderTensorCosts) {
  const std::optional<Gain> q = without(quantize("q", "a", "b", 1.0));  // 4 bytes in, 1 out
  ASSERT_TRUE(q);
  EXPECT_NEAR(q->low_ms, 0.4, 1e-12);
  EXPECT_NEAR(q->high_ms, 1.0, 1e-12);
  EXPECT_EQ(q->basis,
            "without this kernel; at worst the layers beside it move the wider tensors instead");
  const std::optional<Gain> cast = without(reformat("r", tensor("a", kF), tensor("b", kH), 0.3));
  ASSERT_TRUE(cast);
  EXPECT_NEAR(cast->low_ms, 0.2, 1e-12);
}

TEST(GainWithout, IsAllOfAChangeOfLayout) {
  const std::optional<Gain> gain = without(reformat("r", tensor("a", kH), tensor("b", kH), 0.3));
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->low_ms, 0.3, 1e-12);
  EXPECT_NEAR(gain->high_ms, 0.3, 1e-12);
  EXPECT_EQ(gain->basis, "without this kernel");
}

TEST(GainWithout, TakesUnknownSizesAsFp32ToInt8) {
  Layer unknown = quantize("q", "a", "b", 1.0, kH);
  unknown.inputs[0].has_dims = false;
  unknown.inputs[0].dims = {};
  EXPECT_NEAR(without(unknown)->low_ms, 0.4, 1e-12);
  EXPECT_FALSE(without(quantize("q", "a", "b", 0)));
}

// Two convolutions of 64 channels, 3 x 3, at 56 x 56 and batch 8 on an A100.
Build fp32_build(const std::string& tactic) {
  std::vector<Layer> layers;
  for (int i = 0; i < 2; ++i) {
    Layer l = conv("c" + std::to_string(i), {tensor("t" + std::to_string(i), kF, {8, 64, 56, 56})},
                   tensor("t" + std::to_string(i + 1), kF, {8, 64, 56, 56}), kF, 1.0);
    l.kernel = {3, 3};
    l.weights = Weights{kF, 36864};
    l.tactic_name = tactic;
    layers.push_back(std::move(l));
  }
  Build build = build_of(std::move(layers));
  build.producer = "trtexec";
  build.allowed.labels = {"FP32"};
  build.gpu.emplace();
  build.gpu->name = "NVIDIA A100-SXM4-40GB";
  build.gpu->compute_capability = "8.0";
  return build;
}

TEST(GainIn, HalvesAtLeastWhatBytesAndArithmeticBothHalve) {
  const Analysis a = analyze_build(
      fp32_build("sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x64"));
  const Finding* f = find(a, "fp32-only-allowed");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->gain);
  EXPECT_NEAR(f->gain->low_ms, 2 * 0.5, 1e-9);
  // At best the tensor cores at 312 TFLOP/s.
  const double roof_ms = 2 * (8.0 * 56 * 56 * 64 * 64 * 9) / 312e12 * 1e3;
  EXPECT_NEAR(f->gain->high_ms, 2 * (1 - roof_ms), 1e-3);
  EXPECT_EQ(f->gain->basis,
            "at best what no kernel can beat in FP16 on A100-SXM4-40GB; at worst what fewer bytes "
            "or faster arithmetic save each for itself");
}

TEST(GainIn, CountsForTf32ArithmeticAlone) {
  Build build =
      fp32_build("sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize64_ffma");
  build.allowed.no_tf32 = true;
  const Analysis a = analyze_build(build);
  const Finding* f = find(a, "noTF32-fp32-slow");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->gain);
  const double macs = 8.0 * 56 * 56 * 64 * 64 * 9;
  EXPECT_NEAR(f->gain->low_ms, 2 * (2 * macs / 19.5e12 - 2 * macs / 156e12) * 1e3, 2e-3);
  build.layers[0].inputs[0].dims = {};  // a layer that the roofline does not know
  build.layers[0].inputs[0].has_dims = false;
  const Analysis unknown = analyze_build(std::move(build));
  EXPECT_FALSE(find(unknown, "noTF32-fp32-slow")->gain);
  EXPECT_EQ(find(unknown, "noTF32-fp32-slow")->gain_unknown,
            "the roofline does not know these layers");
  EXPECT_EQ(f->gain_unknown, "");
}

Build timed(double query_ms, double enqueue_ms) {
  Build build = build_of(
      {quantize("q", "image", "x", 0.2), conv("c", {tensor("x", kI)}, tensor("y", kI), kI, 0.8)});
  test::add_io(build, tensor("image", kF), true);
  test::set_query_times(build, query_ms, enqueue_ms);
  return build;
}

TEST(QueryGain, IsScaledByWhatTheProfilerAdds) {
  const Analysis a = analyze_build(timed(0.9, 0.1));
  const Finding* f = find(a, "input-quantise-cost");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->gain && f->gain->query);
  EXPECT_NEAR(f->gain->query->low_ms, 0.08 * 0.9, 1e-9);
  EXPECT_NEAR(f->gain->query->high_ms, 0.2 * 0.9, 1e-9);
  EXPECT_EQ(gain_text(*f->gain),
            "0.0800 to 0.200 ms of profile time, 0.0720 to 0.180 ms per query");
}

TEST(QueryGain, IsNoMoreThanTheProfileTime) {
  const Analysis a = analyze_build(timed(1.5, 0.1));
  EXPECT_NEAR(find(a, "input-quantise-cost")->gain->query->high_ms, 0.2, 1e-9);
}

TEST(QueryGain, MayBeNothingWhereTheGpuWaitsForLaunches) {
  const Analysis a = analyze_build(timed(0.9, 0.9));
  ASSERT_NE(find(a, "enqueue-bound"), nullptr);
  const Gain& gain = *find(a, "input-quantise-cost")->gain;
  EXPECT_EQ(gain.query->low_ms, 0);
  EXPECT_NEAR(gain.query->high_ms, 0.18, 1e-9);
  EXPECT_EQ(gain_text(gain), "0.0800 to 0.200 ms of profile time, up to 0.180 ms per query");
}

// Where slow queries alone wait, the median wins what the profile does.
TEST(QueryGain, WaitsWhereLaunchesCostThreePercent) {
  Analysis a;
  a.reconciliation.emplace().gpu_compute_ms = 1;
  Finding& f = a.findings.emplace_back();
  f.rule = "enqueue-bound";
  f.severity = Severity::moderate;
  EXPECT_TRUE(waits_for_launches(a));  // for how long is not known
  f.gain.emplace().query = MsRange{0, 0.031};
  EXPECT_TRUE(waits_for_launches(a));
  f.gain->query->high_ms = 0.029;
  EXPECT_FALSE(waits_for_launches(a));
  f.gain.reset();
  f.severity = Severity::minor;
  EXPECT_FALSE(waits_for_launches(a));
}

TEST(QueryGain, IsUnknownWithoutATimedQuery) {
  Build build = timed(0.9, 0.1);
  build.performance.gpu_compute.reset();
  const Analysis a = analyze_build(std::move(build));
  EXPECT_FALSE(find(a, "input-quantise-cost")->gain->query);
}

TEST(QueryGain, StandsAloneWhereLaunchesBound) {
  Gain gain;
  EXPECT_EQ(gain_text(gain), "none");
  gain.query = MsRange{0.01, 0.06};
  EXPECT_EQ(gain_text(gain), "0.0100 to 0.0600 ms per query");
}

}  // namespace
}  // namespace trtlens::gain_test
