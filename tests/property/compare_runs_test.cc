// Laws of a comparison of repeated runs: their order says nothing, what was left out contributes to
// nothing else, and everything that is printed of the layers is of the same runs and adds up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/text.h"
#include "report/document/comparison/comparison.h"
#include "report/formats/json/writer.h"
#include "tests/rendered.h"
#include "tests/unit/build_maker.h"

namespace trtlens::compare_runs_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct Recorded {
  bool queries = true, profile = true;
};

// One process: its speed is that of all its layers and queries.
Analysis run_of(const std::string& name, double speed, unsigned seed, Recorded what = {}) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.003);
  std::vector<Layer> layers;
  for (int i = 0; i < 12; ++i) {
    const std::string layer = "/l" + std::to_string(i) + "/Conv";
    const double ms = what.profile ? 0.01 * (i + 1) * speed * std::exp(noise(random)) : -1;
    Layer conv = test::conv(layer, {test::tensor(layer + " in", DataType::fp16)},
                            test::tensor(layer + " out", DataType::fp16), DataType::fp16, ms);
    conv.onnx_nodes = {layer};
    layers.push_back(std::move(conv));
  }
  Build build = test::build_of(std::move(layers));
  build.profile_iterations = 1000;
  for (int i = 0; what.queries && i < 400; ++i) {
    const auto ms = static_cast<float>(0.8 * speed * std::exp(0.01 * noise(random)));
    build.queries.push_back({static_cast<float>(i), ms, ms, 0, 0, 0});
  }
  Analysis run = test::analyze_build(std::move(build));
  run.name = name;
  return run;
}

std::vector<Analysis> side_of(const std::string& name, const std::vector<double>& speeds,
                              Recorded what = {}) {
  std::vector<Analysis> runs;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const auto seed = static_cast<unsigned>(100 * name[0] + static_cast<int>(i));
    runs.push_back(run_of(name + std::to_string(i), speeds[i], seed, what));
  }
  return runs;
}

std::string verdict_of(const Comparison& c) {
  return build_document(c, 10).verdict;
}

void expect_sums(const Comparison& c) {
  double base = 0, candidate = 0, delta = 0;
  for (const LayerGroup& group : c.groups) {
    base += group.base_ms;
    candidate += group.candidate_ms;
    delta += group.delta_ms;
  }
  EXPECT_NEAR(base, c.base.build.profile_sum_ms, 1e-12);
  EXPECT_NEAR(candidate, c.candidate.build.profile_sum_ms, 1e-12);
  EXPECT_NEAR(delta, c.candidate.build.profile_sum_ms - c.base.build.profile_sum_ms, 1e-12);
  EXPECT_LE(c.aligned_share_base, 1 + 1e-12);
  EXPECT_LE(c.aligned_share_candidate, 1 + 1e-12);
}

double mean_sum(const std::vector<Analysis>& runs, const std::vector<std::size_t>& of) {
  double sum = 0;
  for (const std::size_t i : of) sum += runs[i].build.profile_sum_ms;
  return sum / static_cast<double>(of.size());
}

TEST(CompareRuns, OneSlowRunIsMentionedAndNothingElse) {
  for (const Recorded what : {Recorded{}, Recorded{false, true}, Recorded{true, false}}) {
    for (std::size_t slow = 0; slow < 5; ++slow) {
      SCOPED_TRACE(testing::Message() << what.queries << what.profile << slow);
      const std::vector<Analysis> base = side_of("a", {1, 1.002, 0.999, 1.001, 0.998}, what);
      std::vector<double> speeds = {1.001, 1, 0.998, 1.002, 0.999};
      speeds[slow] *= 1.1;
      const std::vector<Analysis> candidate = side_of("b", speeds, what);
      const Comparison c = compare(base, candidate, {});
      EXPECT_EQ(c.engine.verdict, Verdict::no_change);
      ASSERT_THAT(c.engine.left_out[1], SizeIs(1));
      EXPECT_EQ(c.engine.left_out[1][0].name, "b" + std::to_string(slow));
      EXPECT_THAT(verdict_of(c), HasSubstr("5 and 5 runs, 1 run of the candidate left out"));
      EXPECT_EQ(c.cause, "");
      EXPECT_NE(c.candidate.name, "b" + std::to_string(slow));
      expect_sums(c);
      // All but its mention is as if the run had not been there.
      std::vector<Analysis> without = candidate;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(slow));
      const Comparison less = compare(base, std::move(without), {});
      EXPECT_EQ(c.engine.candidate_ms, less.engine.candidate_ms);
      EXPECT_EQ(c.engine.ci95, less.engine.ci95);
      EXPECT_EQ(c.engine.queries, less.engine.queries);
      EXPECT_EQ(c.candidate.build.profile_sum_ms, less.candidate.build.profile_sum_ms);
      EXPECT_EQ(c.profiled_runs[1], what.profile ? 4U : 0U);
      ASSERT_EQ(c.groups.size(), less.groups.size());
      for (std::size_t g = 0; g < c.groups.size(); ++g) {
        EXPECT_EQ(c.groups[g].candidate_ms, less.groups[g].candidate_ms);
        EXPECT_EQ(c.groups[g].verdict, less.groups[g].verdict);
      }
    }
  }
}

