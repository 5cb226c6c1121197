// The figure of a run, and intervals over runs.
#include "analyzers/compare/runs/run_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "analyzers/compare/runs/advice.h"
#include "analyzers/compare/runs/intervals.h"
#include "analyzers/compare/verdict/verdict.h"
#include "tests/unit/build_maker.h"

namespace trtlens::run_statistics_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<double> noisy(std::size_t n, double level, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(level, level * 0.01);
  std::vector<double> times(n);
  for (double& t : times) t = noise(random);
  return times;
}

TEST(RunTime, LeavesTheWarmUpOutAndTakesALowQuantile) {
  std::vector<double> times = noisy(2000, 1);
  for (std::size_t i = 0; i < 100; ++i) times[i] = 0.5;  // however odd
  const RunTime run = run_time_of_queries(times);
  EXPECT_EQ(run.warm_up, 100U);
  EXPECT_NEAR(run.value_ms, 1 - 1.2816 * 0.01, 0.002);
  EXPECT_EQ(run.queries, 2000U);
  EXPECT_FALSE(run.drift);
  EXPECT_FALSE(run.slow_share);
  EXPECT_EQ(run_time_of_queries(noisy(50, 1)).warm_up, 5U);
}

TEST(RunTime, NoticesTwoSpeeds) {
  std::vector<double> times = noisy(2000, 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i / 100 % 4 == 0) times[i] *= 1.15;
  }
  const RunTime run = run_time_of_queries(times);
  ASSERT_TRUE(run.slow_share);
  EXPECT_NEAR(*run.slow_share, 4.0 / 19, 0.01);  // the first hundred is warm-up
  EXPECT_NEAR(run.slow_mode.value(), 0.15, 0.01);
  // A few outliers are no second speed.
  times = noisy(2000, 1);
  for (std::size_t i = 0; i < times.size(); i += 400) times[i] = 5;
  EXPECT_FALSE(run_time_of_queries(times).slow_share);
}

TEST(RunTime, NoticesDrift) {
  std::vector<double> times = noisy(3000, 1);
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] *= 1 + 0.05 * static_cast<double>(i) / 3000;
  const RunTime run = run_time_of_queries(times);
  ASSERT_TRUE(run.drift);
  // Half of it is what the run's figure may be off by; what is left of a run says so, too.
  EXPECT_NEAR(inner_error_of(run).value_or(0), *run.drift / 2, 0.001);
  EXPECT_LT(run.relative_error.value_or(1), *run.drift / 2);
  EXPECT_NEAR(*run.drift, 0.033, 0.01);
}

TEST(RunTime, ErrorByBatchesCountsCorrelation) {
  std::mt19937 random(2);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> alone, correlated;
  double last = 0;
  for (int i = 0; i < 4000; ++i) {
    alone.push_back(1 + noise(random));
    last = 0.95 * last + 0.312 * noise(random);
    correlated.push_back(1 + last);
  }
  const double a = run_time_of_queries(alone).relative_error.value();
  const double c = run_time_of_queries(correlated).relative_error.value();
  EXPECT_GT(c, 2 * a);
  EXPECT_FALSE(run_time_of_queries(noisy(20, 1)).relative_error);  // too few to say
}

// Runs are compared by one kind of figure: what all of them have.
TEST(RunTime, TheSourceIsOneThatEveryRunHas) {
  const auto with = [](bool queries, bool summary, bool trace) {
    Build build = test::build_of({});
    if (queries) {
      for (const double t : noisy(200, 1)) {
        build.queries.push_back({0, static_cast<float>(t), static_cast<float>(t), 0, 0, 0});
      }
    }
    if (summary) build.performance.gpu_compute.emplace().median_ms = 2;
    if (trace) build.trace.push_back({3, std::nullopt});
    return test::analyze_build(std::move(build));
  };
  const auto source_of = [](const Analysis& a, const Analysis& b) {
    return common_source({&a, &b});
  };
  const Analysis all = with(true, true, true);
  EXPECT_EQ(source_of(all, all), TimeSource::queries);
  EXPECT_EQ(source_of(all, with(false, true, true)), TimeSource::summary_median);
  EXPECT_EQ(source_of(all, with(false, false, true)), TimeSource::trace);
  EXPECT_EQ(source_of(all, with(false, false, false)), std::nullopt);
  // The median of the queries stands in for a summary that is not there.
  EXPECT_EQ(source_of(with(true, false, false), with(false, true, false)),
            TimeSource::summary_median);
  EXPECT_EQ(run_time(all, TimeSource::trace)->value_ms, 3);
}

