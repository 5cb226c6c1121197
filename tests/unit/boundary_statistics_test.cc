// Boundaries of the statistics: published values of the tests, and each constant just beside it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "analyzers/compare/runs/intervals.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/verdict/verdict.h"
#include "tests/unit/build_maker.h"

namespace trtlens::boundary_statistics_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// So small that the logarithm of the mean is the mean of the logarithms.
std::vector<double> scaled(std::vector<double> values) {
  for (double& value : values) value *= 1e-6;
  return values;
}

struct Published {
  std::vector<double> first, second;
  double t, freedom, p_value;
};

// Examples 2 and 3 of the article "Welch's t-test" of Wikipedia: unequal variances and numbers.
TEST(BoundaryWelch, HasThePublishedValues) {
  const std::vector<Published> examples = {
      {{17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8},
       {21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
        20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8},
       1.5654335,
       9.9047412,
       0.149},
      {{19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0},
       {28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7,
        23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2},
       2.2192409,
       24.4962231,
       0.036}};
  for (const Published& e : examples) {
    const auto shift = shift_between(scaled(e.first), scaled(e.second), 0);
    ASSERT_TRUE(shift);
    EXPECT_NEAR(shift->estimate / shift->error, e.t, 1e-4);
    EXPECT_NEAR(shift->freedom, e.freedom, 1e-6);
    EXPECT_NEAR(shift->p_value, e.p_value, 0.0005);
  }
}

// Table of Student's distribution: two-sided 95 % and 90 %.
TEST(BoundaryStudent, HasTheTabulatedValues) {
  const std::vector<std::array<double, 3>> table = {{1, 12.706, 6.314}, {2, 4.303, 2.920},
                                                    {6, 2.447, 1.943},  {10, 2.228, 1.812},
                                                    {30, 2.042, 1.697}, {120, 1.980, 1.658}};
  for (const auto& [freedom, t95, t90] : table) {
    Shift shift;
    shift.freedom = freedom;
    shift.error = 1;
    EXPECT_NEAR(shift.half_width(0.95), t95, 0.0006) << freedom;
    EXPECT_NEAR(shift.half_width(0.90), t90, 0.0006) << freedom;
  }
}

// 2 % slower, and six standard deviations that count for more when they are of few runs.
TEST(BoundaryScreen, LeavesARunOutBeyondTheLimit) {
  EXPECT_THAT(slow_runs({0, 0, 0, std::log(1.0201)}), ElementsAre(3));
  EXPECT_THAT(slow_runs({0, 0, 0, std::log(1.0199)}), IsEmpty());
  const double of_three = 6 * (1 + 2.0 / 9) * 0.01;
  EXPECT_THAT(slow_runs({-0.01, 0, 0.01, of_three + 0.0001}), ElementsAre(3));
  EXPECT_THAT(slow_runs({-0.01, 0, 0.01, of_three - 0.0001}), IsEmpty());
}

TEST(BoundaryMany, RateAndNumber) {
  EXPECT_THAT(discoveries({0.05}, 0.05), ElementsAre(true));
  EXPECT_THAT(discoveries({0.0501}, 0.05), ElementsAre(false));
  EXPECT_THAT(discoveries({0.0250, 0.9}, 0.05), ElementsAre(true, false));
  EXPECT_THAT(discoveries({0.0251, 0.9}, 0.05), ElementsAre(false, false));
  EXPECT_THAT(discoveries({0.05, 0.05}, 0.05), ElementsAre(true, true));
  // Normal quantiles of 0.9875 and 0.975: 2.2414 and 1.9600.
  EXPECT_NEAR(floor_of_many(0.05, 2), std::expm1(std::log1p(0.05) * 2.241403 / 1.959964), 1e-6);
}

std::vector<RunTime> runs(const std::vector<double>& logs) {
  std::vector<RunTime> found;
  for (const double x : logs) found.emplace_back().value_ms = std::exp(x);
  return found;
}
std::vector<RunTime> four_of(double log) {
  return runs({log, log, log, log});
}