// The queries were timed in peace, the layers were not.
TEST(CompareRuns, ASlowRunIsKnownByItsLayersToo) {
  std::vector<Analysis> base = side_of("a", {1, 1.002, 0.999, 1.001, 0.998});
  const std::vector<Query> queries = base[2].build.queries;
  base[2] = run_of("a2", 1.1, 5);
  base[2].build.queries = queries;
  const std::vector<Analysis> candidate = side_of("b", {1, 1.002, 0.999, 1.001});
  const Comparison c = compare(base, candidate, {});
  ASSERT_THAT(c.engine.left_out[0], SizeIs(1));
  EXPECT_THAT(c.engine.left_out[0][0].why, HasSubstr("its layers are"));
  EXPECT_NEAR(c.base.build.profile_sum_ms, mean_sum(base, {0, 1, 3, 4}), 1e-12);
}

TEST(CompareRuns, TheOrderOfTheArgumentsSaysNothing) {
  const std::vector<Analysis> base = side_of("a", {1, 1.002, 1.09, 1.001, 0.998});
  const std::vector<Analysis> candidate = side_of("b", {1.03, 1.032, 1.029, 1.031});
  const std::string report = json_of(compare(base, candidate, {}), "test");
  std::mt19937 random(3);
  for (int i = 0; i < 10; ++i) {
    std::vector<Analysis> b = base, c = candidate;
    std::shuffle(b.begin(), b.end(), random);
    std::shuffle(c.begin(), c.end(), random);
    EXPECT_EQ(json_of(compare(std::move(b), std::move(c), {}), "test"), report);
  }
}

TEST(CompareRuns, LayersSumAndSentenceAreMeansOverTheRuns) {
  const std::vector<Analysis> base = side_of("a", {1, 1.01, 0.99});
  std::vector<Analysis> candidate = side_of("b", {1.3, 1.31, 1.29});
  const Comparison c = compare(base, candidate, {});
  expect_sums(c);
  EXPECT_NEAR(c.base.build.profile_sum_ms, mean_sum(base, {0, 1, 2}), 1e-12);
  EXPECT_NEAR(c.candidate.build.profile_sum_ms, mean_sum(candidate, {0, 1, 2}), 1e-12);
  EXPECT_EQ(c.engine.verdict, Verdict::regressed);
  EXPECT_THAT(
      c.cause,
      HasSubstr("The layers take " +
                ms_text(c.candidate.build.profile_sum_ms - c.base.build.profile_sum_ms) + " more"));
  // Where the profile is all there is, the headline's figures are its sums.
  const Recorded profile{false, true};
  const Comparison p =
      compare(side_of("a", {1, 1.1}, profile), side_of("b", {1, 1.2}, profile), {});
  EXPECT_NEAR(p.engine.base_ms.value(), p.base.build.profile_sum_ms, 1e-12);
  EXPECT_NEAR(p.engine.candidate_ms.value(), p.candidate.build.profile_sum_ms, 1e-12);
}

TEST(CompareRuns, RunsOfDifferentEnginesAreNoRepetitions) {
  std::vector<Analysis> base = side_of("a", {1, 1.001});
  base.push_back(test::analyze_path(test::fixture("b_r18_q_conv")));
  const Comparison c = compare(base, side_of("b", {1, 1.001, 0.999}), {});
  EXPECT_TRUE(c.comparable);
  EXPECT_EQ(c.engine.verdict, Verdict::cannot_tell);
  EXPECT_FALSE(c.engine.ci95);
  EXPECT_FALSE(c.engine.base_ms);
  EXPECT_TRUE(c.engine.candidate_ms);
  EXPECT_THAT(verdict_of(c), HasSubstr("the runs of the base are of different engines"));
  ASSERT_THAT(c.differences, Not(IsEmpty()));
  EXPECT_EQ(c.differences[0].what, "repetitions");
  for (const LayerGroup& group : c.groups) EXPECT_EQ(group.verdict, Verdict::cannot_tell);
  expect_sums(c);
}