TEST(Screen, LeavesOutTheSlowOnesOnly) {
  const double slow = std::log(1.1);
  EXPECT_THAT(slow_runs({0, 0.002, slow, 0.001}), ElementsAre(2));
  EXPECT_THAT(slow_runs({0, 0.002, -slow, 0.001}), IsEmpty());
  EXPECT_THAT(slow_runs({0, slow}), IsEmpty());
  EXPECT_THAT(slow_runs({0, 0.001, slow, slow}), IsEmpty());  // half of them
  EXPECT_THAT(slow_runs({0, slow, 0.001, slow, 0.002}), ElementsAre(1, 3));
  EXPECT_THAT(slow_runs({0, 0.03, 0.05, 0.1}), IsEmpty());  // they all scatter
}

// Student's textbook numbers: t(0.975; 6) = 2.447.
TEST(Shift, IsATInterval) {
  const auto shift = shift_between({0, 0.01, 0.02, 0.03}, {0.1, 0.11, 0.12, 0.13}, 0);
  ASSERT_TRUE(shift);
  EXPECT_NEAR(shift->estimate, 0.1, 1e-12);
  EXPECT_NEAR(shift->scatter, 0.0129099, 1e-6);
  EXPECT_EQ(shift->freedom, 6);
  EXPECT_NEAR(shift->half_width(0.95), 2.446912 * 0.0129099 / std::sqrt(2.0), 1e-6);
  EXPECT_LT(shift->p_value, 0.001);
  EXPECT_FALSE(shift_between({0}, {1}, 0));
  EXPECT_EQ(shift_between({0}, {1, 1.1}, 0)->freedom, 1);
  // Welch, where the sides have unequal numbers of runs.
  EXPECT_LT(shift_between({0, 0.01, 0.02}, {0.1, 0.11, 0.12, 0.3}, 0)->freedom, 5);
  // Runs that agree by luck are not trusted further than what is known of them.
  EXPECT_NEAR(shift_between({0, 0}, {0, 0}, 0.01)->scatter, 0.01, 1e-12);
}

TEST(Shift, RunsToSettle) {
  EXPECT_EQ(runs_to_settle({0.1, 0, 0.01, 0.02, 2}), 2U);
  EXPECT_EQ(runs_to_settle({0, 0, 0.01, 0.02, 2}), 6U);
  EXPECT_FALSE(runs_to_settle({0.0199, 0, 0.01, 0.02, 2}));  // on the margin itself
  EXPECT_FALSE(
      runs_to_settle({0.021, 0, 0.01, 0.02, 2}));  // the estimate falls below half the time
  EXPECT_EQ(runs_to_settle({0.1, 0, 0.001, 0.02, 7}), 7U);
  EXPECT_FALSE(runs_to_settle({0, 0, 0.12, 0.02, 2}));  // runs as unsteady as that
  // A shift that is known badly needs more than one that is known to be 0.
  EXPECT_GT(runs_to_settle({0, 0.014, 0.01, 0.02, 2}).value(), 10U);
}

TEST(Many, DiscoveriesAndFloor) {
  EXPECT_THAT(discoveries({0.001, 0.2, 0.02, 0.9, 0.04}, 0.05),
              ElementsAre(true, false, true, false, false));
  EXPECT_THAT(discoveries({}, 0.05), IsEmpty());
  EXPECT_DOUBLE_EQ(floor_of_many(0.05, 1), 0.05);
  EXPECT_NEAR(floor_of_many(0.05, 27), 0.0805, 0.001);
  EXPECT_NEAR(chance_of_slow(1, 4, 4, 4), 4.0 / 56, 1e-9);
  EXPECT_DOUBLE_EQ(chance_of_slow(1, 4, 0, 4), 1);
}

