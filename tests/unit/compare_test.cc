// Comparisons of small builds: verdicts, groups, differences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::compare_test {
namespace {

using test::conv;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Comparison compare_builds(Build base, Build candidate, CompareOptions options = {}) {
  std::vector<Analysis> b, c;
  b.push_back(test::analyze_build(std::move(base)));
  c.push_back(test::analyze_build(std::move(candidate)));
  return compare(std::move(b), std::move(c), options);
}

Layer node(const std::string& name, std::vector<SharedText> onnx, DataType type, double ms) {
  Layer l = conv(name, {tensor(name + " in", type)}, tensor(name + " out", type), type, ms);
  l.onnx_nodes = std::move(onnx);
  return l;
}

Build timed(double gpu_ms) {
  Build build = test::build_of({node("/c/Conv", {"/c/Conv"}, kH, 1.0)});
  build.performance.gpu_compute.emplace();
  build.performance.gpu_compute->median_ms = gpu_ms;
  return build;
}

// What only the candidate has is known where the base would show it.
TEST(Compare, FindingsOfTheCandidateAloneNeedABaseThatWouldShowThem) {
  const auto has_finding = [](const Comparison& c) {
    return std::any_of(c.findings.begin(), c.findings.end(),
                       [](const Finding& f) { return f.rule == "noTF32-fp32-slow"; });
  };
  Build slow = timed(1.0);
  slow.layers[0] = node("/c/Conv", {"/c/Conv"}, kF, 1.0);
  slow.allowed.labels = {"FP32"};
  slow.allowed.no_tf32 = true;
  slow.gpu.emplace();
  slow.gpu->compute_capability = "9.0";
  EXPECT_TRUE(has_finding(compare_builds(timed(1.0), slow)));
  Build blind = timed(1.0);
  blind.layers.clear();
  EXPECT_FALSE(has_finding(compare_builds(blind, slow)));
  Build profile_only = timed(1.0);
  profile_only.has_layer_info = false;
  profile_only.layers[0].inputs.clear();
  profile_only.layers[0].outputs.clear();
  EXPECT_FALSE(has_finding(compare_builds(profile_only, slow)));
}

TEST(Compare, VerdictNeedsMoreThanTheNoiseFloor) {
  EXPECT_EQ(compare_builds(timed(1.0), timed(1.049)).engine.verdict, Verdict::cannot_tell);
  EXPECT_EQ(compare_builds(timed(1.0), timed(1.051)).engine.verdict, Verdict::regressed);
  EXPECT_EQ(compare_builds(timed(1.051), timed(1.0)).engine.verdict, Verdict::improved);
  CompareOptions loose;
  loose.noise_floor = 0.2;
  EXPECT_EQ(compare_builds(timed(1.0), timed(1.1), loose).engine.verdict, Verdict::cannot_tell);
  const Comparison c = compare_builds(timed(2.0), timed(3.0));
  EXPECT_DOUBLE_EQ(c.engine.ratio.value(), 1.5);
  EXPECT_DOUBLE_EQ(c.engine.delta_ms.value(), 1.0);
  EXPECT_THAT(c.engine.runs, ElementsAre(1, 1));
}

TEST(Compare, SeveralRunsASide) {
  const auto run = [](double ms) { return test::analyze_build(timed(ms)); };
  std::vector<Analysis> base, candidate;
  for (const double ms : {1.0, 1.2}) base.push_back(run(ms));
  for (const double ms : {1.4, 1.4, 1.6}) candidate.push_back(run(ms));
  const Comparison c = compare(std::move(base), std::move(candidate), {});
  EXPECT_THAT(c.engine.runs, ElementsAre(2, 3));
  EXPECT_NEAR(c.engine.base_ms.value(), 1.1, 1e-12);
  EXPECT_NEAR(c.engine.candidate_ms.value(), 1.4, 1e-9);  // without the one slow run
  EXPECT_EQ(c.engine.left_out[1].size(), 1U);
  EXPECT_EQ(c.engine.verdict, Verdict::cannot_tell);
}

TEST(Compare, ASlowRunOfTwoIsSaid) {
  const auto run = [](double ms) { return test::analyze_build(timed(ms)); };
  std::vector<Analysis> base, candidate;
  for (const double ms : {1.0, 1.2}) base.push_back(run(ms));
  for (const double ms : {1.1, 1.1}) candidate.push_back(run(ms));
  const Comparison c = compare(std::move(base), std::move(candidate), {});
  EXPECT_EQ(c.engine.verdict, Verdict::cannot_tell);
  EXPECT_THAT(c.engine.notes,
              testing::Contains("a run of the base is 20.0 % slower than its others, "
                                "which are too few to leave it out"));
}

// Of each side other times of the GPU: what both have are the layers.
TEST(Compare, WithoutAFigureInCommonTheProfilesAreCompared) {
  Build windows = timed(1.0);
  windows.performance.gpu_compute.reset();
  windows.trace = {{1.0F, {}}, {1.0F, {}}};
  const Comparison c = compare_builds(timed(1.0), windows);
  EXPECT_EQ(c.engine.metric, "profile_sum_ms");
  EXPECT_EQ(c.why_profile,
            "no GPU compute figure is in every run: the base has a performance summary, the "
            "candidate trace averages");
}

// A group's time is the mean over the runs; equal layers of equal runs are said to be equal.
TEST(Compare, LayersOverSeveralRuns) {
  const auto run = [](double a_ms, double b_ms) {
    return test::analyze_build(
        test::build_of({node("/a", {"/a"}, kH, a_ms), node("/b", {"/b"}, kH, b_ms)}));
  };
  std::vector<Analysis> base, candidate;
  for (const double noise : {0.999, 1.0, 1.001}) {
    base.push_back(run(noise, 2 * noise));
    candidate.push_back(run(noise, 2.2 * noise));
  }
  const Comparison c = compare(std::move(base), std::move(candidate), {});
  ASSERT_THAT(c.groups, SizeIs(2));
  EXPECT_NEAR(c.groups[0].delta_ms, 0.2, 1e-9);
  EXPECT_EQ(c.groups[0].verdict, Verdict::regressed);
  EXPECT_LT(c.groups[0].p_value.value(), 0.001);
  EXPECT_EQ(c.groups[1].verdict, Verdict::no_change);
  EXPECT_EQ(c.engine.metric, "profile_sum_ms");  // there is no other time
}

TEST(Comparable, AnotherGpu) {
  Build b = timed(1), c = timed(1);
  b.gpu.emplace().name = "NVIDIA A100";
  EXPECT_TRUE(compare_builds(b, c).comparable);  // unknown on one side
  c.gpu.emplace().name = "NVIDIA H200";
  const Comparison refused = compare_builds(b, c);
  EXPECT_FALSE(refused.comparable);
  ASSERT_THAT(refused.not_comparable, SizeIs(1));
  EXPECT_THAT(refused.not_comparable[0], HasSubstr("another GPU: NVIDIA A100"));
}

TEST(Comparable, RefusalTakesTheVerdictUnlessForced) {
  Build b = timed(1), c = timed(2);
  b.gpu.emplace().name = "NVIDIA A100";
  c.gpu.emplace().name = "NVIDIA H200";
  EXPECT_EQ(compare_builds(b, c).engine.verdict, Verdict::cannot_tell);
  CompareOptions force;
  force.force = true;
  EXPECT_EQ(compare_builds(b, c, force).engine.verdict, Verdict::regressed);
}

TEST(Comparable, OtherInputShapesButNotOtherNames) {
  Build b = timed(1), c = timed(1);
  test::add_io(b, tensor("input", kF, {8, 3, 224, 224}), true);
  EXPECT_TRUE(compare_builds(b, c).comparable);
  test::add_io(c, tensor("images", kF, {8, 3, 224, 224}), true);
  EXPECT_TRUE(compare_builds(b, c).comparable);
  c.io_tensors[0].tensor.dims[0] = -1;
  EXPECT_TRUE(compare_builds(b, c).comparable);  // dynamic: not known
  c.io_tensors[0].tensor.dims[0] = 16;
  const Comparison refused = compare_builds(b, c);
  EXPECT_FALSE(refused.comparable);
  EXPECT_THAT(refused.not_comparable.at(0),
              HasSubstr("input=8x3x224x224 against images=16x3x224x224"));
}

TEST(Comparable, OtherBatchOfAnImplicitBatchNetwork) {
  Build b = timed(1), c = timed(1);
  b.options.flags.emplace_back("batch", "8");
  EXPECT_TRUE(compare_builds(b, c).comparable);
  c.options.flags.emplace_back("batch", "8");
  EXPECT_TRUE(compare_builds(b, c).comparable);
  c.options.flags.back().second = "16";
  EXPECT_FALSE(compare_builds(b, c).comparable);
}

TEST(Comparable, ASideWithoutAnyTime) {
  Build untimed = test::build_of({node("/c/Conv", {"/c/Conv"}, kH, -1)});
  const Comparison c = compare_builds(timed(1), untimed);
  EXPECT_FALSE(c.comparable);
  EXPECT_THAT(c.not_comparable.at(0), HasSubstr("candidate has no time"));
  EXPECT_FALSE(compare({}, {}, {}).comparable);
}

TEST(Comparable, AFailureStandsBeforeASideWithoutTimes) {
  Build untimed = test::build_of({node("/c/Conv", {"/c/Conv"}, kH, -1)});
  Build failed = untimed;
  failed.outcome = Outcome::failed;
  const Comparison c = compare_builds(untimed, failed);
  EXPECT_THAT(c.not_comparable, ElementsAre(StartsWith("the candidate's build failed"),
                                            "the base has no time at all"));
  EXPECT_EQ(c.failed_sides, 1U);
  EXPECT_EQ(compare_builds(failed, failed).failed_sides, 2U);
}

TEST(Comparable, LittleInCommon) {
  const auto build = [](double common_ms, const std::string& other) {
    return test::build_of(
        {node("/c/Conv", {"/c/Conv"}, kH, common_ms), node(other, {other}, kH, 1 - common_ms)});
  };
  EXPECT_TRUE(compare_builds(build(0.21, "/a"), build(0.9, "/b")).comparable);
  const Comparison c = compare_builds(build(0.19, "/a"), build(0.9, "/b"));
  EXPECT_FALSE(c.comparable);
  EXPECT_NEAR(c.aligned_share_base, 0.19, 1e-12);
  EXPECT_NEAR(c.aligned_share_candidate, 0.9, 1e-12);
}

TEST(Comparable, NothingElseRefuses) {
  Build b = timed(1), c = timed(1);
  b.tensorrt.emplace().major = 8;
  c.tensorrt.emplace().major = 11;
  b.commands = {"trtexec --fp16"};
  c.commands = {"trtexec --int8 --streams=2"};
  b.options.flags = {{"onnx", "m.onnx"}, {"fp16", ""}};
  c.options.flags = {{"onnx", "m.onnx"}, {"int8", ""}, {"streams", "2"}};
  b.gpu.emplace().compute_clock_ghz = 1.5;
  c.gpu.emplace().compute_clock_ghz = 1.98;
  b.inference.streams = 1;
  c.inference.streams = 2;
  b.outcome = Outcome::passed;
  const Comparison found = compare_builds(b, c);
  EXPECT_TRUE(found.comparable);
  std::vector<std::string> names;
  for (const Difference& d : found.differences) names.push_back(d.what + " " + d.name);
  EXPECT_THAT(names,
              ElementsAre("version TensorRT", "clock compute clock",
                          "default trtexec's defaults for CUDA graph, spin-wait and data transfers",
                          "option --fp16", "option --int8", "option --streams"));
}

TEST(Differences, FilesAndVerbosityDoNotMatterAndUnknownIsNone) {
  Build b = timed(1), c = timed(1);
  b.commands = c.commands = {"trtexec"};
  b.options.flags = {{"onnx", "m.onnx"}, {"saveEngine", "a"}, {"fp16", ""}};
  c.options.flags = {{"onnx", "m.onnx"}, {"saveEngine", "b"}, {"fp16", ""}, {"verbose", ""}};
  c.gpu.emplace().name = "NVIDIA H200";
  const std::vector<Difference> found = differences_of(b, c);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].what, "gpu");
  EXPECT_FALSE(found[0].base);
  EXPECT_EQ(found[0].candidate, "NVIDIA H200");
  EXPECT_EQ(found[1].name, "--saveEngine");
  EXPECT_FALSE(found[1].matters);
  EXPECT_FALSE(found[2].base);
  EXPECT_EQ(found[2].candidate, "given");
  c.commands.clear();  // no log: its flags are unknown, not absent
  EXPECT_THAT(differences_of(b, c), SizeIs(1));
}