TEST(CompareRuns, OtherCommandsAreOtherEngines) {
  const auto side = [](const char* last_onnx, const char* last_flag) {
    std::vector<Analysis> runs = side_of("a", {1, 1.001, 0.999});
    for (Analysis& run : runs) {
      run.build.commands = {"trtexec"};
      run.build.options.flags = {{"onnx", "/x/m.onnx"}, {"fp16", ""}, {"duration", "3"}};
    }
    runs[2].build.options.flags = {{"onnx", last_onnx}, {last_flag, ""}, {"duration", "10"}};
    return runs;
  };
  const std::vector<Analysis> other = side_of("b", {1, 1.001, 0.999});
  EXPECT_EQ(compare(side("/y/m.onnx", "fp16"), other, {}).engine.verdict, Verdict::no_change);
  for (const auto& [onnx, flag] :
       {std::pair("/x/n.onnx", "fp16"), std::pair("/x/m.onnx", "int8")}) {
    const Comparison c = compare(side(onnx, flag), other, {});
    EXPECT_EQ(c.engine.verdict, Verdict::cannot_tell) << onnx;
    EXPECT_THAT(c.engine.reason, HasSubstr("of the base")) << onnx;
  }
}

TEST(CompareRuns, AFailedRepetitionIsLeftOut) {
  std::vector<Analysis> base = side_of("a", {1, 1.001, 0.999, 1.002});
  Build failed;
  failed.outcome = Outcome::failed;
  base[1] = test::analyze_build(std::move(failed));
  base[1].name = "a1";
  const Comparison c = compare(base, side_of("b", {1, 1.001, 0.999}), {});
  EXPECT_TRUE(c.comparable);
  EXPECT_EQ(c.engine.verdict, Verdict::no_change);
  ASSERT_THAT(c.engine.left_out[0], SizeIs(1));
  EXPECT_EQ(c.engine.left_out[0][0].name, "a1");
  EXPECT_THAT(c.engine.left_out[0][0].why, HasSubstr("failed"));
  EXPECT_NEAR(c.base.build.profile_sum_ms, mean_sum(base, {0, 2, 3}), 1e-12);
  // Failed alone it cannot be left out.
  EXPECT_FALSE(compare({base[1]}, side_of("b", {1, 1.001}), {}).comparable);
}

TEST(CompareRuns, ForceNeedsTimes) {
  CompareOptions force;
  force.force = true;
  const Comparison timeless =
      compare(side_of("a", {1}), side_of("b", {1.2}, Recorded{false, false}), force);
  EXPECT_TRUE(timeless.refused);
  EXPECT_FALSE(timeless.can_force);
  EXPECT_EQ(timeless.engine.verdict, Verdict::cannot_tell);
  std::vector<Analysis> a = side_of("a", {1}), b = side_of("b", {1.2});
  a[0].build.gpu.emplace().name = "NVIDIA A100";
  b[0].build.gpu.emplace().name = "NVIDIA H200";
  EXPECT_TRUE(compare(a, b, {}).refused);
  EXPECT_THAT(verdict_of(compare(a, b, {})), HasSubstr("Not comparable"));
  const Comparison forced = compare(a, b, force);
  EXPECT_FALSE(forced.refused);
  EXPECT_EQ(forced.engine.verdict, Verdict::regressed);
  EXPECT_THAT(verdict_of(forced), HasSubstr("Regressed"));
  EXPECT_THAT(verdict_of(forced), HasSubstr("compared by force: another GPU"));
}

// One definition of a floor: the slower side over the faster one.
TEST(CompareRuns, FloorAndShiftAgreeInPrint) {
  const auto verdict = [](double shift) {
    return verdict_of(compare(side_of("a", {1}), side_of("b", {shift}), {}));
  };
  EXPECT_THAT(verdict(0.951),
              HasSubstr("(-4.9 %), beyond the noise floor of 5.0 % of the faster side"));
  EXPECT_THAT(verdict(0.954), HasSubstr("(-4.6 %), within the noise floor of 5.0 %"));
  EXPECT_THAT(verdict(1.051), HasSubstr("(+5.1 %), beyond the noise floor of 5.0 %"));
  EXPECT_THAT(verdict(1.0497), HasSubstr("(+4.97 %), within the noise floor of 5.00 %"));
}