std::vector<RunTime> runs(const std::vector<double>& ms) {
  std::vector<RunTime> found;
  for (const double value : ms) {
    found.emplace_back();
    found.back().value_ms = value;
  }
  return found;
}

Verdict verdict(const std::vector<double>& base, const std::vector<double>& candidate) {
  return verdict_of_runs(runs(base), runs(candidate), {}).verdict;
}

TEST(Verdict, SeveralRuns) {
  const std::vector<double> base{1, 1.004, 0.998, 1.002};
  EXPECT_EQ(verdict(base, {1.03, 1.034, 1.028, 1.032}), Verdict::regressed);
  EXPECT_EQ(verdict({1.03, 1.034, 1.028, 1.032}, base), Verdict::improved);
  EXPECT_EQ(verdict(base, {1.001, 1.003, 0.999, 1.0}), Verdict::no_change);
  // Surely there, and too small to matter.
  EXPECT_EQ(verdict(base, {1.01, 1.014, 1.008, 1.012}), Verdict::no_change);
  EXPECT_EQ(verdict(base, {1.0, 1.08, 0.95, 1.06}), Verdict::cannot_tell);
  // One slow process a side.
  EXPECT_EQ(verdict({1, 1.004, 1.1, 1.002}, {1.001, 0.999, 1.0, 1.003}), Verdict::no_change);
  EXPECT_EQ(verdict({1, 1.004, 1.1, 1.002}, {1.031, 1.029, 1.03, 1.033}), Verdict::regressed);
}

// The base itself is that slow in one run of three.
TEST(Verdict, LuckOfProcessesIsNoRegression) {
  const EngineVerdict e = verdict_of_runs(runs({1, 1.001, 1.1}), runs({1.1, 1.099, 1.101}), {});
  EXPECT_EQ(e.verdict, Verdict::cannot_tell);
  EXPECT_EQ(e.left_out[0].size(), 1U);
  EXPECT_THAT(e.notes, ::testing::Contains(HasSubstr("luck of processes")));
  EXPECT_EQ(verdict({1, 1.001, 0.999}, {1.1, 1.099, 1.101}), Verdict::regressed);
}

TEST(Verdict, FloorIsLearnedFromRepetitions) {
  const EngineVerdict e = verdict_of_runs(runs({1, 1.004, 0.996, 1.002, 0.998}), runs({1.03}), {});
  EXPECT_EQ(e.verdict, Verdict::regressed);  // within the assumed 5 %
  EXPECT_EQ(e.noise_floor_from, "repetitions");
  EXPECT_LT(e.noise_floor, 0.03);
  const EngineVerdict wide = verdict_of_runs(runs({1, 1.05, 0.95, 1.02, 0.98}), runs({1.07}), {});
  EXPECT_EQ(wide.verdict, Verdict::cannot_tell);  // beyond the assumed 5 %
  EXPECT_GT(wide.noise_floor, 0.07);
}

TEST(Verdict, SaysWhatWouldSettleIt) {
  const EngineVerdict e = verdict_of_runs(runs({1}), runs({1.001}), {});
  EXPECT_EQ(e.verdict, Verdict::cannot_tell);
  ASSERT_TRUE(e.settle);
  // Seven would do if the shift were known to be 0.1 %.
  EXPECT_GE(e.settle->runs.value(), 10U);
  EXPECT_LE(e.settle->runs.value(), 16U);
  EXPECT_FALSE(verdict_of_runs(runs({1}), runs({2}), {}).settle);
}

// A run that scatters more than the floor inside it cannot be told from another by the floor.
TEST(Verdict, ScatterInsideSingleRunsRaisesTheFloor) {
  auto base = runs({1}), candidate = runs({1.06});
  base[0].relative_error = candidate[0].relative_error = 0.04;
  const EngineVerdict e = verdict_of_runs(base, candidate, {});
  EXPECT_EQ(e.verdict, Verdict::cannot_tell);
  EXPECT_EQ(e.noise_floor_from, "queries");
  EXPECT_EQ(verdict({1}, {1.06}), Verdict::regressed);
}

}  // namespace
}  // namespace trtlens::run_statistics_test