CompareOptions with_margin(double margin) {
  CompareOptions options;
  options.margin = margin;
  return options;
}

TEST(BoundaryVerdict, OfSingleRunsIsTheFloor) {
  const auto verdict = [](double ratio, const CompareOptions& options) {
    return verdict_of_runs(runs({0}), runs({std::log(ratio)}), options).verdict;
  };
  EXPECT_EQ(verdict(1.0501, {}), Verdict::regressed);
  EXPECT_EQ(verdict(1.0499, {}), Verdict::cannot_tell);
  EXPECT_EQ(verdict(1 / 1.0501, {}), Verdict::improved);
  EXPECT_EQ(verdict(1 / 1.0499, {}), Verdict::cannot_tell);
  EXPECT_EQ(verdict(1.1001, with_margin(0.1)), Verdict::regressed);
  EXPECT_EQ(verdict(1.0999, with_margin(0.1)), Verdict::cannot_tell);
}

// Both sides know their figure to 4 %: 1.96 of the error of the difference are the floor.
TEST(BoundaryVerdict, OfUnsteadySingleRunsIsTheirError) {
  const double floor = 1.96 * 0.04 * std::sqrt(2.0);
  for (const double beside : {-0.0001, 0.0001}) {
    auto base = runs({0}), candidate = runs({floor + beside});
    base[0].relative_error = candidate[0].relative_error = 0.04;
    EXPECT_EQ(verdict_of_runs(base, candidate, {}).verdict,
              beside > 0 ? Verdict::regressed : Verdict::cannot_tell);
  }
}

// Four runs a side that agree wholly are taken to scatter by 0.1 %.
TEST(BoundaryVerdict, OfRepeatedRunsIsTheIntervalAndTheMargin) {
  const double error = 0.001 / std::sqrt(2.0);
  const auto verdict = [](double log, double margin) {
    return verdict_of_runs(four_of(0), four_of(log), with_margin(margin)).verdict;
  };
  EXPECT_EQ(verdict(2.4470 * error, 0), Verdict::regressed);
  EXPECT_EQ(verdict(2.4468 * error, 0), Verdict::cannot_tell);
  EXPECT_EQ(verdict(std::log(1.0201), 0.02), Verdict::regressed);
  EXPECT_EQ(verdict(std::log(1.0199), 0.02), Verdict::cannot_tell);
  const double equal = std::log(1.02) - 1.9432 * error;
  EXPECT_EQ(verdict(equal - 1e-6, 0.02), Verdict::no_change);
  EXPECT_EQ(verdict(equal + 1e-6, 0.02), Verdict::cannot_tell);
  const EngineVerdict e = verdict_of_runs(four_of(0), four_of(0), with_margin(0));
  EXPECT_NEAR(e.noise_floor, std::expm1(2.446912 * error), 1e-8);
  EXPECT_NEAR(e.ci95->at(1), std::exp(2.446912 * error), 1e-8);
  EXPECT_NEAR(e.scatter.value(), 0.001, 1e-12);
}

// Slow runs on both sides: chance of as many on one side, by Fisher's test, up to a tenth is none.
TEST(BoundaryVerdict, LuckIsAChanceAboveATenth) {
  const auto told = [](std::size_t slow, std::size_t fast) {
    std::vector<double> base(fast, 0);
    base.push_back(0.1);
    return verdict_of_runs(runs(base), runs(std::vector<double>(slow, 0.1)), {}).verdict;
  };
  // All 3 against 1 of 4: 4 in 35, 0.114. All 3 against 1 of 5: 4 in 56, 0.071.
  EXPECT_EQ(told(3, 3), Verdict::cannot_tell);
  EXPECT_EQ(told(3, 4), Verdict::regressed);
}