TEST(CompareRuns, ASingleRunMayBeASlowProcess) {
  const auto engine = [](std::vector<double> base, std::vector<double> candidate) {
    return compare(side_of("a", base), side_of("b", candidate), {}).engine;
  };
  const EngineVerdict close = engine({1}, {1.1});
  EXPECT_THAT(close.notes,
              Contains("one slow process can look like this shift: 4 runs a side would "
                       "confirm it"));
  ASSERT_TRUE(close.confirm);
  EXPECT_EQ(close.confirm->runs, std::optional<std::size_t>(4));
  for (const EngineVerdict& clear :
       {engine({1}, {1.5}), engine({1, 1.001, 0.999}, {1.1, 1.101, 1.099})}) {
    EXPECT_FALSE(clear.confirm);
    EXPECT_THAT(clear.notes, Not(Contains(HasSubstr("one slow process"))));
  }
}

// What a run's queries say of its steadiness counts whatever it is compared by.
TEST(CompareRuns, AnUnsteadyRunRaisesTheFloorOfItsProfile) {
  std::vector<Analysis> base = side_of("a", {1}), candidate = side_of("b", {1.15}, {false, true});
  EXPECT_EQ(compare(base, candidate, {}).engine.verdict, Verdict::regressed);
  std::vector<Query>& queries = base[0].build.queries;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    queries[i].compute_ms *= 1.8F - 0.8F * static_cast<float>(i) / 400;
  }
  const Comparison c = compare(base, candidate, {});
  EXPECT_EQ(c.engine.metric, "profile_sum_ms");
  EXPECT_GT(c.engine.noise_floor, 0.15);
  EXPECT_EQ(c.engine.noise_floor_from, "queries");
  EXPECT_EQ(c.engine.verdict, Verdict::cannot_tell);
  EXPECT_GT(c.engine.settle.value().runs.value_or(50), 6U);
  // That such runs are equal, no number that anybody makes can show.
  const Settle equal =
      compare(base, side_of("b", {1}, {false, true}), {}).engine.settle.value_or(Settle());
  EXPECT_FALSE(equal.runs);
  EXPECT_THAT(equal.obstacle, HasSubstr("find out first"));
  for (const LayerGroup& group : c.groups) EXPECT_EQ(group.verdict, Verdict::cannot_tell);
}

// A profile of one query holds whole ticks of the timer.
TEST(CompareRuns, OneTickOfTheTimerIsNoVerdict) {
  const auto side = [](const std::string& name, std::vector<int> ticks, std::uint64_t count) {
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const std::string layer = "/l" + std::to_string(i) + "/Conv";
      layers.push_back(test::conv(layer, {test::tensor(layer + " in", DataType::fp16)},
                                  test::tensor(layer + " out", DataType::fp16), DataType::fp16,
                                  0.001024 * ticks[i]));
      layers.back().time->quantum_ms = 1e-8;
      if (count > 1) layers.back().time->median_ms = layers.back().time->mean_ms;
    }
    Build build = test::build_of(std::move(layers));
    build.profile_iterations = count;
    Analysis run = test::analyze_build(std::move(build));
    run.name = name;
    return std::vector<Analysis>{run};
  };
  const auto verdicts = [&](std::uint64_t count) {
    const Comparison c =
        compare(side("a", {6, 11, 40, 25, 300}, count), side("b", {5, 9, 40, 25, 302}, count), {});
    std::size_t changed = 0;
    for (const LayerGroup& group : c.groups) {
      changed += group.verdict == Verdict::improved || group.verdict == Verdict::regressed ? 1 : 0;
    }
    const bool cautioned =
        std::any_of(c.differences.begin(), c.differences.end(),
                    [](const Difference& d) { return d.name.rfind("profile iterations", 0) == 0; });
    EXPECT_EQ(cautioned, count == 1);
    return changed;
  };
  EXPECT_EQ(verdicts(1), 0U);
  EXPECT_EQ(verdicts(1000), 2U);  // means of many, and more than the floor
}