// A side that only loads an engine does not say how that was built.
TEST(Differences, BuildFlagsOfALoadedEngineAreUnknown) {
  Build b = timed(1), c = timed(1);
  b.commands = c.commands = {"trtexec"};
  b.options.flags = {{"onnx", "m.onnx"}, {"fp16", ""}};
  c.options.flags = {{"loadEngine", "e"}, {"useCudaGraph", ""}};
  const std::vector<Difference> found = differences_of(b, c);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].name, "--useCudaGraph");
}

// Of two runs that built or loaded, what both say and say differently; how long they timed, too.
TEST(Differences, OptionsOfTheTimedRunAndWhatBothSay) {
  Build b = timed(1), c = timed(1);
  b.commands = c.commands = {"trtexec"};
  b.options.flags = {{"onnx", "m.onnx"}, {"fp16", ""}, {"builderOptimizationLevel", "3"}};
  c.options.flags = {
      {"loadEngine", "e"}, {"duration", "2"}, {"warmUp", "200"}, {"builderOptimizationLevel", "5"}};
  const std::vector<Difference> found = differences_of(b, c);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].name, "--builderOptimizationLevel");
  EXPECT_EQ(found[1].name, "--duration");
  EXPECT_EQ(found[1].candidate, "2");
  EXPECT_FALSE(found[1].matters);
  EXPECT_EQ(found[2].name, "--warmUp");
}

