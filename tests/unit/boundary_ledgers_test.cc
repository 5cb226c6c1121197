// Boundaries of what the ledgers say: reconciliation, roofline, races, gain, gate, sizes of types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/gate/gate.h"
#include "analyzers/precision/precision.h"
#include "tests/unit/build_maker.h"

namespace trtlens::boundary_ledgers_test {
namespace {

using test::conv;
using test::tensor;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

std::vector<std::string> reasons(double layers_ms, double enqueue_ms, double throughput_qps) {
  Build build = test::build_of({conv("a", {tensor("x", kH)}, tensor("y", kH), kH, layers_ms - 1),
                                conv("b", {tensor("y", kH)}, tensor("z", kH), kH, 1)});
  build.performance.gpu_compute.emplace().median_ms = 10;
  build.performance.enqueue.emplace().median_ms = enqueue_ms;
  if (throughput_qps > 0) build.performance.throughput_qps = throughput_qps;
  return test::analyze_build(build).reconciliation.value().reasons;
}

TEST(BoundaryReconciliation, LaunchesExplainHalfAsMuchAgain) {
  EXPECT_THAT(reasons(15, 1, 0), Contains(HasSubstr("each carries its launch")));
  EXPECT_THAT(reasons(15.01, 1, 0), Contains(HasSubstr("more than 1.5 times as long")));
  EXPECT_THAT(reasons(10.01, 1, 0), Contains(HasSubstr("each carries its launch")));
  EXPECT_THAT(reasons(10, 1, 0), Contains(HasSubstr("gaps between the layers")));
}

TEST(BoundaryReconciliation, EnqueueingHoldsFromNineTenths) {
  EXPECT_THAT(reasons(12, 9.001, 0), Contains(HasSubstr("enqueueing takes as long")));
  EXPECT_THAT(reasons(12, 9, 0), Not(Contains(HasSubstr("enqueueing"))));
  EXPECT_THAT(reasons(12, 9.5, 90), Contains(HasSubstr("the GPU hardly waits")));
  EXPECT_THAT(reasons(12, 9.5, 89.9), Contains(HasSubstr("the GPU waits for launches")));
}

TEST(BoundaryReconciliation, ALaunchTakesFiveMicroseconds) {
  const auto below = [](double ms) {
    const Analysis a =
        test::analyze_layers({conv("a", {tensor("x", kH)}, tensor("y", kH), kH, ms)});
    return a.reconciliation.value().below_floor.size();
  };
  EXPECT_EQ(below(0.00499), 1U);
  EXPECT_EQ(below(0.005), 0U);
}

// A 1x1 convolution on a GPU that the table names.
LayerRoof roof_of(const char* gpu, DataType type, std::int64_t in, std::int64_t out, double ms,
                  bool sparse = false, const char* tactic = "") {
  Layer l = conv("c", {tensor("x", type, {32, in, 56, 56})}, tensor("y", type, {32, out, 56, 56}),
                 type, ms);
  l.kernel = {1, 1};
  l.groups = 1;
  l.weights = Weights{type, in * out};
  l.sparse_weights = sparse;
  l.tactic_name = tactic;
  Build build = test::build_of({std::move(l)});
  build.gpu.emplace().name = gpu;
  const Analysis a = test::analyze_build(build);
  EXPECT_EQ(a.roofline.layers.size(), 1U) << a.roofline.unknown;
  return a.roofline.layers.empty() ? LayerRoof() : a.roofline.layers[0];
}

// 16 bytes of the operands' type: 8 channels of FP16 and BF16, 16 of INT8 and FP8.
TEST(BoundaryRoofline, ChannelsThatTensorCoresTake) {
  for (const auto& [type, multiple] : std::map<DataType, std::int64_t>{
           {kH, 8}, {DataType::bf16, 8}, {kI, 16}, {DataType::fp8, 16}}) {
    const auto misfit = [t = type](std::int64_t in, std::int64_t out) {
      return roof_of("NVIDIA L4", t, in, out, 1).misfit;
    };
    const std::string take = "tensor cores take " + std::to_string(multiple);
    EXPECT_EQ(misfit(3 * multiple, 5 * multiple), "");
    EXPECT_THAT(misfit(3 * multiple + multiple / 2, multiple), HasSubstr(take));
    EXPECT_THAT(misfit(multiple, 3 * multiple + multiple / 2), HasSubstr(take));
  }
}

TEST(BoundaryRoofline, ImagesAreOfFourChannels) {
  const auto misfit = [](std::int64_t in) {
    return roof_of("NVIDIA L4", kH, in, 64, 1, false,
                   "sm80_xmma_fprop_first_layer_f16f16_f16f16_f16_nhwckrsc_nhwc")
        .misfit;
  };
  EXPECT_EQ(misfit(3), "3 channels in, padded to 4");
  EXPECT_EQ(misfit(4), "");
  EXPECT_THAT(misfit(5), HasSubstr("5 channels in; FP16 tensor cores take 8"));
}

TEST(BoundaryRoofline, ALayerBelowTheFloorIsBoundByItsLaunch) {
  EXPECT_EQ(roof_of("NVIDIA L4", kH, 64, 64, 0.00499).bound, Bound::launch);
  EXPECT_NE(roof_of("NVIDIA L4", kH, 64, 64, 0.005).bound, Bound::launch);
}

TEST(BoundaryRoofline, SparseFromAmpereOn) {
  EXPECT_TRUE(roof_of("NVIDIA A30", kH, 64, 64, 1, true).sparse);  // 8.0
  EXPECT_FALSE(roof_of("Tesla T4", kH, 64, 64, 1, true).sparse);   // 7.5
}

TEST(BoundaryRaces, ACoinFlipIsWonByLessThanTwoPerCent) {
  const auto is_flip = [](double runner_up_ms) {
    Build build = test::build_of({conv("c", {tensor("x", kH)}, tensor("y", kH), kH, 1)});
    Autotune race;
    race.layer = "c";
    race.format_combination = "Half(1,1) -> Half(1,1)";
    race.chosen_runner = "CaskConvolution";
    race.chosen_name = "a";
    race.runner_up_name = "b";
    race.chosen_id = 1;
    race.runner_up_id = 2;
    race.chosen_ms = 1;
    race.runner_up_ms = runner_up_ms;
    race.timed = 2;
    build.autotuning = {race};
    return test::analyze_build(build).races.at(0).coin_flip;
  };
  EXPECT_TRUE(is_flip(1.0199));
  EXPECT_FALSE(is_flip(1.0201));
}

// Without a twin or a race a mended layer takes between now and its share of the bytes: 8 of 16
// bits beside a DQ, 16 of 32 of a fallback.
TEST(BoundaryGain, IsTheShareOfTheBytes) {
  const auto gain = [](DataType type) {
    Build build =
        test::build_of({test::dequantize("dq", "a", "d", 1, type),
                        conv("wide", {tensor("d", type)}, tensor("e", type), type, 8),
                        conv("next", {tensor("e", type, {8, 64, 7, 7})}, tensor("y", kI), kI, 0)});
    const Analysis a = test::analyze_build(build);
    const Finding* f = test::find(a, "conv-fp32-weight-qdq-missing");
    return f == nullptr ? Gain() : f->gain.value_or(Gain());
  };
  EXPECT_DOUBLE_EQ(gain(kH).low_ms, 1);
  EXPECT_DOUBLE_EQ(gain(kH).high_ms, 1 + 8.0 / 2);
  EXPECT_DOUBLE_EQ(gain(kF).low_ms, 1);
  EXPECT_DOUBLE_EQ(gain(kF).high_ms, 1 + 8.0 * 3 / 4);

  Build fallback = test::build_of({conv("half", {tensor("x", kH)}, tensor("y", kH), kH, 8),
                                   conv("wide", {tensor("z", kF)}, tensor("w", kF), kF, 2)});
  fallback.layers[0].weights->count = 1;  // no twin
  fallback.allowed.labels = {"FP32", "FP16"};
  fallback.forced_precision.push_back({"wide", "precision fp32", {}});
  const Analysis a = test::analyze_build(fallback);
  const Finding* f = test::find(a, "fp32-fallback");
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->gain);
  EXPECT_DOUBLE_EQ(f->gain->low_ms, 0);
  EXPECT_DOUBLE_EQ(f->gain->high_ms, 2 / 2.0);
}

// Exactly the threshold counts, of a build and of a comparison.
TEST(BoundaryGate, TheThresholdItselfCounts) {
  const auto counts = [](double stake_ms, double threshold) {
    Analysis analysis = test::analyze_layers({});
    analysis.build.profile_sum_ms = 10;
    Finding finding;
    finding.rule = "r";
    finding.severity = Severity::major;
    finding.stake_ms = stake_ms;
    analysis.findings = {finding};
    GateOptions options;
    options.fail_on = "major";
    options.threshold = threshold;
    return hold(analysis, options, Baseline()).fails();
  };
  EXPECT_TRUE(counts(2.5, 0.25));
  EXPECT_FALSE(counts(2.499, 0.25));
  EXPECT_FALSE(counts(2.5, 0.2501));

  const auto regresses = [](double beside) {
    const auto timed = [](double ms) {
      Build build;
      build.performance.gpu_compute.emplace().median_ms = ms;
      return test::analyze_build(build);
    };
    std::vector<Analysis> base, candidate;
    base.push_back(timed(1));
    candidate.push_back(timed(1.25));
    Comparison c = compare(std::move(base), std::move(candidate), {});
    GateOptions options;
    options.fail_on = "regression";
    options.threshold = c.engine.ratio.value() - 1 + beside;
    return hold(c, options, Baseline()).fails();
  };
  EXPECT_TRUE(regresses(-0.0001));
  EXPECT_TRUE(regresses(0));
  EXPECT_FALSE(regresses(0.0001));
}

TEST(BoundaryTypes, HaveTheirBits) {
  const std::map<DataType, int> bits = {
      {DataType::unknown, 0}, {DataType::fp64, 64}, {DataType::int64, 64}, {DataType::fp32, 32},
      {DataType::int32, 32},  {DataType::fp16, 16}, {DataType::bf16, 16},  {DataType::int16, 16},
      {DataType::fp8, 8},     {DataType::int8, 8},  {DataType::uint8, 8},  {DataType::boolean, 8},
      {DataType::e8m0, 8},    {DataType::int4, 4},  {DataType::fp4, 4}};
  for (const auto& [type, width] : bits) EXPECT_EQ(bits_of(type), width) << to_string(type);
  const std::map<Precision, int> widths = {
      {Precision::unknown, 0}, {Precision::none, 0},   {Precision::fp32, 32},
      {Precision::tf32, 32},   {Precision::int32, 32}, {Precision::fp16, 16},
      {Precision::bf16, 16},   {Precision::fp8, 8},    {Precision::int8, 8},
      {Precision::int4, 4},    {Precision::fp4, 4},    {Precision::int64, 64}};
  for (const auto& [precision, width] : widths) {
    EXPECT_EQ(width_of(precision), width) << to_string(precision);
  }
}

}  // namespace
}  // namespace trtlens::boundary_ledgers_test