// A profile of its own beside timed runs says what the layers take, and of the engine nothing.
TEST(CompareRuns, AProfileAloneCountsForItsLayersOnly) {
  std::vector<Analysis> base = side_of("a", {1, 1.002, 0.998}, {true, false});
  std::vector<Analysis> candidate = side_of("b", {1, 1.001, 0.999}, {true, false});
  base.push_back(run_of("a profile", 1.3, 7, {false, true}));
  candidate.push_back(run_of("b profile", 1, 8, {false, true}));
  const Comparison c = compare(base, candidate, {});
  EXPECT_EQ(c.engine.metric, "gpu_compute_ms");
  EXPECT_EQ(c.why_profile, "");
  EXPECT_EQ(c.engine.verdict, Verdict::no_change);
  EXPECT_EQ(c.profiled_runs, (std::array<std::size_t, 2>{1, 1}));
  EXPECT_GT(c.base.build.profile_sum_ms, 1.2 * c.candidate.build.profile_sum_ms);
  ASSERT_THAT(c.engine.left_out[0], SizeIs(1));
  EXPECT_EQ(c.engine.left_out[0][0].name, "a profile");
  EXPECT_EQ(c.engine.left_out[0][0].why,
            "it has no GPU compute time (its profile counts for the layers)");
  EXPECT_THAT(verdict_of(c), HasSubstr("1 run of the base left out, 1 run of the candidate"));
  // Where a side has nothing else, profiles are what there is.
  candidate = side_of("b", {1, 1.001, 0.999}, {false, true});
  base = side_of("a", {1, 1.002, 0.998});
  base.push_back(run_of("a profile", 1, 7, {false, true}));
  const Comparison by_profile = compare(base, candidate, {});
  EXPECT_EQ(by_profile.engine.metric, "profile_sum_ms");
  EXPECT_EQ(by_profile.why_profile,
            "the candidate has no GPU compute times, the base has per-query times");
  EXPECT_EQ(by_profile.profiled_runs, (std::array<std::size_t, 2>{4, 3}));
}

TEST(CompareRuns, TwoClustersOfRunsAreRemarked) {
  const auto notes = [](const std::vector<double>& speeds) {
    return compare(side_of("a", {1, 1.002, 0.999, 1.001, 0.998}), side_of("b", speeds), {})
        .engine.notes;
  };
  EXPECT_THAT(notes({1, 1.001, 1.1, 1.101, 1.099}),
              Contains(HasSubstr("3 of 5 runs of the candidate are 9.")));
  EXPECT_THAT(notes({1.1, 1.101, 1.099, 1.1, 1.102}), Not(Contains(HasSubstr("runs of the"))));
  EXPECT_THAT(notes({1, 1.012, 1.03, 1.045, 1.06}), Not(Contains(HasSubstr("runs of the"))));
}

// A slow process of the base is as slow as a regressed candidate: four of five of its runs, and the
// one that is slower still, are no luck.
TEST(CompareRuns, ARunSlowerThanTheSlowOneIsSlow) {
  const std::vector<Analysis> base = side_of("a", {1, 1.002, 0.999, 1.001, 1.1});
  const Comparison c = compare(base, side_of("b", {1.1, 1.095, 1.102, 1.098, 1.13}), {});
  ASSERT_THAT(c.engine.left_out[0], SizeIs(1));
  EXPECT_EQ(c.engine.verdict, Verdict::regressed);
}

// The table of a log leaves out the layers that take no time.
TEST(CompareRuns, LayersWithoutTimeMakeNoOtherProfile) {
  std::vector<Analysis> base = side_of("a", {1, 1.001}), candidate = side_of("b", {1, 1.002});
  Layer empty = test::layer("reshape", "NoOp", {}, {}, 0);
  empty.time.emplace();
  base[0].build.layers.push_back(empty);
  base[0] = test::analyze_build(std::move(base[0].build));
  base[0].name = "a0";
  EXPECT_EQ(compare(base, candidate, {}).profiled_runs, (std::array<std::size_t, 2>{2, 2}));
  // With one that takes time it is another set of layers, and that is said.
  base[0].build.layers.back().time->mean_ms = 0.001;
  const Comparison c = compare(base, candidate, {});
  EXPECT_EQ(c.profiled_runs, (std::array<std::size_t, 2>{1, 2}));
  EXPECT_THAT(c.engine.notes,
              Contains("a1 of the base: its profile names other layers than the one "
                       "shown, and does not count"));
  EXPECT_THAT(compare(candidate, base, {}).engine.notes,
              Contains("a1 of the candidate: its profile names other layers than the one "
                       "shown, and does not count"));
}

}  // namespace
}  // namespace trtlens::compare_runs_test