// Runs are as slow as one that was left out within 1 %, or within twice their scatter.
TEST(BoundaryVerdict, LuckIsWithinOnePerCent) {
  const auto told = [](double beside) {
    return verdict_of_runs(runs({0, 0, 0, 0.1}), runs(std::vector<double>(3, 0.1 + beside)), {})
        .verdict;
  };
  EXPECT_EQ(told(0.0099), Verdict::cannot_tell);
  EXPECT_EQ(told(0.0101), Verdict::regressed);
}

TEST(BoundaryVerdict, ClustersAreThreePerCentApartAndFourSpreads) {
  const auto notes = [](const std::vector<double>& logs) {
    const auto all = verdict_of_runs(runs(logs), four_of(0), {}).notes;
    return std::count_if(all.begin(), all.end(), [](const std::string& note) {
      return note.find("slower than its other") != std::string::npos;
    });
  };
  EXPECT_EQ(notes({0, 0, 0.0301, 0.0301}), 1);
  EXPECT_EQ(notes({0, 0, 0.0299, 0.0299}), 0);
  EXPECT_EQ(notes({0, 0.01, 0.0501, 0.0601}), 1);
  EXPECT_EQ(notes({0, 0.01, 0.0499, 0.0599}), 0);
}

TEST(BoundaryVerdict, HintsAtASlowProcessUpToAQuarter) {
  const auto hints = [](double ratio) {
    const auto timed = [](double ms) {
      Build build;
      build.performance.gpu_compute.emplace().median_ms = ms;
      return test::analyze_build(build);
    };
    std::vector<Analysis> base, candidate;
    base.push_back(timed(1));
    candidate.push_back(timed(ratio));
    const Comparison c = compare(std::move(base), std::move(candidate), {});
    return c.engine.confirm.has_value() && !c.engine.notes.empty();
  };
  EXPECT_TRUE(hints(1.2499));
  EXPECT_FALSE(hints(1.2501));
}

// Layers of four runs a side: they scatter by 0.2 % at least.
TEST(BoundaryLayers, AreJudgedByDiscoveriesAndTheMargin) {
  const double error = 0.002 / std::sqrt(2.0);
  const auto verdict = [](double log, double margin) {
    std::vector<Analysis> sides[2];
    for (const int side : {0, 1}) {
      for (int run = 0; run < 4; ++run) {
        Layer l =
            test::conv("/a", {test::tensor("x", DataType::fp16)}, test::tensor("y", DataType::fp16),
                       DataType::fp16, side == 0 ? 1 : std::exp(log));
        l.onnx_nodes = {"/a"};
        sides[side].push_back(test::analyze_layers({l}));
      }
    }
    const Comparison c = compare(std::move(sides[0]), std::move(sides[1]), with_margin(margin));
    EXPECT_THAT(c.groups, SizeIs(1));
    return c.groups.at(0).verdict;
  };
  EXPECT_EQ(verdict(2.4470 * error, 0), Verdict::regressed);
  EXPECT_EQ(verdict(2.4468 * error, 0), Verdict::cannot_tell);
  const double equal = std::log(1.02) - 1.9432 * error;
  EXPECT_EQ(verdict(equal - 1e-6, 0.02), Verdict::no_change);
  EXPECT_EQ(verdict(equal + 1e-6, 0.02), Verdict::cannot_tell);
}

TEST(BoundaryTick, NeedsFourTimes) {
  const auto tick = [](const std::vector<double>& times) {
    std::vector<Layer> layers;
    for (const double ms : times) layers.push_back(test::layer("l", "Shuffle", {}, {}, ms));
    Build build = test::build_of(std::move(layers));
    build.profile_iterations = 1;
    return timer_tick_ms(build);
  };
  EXPECT_NEAR(tick({0.002, 0.004, 0.006, 0.01}).value_or(0), 0.002, 1e-9);
  EXPECT_FALSE(tick({0.002, 0.004, 0.006}));
}

}  // namespace
}  // namespace trtlens::boundary_statistics_test