const LayerGroup* group_with(const Comparison& c, const std::string& base_layer) {
  for (const LayerGroup& g : c.groups) {
    for (const std::size_t i : g.base) {
      if (c.base.build.layers[i].name == base_layer) return &g;
    }
  }
  return nullptr;
}

TEST(Align, FusionsAreManyToMany) {
  const Comparison c =
      compare_builds(test::build_of({node("a + b", {"a", "b"}, kH, 1), node("c", {"c"}, kH, 2)}),
                     test::build_of({node("a", {"a"}, kH, 1), node("b + c", {"b", "c"}, kH, 3)}));
  ASSERT_THAT(c.groups, SizeIs(1));
  EXPECT_EQ(c.groups[0].how, "onnx");
  EXPECT_DOUBLE_EQ(c.groups[0].delta_ms, 1);
  EXPECT_THAT(c.groups[0].base, ElementsAre(0, 1));
  EXPECT_THAT(c.groups[0].candidate, ElementsAre(0, 1));
}

TEST(Align, QuantizersTellNothingAndConversionsGoWithTheirLayer) {
  Layer q = test::quantize("QuantizeLinear_3", "x", "w + QuantizeLinear_9 + a in", 0.2, kF);
  q.onnx_nodes = {"QuantizeLinear_3"};
  const Comparison c = compare_builds(
      test::build_of({node("a", {"a"}, kH, 1)}),
      test::build_of({q, node("w + QuantizeLinear_9 + a", {"QuantizeLinear_9", "a"}, kI, 0.5)}));
  ASSERT_THAT(c.groups, SizeIs(1));
  const LayerGroup& g = c.groups[0];
  EXPECT_NEAR(g.candidate_ms, 0.7, 1e-12);
  EXPECT_THAT(g.precision, ElementsAre("FP16", "INT8"));
  EXPECT_THAT(g.why_texts(), ::testing::Contains("precision changed: FP16 to INT8"));
}

