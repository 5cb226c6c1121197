// Boundaries of what one run says: warm-up, quantile, batches, drift, two speeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "analyzers/compare/runs/run_statistics.h"
#include "tests/unit/build_maker.h"

namespace trtlens::boundary_run_test {
namespace {

std::vector<double> with_warm_up(std::size_t warm_up, const std::vector<double>& steady) {
  std::vector<double> all(warm_up, 9);
  all.insert(all.end(), steady.begin(), steady.end());
  return all;
}

TEST(BoundaryRun, WarmUpIsATenthAndAtMostAHundred) {
  for (const auto& [queries, warm_up] : std::vector<std::pair<std::size_t, std::size_t>>{
           {9, 0}, {10, 1}, {999, 99}, {1000, 100}, {1001, 100}, {5000, 100}}) {
    EXPECT_EQ(run_time_of_queries(std::vector<double>(queries, 1)).warm_up, warm_up) << queries;
  }
}

TEST(BoundaryRun, FigureIsTheTenthPercentile) {
  std::vector<double> steady;
  for (int i = 0; i <= 1900; ++i) steady.push_back(1 + i);
  EXPECT_DOUBLE_EQ(run_time_of_queries(with_warm_up(100, steady)).value_ms, 191);
}

TEST(BoundaryRun, ErrorNeedsFiveBatchesOfTen) {
  EXPECT_TRUE(run_time_of_queries(with_warm_up(5, std::vector<double>(50, 1))).relative_error);
  EXPECT_FALSE(run_time_of_queries(with_warm_up(5, std::vector<double>(49, 1))).relative_error);
}

// Batches of `size` queries that are fast and slow by turns, log(slow / fast) apart.
std::vector<double> by_turns(std::size_t batches, std::size_t size, double apart) {
  std::vector<double> times;
  for (std::size_t i = 0; i < batches; ++i) {
    times.insert(times.end(), size, i % 2 == 0 ? 1 : std::exp(apart));
  }
  return times;
}

TEST(BoundaryRun, ErrorIsThatOfTwentyBatches) {
  const RunTime run = run_time_of_queries(with_warm_up(100, by_turns(20, 100, 0.01)));
  EXPECT_NEAR(run.relative_error.value(), 0.01 / 2 * std::sqrt(20.0 / 19) / std::sqrt(20.0), 1e-9);
  // Ten queries a batch at least: 100 queries are ten batches.
  const RunTime few = run_time_of_queries(with_warm_up(11, by_turns(10, 10, 0.01)));
  EXPECT_NEAR(few.relative_error.value(), 0.01 / 2 * std::sqrt(10.0 / 9) / std::sqrt(10.0), 1e-9);
}

std::vector<double> thirds(const std::vector<double>& middle, double last) {
  std::vector<double> times(middle.size(), 1);
  times.insert(times.end(), middle.begin(), middle.end());
  times.insert(times.end(), middle.size(), last);
  return times;
}

TEST(BoundaryRun, DriftIsOnePerCentAndFourErrors) {
  const auto drifts = [](const std::vector<double>& middle, double last) {
    return run_time_of_queries(with_warm_up(100, thirds(middle, last))).drift.has_value();
  };
  const std::vector<double> steady(400, 1);
  EXPECT_TRUE(drifts(steady, 1.0101));
  EXPECT_FALSE(drifts(steady, 1.0099));
  EXPECT_TRUE(drifts(steady, 1 / 1.0102));
  EXPECT_FALSE(drifts(steady, 1 / 1.0098));
  // The middle third knows its figure to 0.5 %: 2 % are four errors.
  const double apart = 0.005 * 2 * std::sqrt(19.0);
  EXPECT_TRUE(drifts(by_turns(20, 20, apart), 1.0201));
  EXPECT_FALSE(drifts(by_turns(20, 20, apart), 1.0199));
}

TEST(BoundaryRun, DriftNeedsSixtyQueries) {
  const auto drifts = [](std::size_t warm_up, std::size_t last) {
    std::vector<double> steady(40, 1);
    steady.insert(steady.end(), last, 3);
    return run_time_of_queries(with_warm_up(warm_up, steady)).drift.has_value();
  };
  EXPECT_TRUE(drifts(6, 20));
  EXPECT_FALSE(drifts(6, 19));
}

// Queries of two speeds, each `width` around its own.
RunTime two_speeds(std::size_t fast, std::size_t slow, double gap, double width = 0) {
  std::vector<double> steady;
  for (std::size_t i = 0; i < fast; ++i) steady.push_back(1 + (i % 2 == 0 ? width : -width));
  for (std::size_t i = 0; i < slow; ++i) steady.push_back(1 + gap + (i % 2 == 0 ? width : -width));
  const std::size_t n = steady.size();
  return run_time_of_queries(with_warm_up(n >= 900 ? 100 : n / 9, steady));
}

TEST(BoundaryRun, TwoSpeedsAreTwoPerCentApart) {
  EXPECT_TRUE(two_speeds(500, 500, 0.0201).slow_share);
  EXPECT_FALSE(two_speeds(500, 500, 0.0199).slow_share);
}

TEST(BoundaryRun, TwoSpeedsAreFourWidthsApart) {
  EXPECT_TRUE(two_speeds(500, 500, 0.1, 0.0249).slow_share);
  EXPECT_FALSE(two_speeds(500, 500, 0.1, 0.0251).slow_share);
}

// Ashman's D is what decides, also where the slower speed alone scatters: by 0.354 of the gap.
TEST(BoundaryRun, TheSlowerSpeedMayScatterByAThirdOfTheGap) {
  const auto noticed = [](double width) {
    std::vector<double> steady(500, 1);
    for (int i = 0; i < 500; ++i) steady.push_back(1.1 + (i % 2 == 0 ? width : -width));
    return run_time_of_queries(with_warm_up(100, steady)).slow_share.has_value();
  };
  EXPECT_TRUE(noticed(0.0353));
  EXPECT_FALSE(noticed(0.0354));
}

// The slower heap has 5 % of the queries at least: a faster one is taken in to make it so.
TEST(BoundaryRun, TheSlowerSpeedHasATwentiethOfTheQueries) {
  EXPECT_DOUBLE_EQ(two_speeds(940, 60, 0.1).slow_share.value_or(0), 0.06);
  EXPECT_DOUBLE_EQ(two_speeds(950, 50, 0.1).slow_share.value_or(0), 0.05);
  EXPECT_DOUBLE_EQ(two_speeds(951, 49, 0.1).slow_share.value_or(0), 0.05);
  EXPECT_FALSE(two_speeds(980, 20, 0.1).slow_share);
}

TEST(BoundaryRun, TwoSpeedsNeedAHundredQueries) {
  EXPECT_TRUE(two_speeds(50, 50, 0.1).slow_share);
  EXPECT_FALSE(two_speeds(50, 49, 0.1).slow_share);
}

// A profile of 100 iterations knows its sum to 3 % over their root.
TEST(BoundaryRun, AProfileIsKnownByItsIterations) {
  Build build = test::build_of({test::layer("a", "Shuffle", {}, {}, 1)});
  build.profile_iterations = 100;
  const auto time = run_time(test::analyze_build(build), TimeSource::profile);
  ASSERT_TRUE(time);
  EXPECT_DOUBLE_EQ(time->relative_error.value(), 0.003);
}

}  // namespace
}  // namespace trtlens::boundary_run_test