// An exporter numbers its Q nodes anew: an equal number on both sides means nothing.
TEST(Align, RenumberedQuantizersDoNotJoinStrangers) {
  const Comparison c = compare_builds(
      test::build_of({node("a + Q", {"QuantizeLinear_1", "/a"}, kI, 1), node("b", {"/b"}, kI, 1)}),
      test::build_of({node("a", {"/a"}, kI, 1), node("b + Q", {"QuantizeLinear_1", "/b"}, kI, 2)}));
  ASSERT_THAT(c.groups, SizeIs(2));
  EXPECT_DOUBLE_EQ(c.groups[0].delta_ms, 1);
  EXPECT_DOUBLE_EQ(c.groups[1].delta_ms, 0);
}

TEST(Align, OneSidedLayersStayAlone) {
  const Comparison c =
      compare_builds(test::build_of({node("a", {"a"}, kH, 1), node("gone", {"gone"}, kH, 1)}),
                     test::build_of({node("a", {"a"}, kH, 1), node("new", {"new"}, kH, 2)}));
  ASSERT_THAT(c.groups, SizeIs(3));
  const LayerGroup* gone = group_with(c, "gone");
  ASSERT_NE(gone, nullptr);
  EXPECT_EQ(gone->how, "only_base");
  EXPECT_DOUBLE_EQ(gone->delta_ms, -1);
  EXPECT_EQ(c.groups[0].how, "only_candidate");  // largest shift first
}

TEST(Align, EqualNamesAreMatchedInOrder) {
  const auto build = [](double first, double second) {
    return test::build_of({node("same", {}, kH, first), node("same", {}, kH, second)});
  };
  const Comparison c = compare_builds(build(1, 2), build(1, 5));
  ASSERT_THAT(c.groups, SizeIs(2));
  EXPECT_DOUBLE_EQ(c.groups[0].delta_ms, 3);
  EXPECT_DOUBLE_EQ(c.groups[1].delta_ms, 0);
}

// A profile without layer info: no tensor ties a reformat to anything.
TEST(Align, LoneConversionsByName) {
  const auto build = [](double first, double second) {
    std::vector<Layer> layers = {node("c", {"/c"}, kH, 1)};
    for (const double ms : {first, second}) {
      layers.push_back(
          test::layer("Reformatting CopyNode for Input Tensor 0 to c", "", {}, {}, ms));
    }
    return test::build_of(std::move(layers));
  };
  const Comparison c = compare_builds(build(0.1, 0.2), build(0.1, 0.5));
  ASSERT_THAT(c.groups, SizeIs(3));
  EXPECT_NEAR(c.groups[0].delta_ms, 0.3, 1e-12);
  EXPECT_EQ(c.groups[1].delta_ms, 0);
  EXPECT_EQ(c.groups[2].delta_ms, 0);
}

TEST(CompareFixtures, Fp16AgainstConvOnlyQdqAlignsNearlyEverything) {
  std::vector<Analysis> base, candidate;
  base.push_back(test::analyze_path(test::fixture("a_r18_fp16")));
  candidate.push_back(test::analyze_path(test::fixture("b_r18_q_conv")));
  const Comparison c = compare(std::move(base), std::move(candidate), {});
  EXPECT_TRUE(c.comparable);
  EXPECT_GE(c.aligned_share_base, 0.98);
  EXPECT_GE(c.aligned_share_candidate, 0.98);
  EXPECT_EQ(c.engine.verdict, Verdict::regressed);
}

TEST(CompareShared, PlantedLayersComeFirst) {
  const std::string path = test::shared("builds/p_r18_force2");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  std::vector<Analysis> base, candidate;
  base.push_back(test::analyze_path(test::fixture("a_r18_fp16")));
  candidate.push_back(test::analyze_path(path));
  const Comparison c = compare(std::move(base), std::move(candidate), {});
  EXPECT_TRUE(c.comparable);
  EXPECT_EQ(c.engine.verdict, Verdict::regressed);
  std::set<std::string> planted;
  for (const Fallback& f : c.candidate.fallbacks.value()) {
    planted.insert(c.candidate.build.layers[f.layer].name);
  }
  ASSERT_EQ(planted.size(), 2U);
  std::size_t found = 0;
  for (std::size_t g = 0; g < 3 && g < c.groups.size(); ++g) {
    for (const std::size_t i : c.groups[g].candidate) {
      found += planted.count(c.candidate.build.layers[i].name);
    }
  }
  EXPECT_EQ(found, 2U);
  EXPECT_THAT(c.groups[0].why_texts(),
              ::testing::Contains(::testing::StartsWith("precision changed: FP16 to")));
}

}  // namespace
}  // namespace trtlens::compare_test
