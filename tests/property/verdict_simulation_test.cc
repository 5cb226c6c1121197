// Verdicts on made-up runs whose truth is known: how often the interval holds the true shift, how
// often equal engines are called different, and what a shift needs to be found. Fixed seeds; the
// table of docs/compare.md is what this prints.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "analyzers/compare/run_statistics.h"
#include "analyzers/compare/verdict.h"

namespace trtlens {
namespace {

constexpr int kTrials = 1000;

struct World {
  double scatter;     // standard deviation of a run's logarithm
  double slow_share;  // of the runs, 10 % slower for no cause
};

std::vector<RunTime> runs(const World& world, std::size_t n, double shift, std::mt19937& random) {
  std::normal_distribution<double> noise(0, world.scatter);
  std::bernoulli_distribution slow(world.slow_share);
  std::vector<RunTime> found(n);
  for (RunTime& run : found) {
    run.value_ms = std::exp(noise(random) + std::log1p(shift)) * (slow(random) ? 1.1 : 1.0);
  }
  return found;
}

struct Counts {
  double regressed = 0, improved = 0, no_change = 0, covered = 0;  // shares
};

Counts simulate(const World& world, std::size_t n, double shift, unsigned seed) {
  std::mt19937 random(seed);
  Counts counts;
  for (int i = 0; i < kTrials; ++i) {
    const auto base = runs(world, n, 0, random);
    const auto candidate = runs(world, n, shift, random);
    const EngineVerdict e = verdict_of_runs(base, candidate, {});
    counts.regressed += e.verdict == Verdict::regressed ? 1 : 0;
    counts.improved += e.verdict == Verdict::improved ? 1 : 0;
    counts.no_change += e.verdict == Verdict::no_change ? 1 : 0;
    if (!e.ci95) continue;
    counts.covered += (*e.ci95)[0] <= 1 + shift && 1 + shift <= (*e.ci95)[1] ? 1 : 0;
  }
  for (double* share : {&counts.regressed, &counts.improved, &counts.no_change, &counts.covered}) {
    *share /= kTrials;
  }
  return counts;
}

TEST(VerdictSimulation, CoverageFalseAlarmsAndPower) {
  std::printf(
      "| scatter | slow runs | runs a side | interval holds | false alarms | no_change "
      "| 3 %% found | 5 %% found |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const World world :
       {World{0.005, 0}, World{0.01, 0}, World{0.02, 0}, World{0.005, 0.125}, World{0.01, 0.125}}) {
    for (const std::size_t n : {2U, 3U, 4U, 6U, 8U, 12U}) {
      SCOPED_TRACE(testing::Message() << world.scatter << " " << world.slow_share << " " << n);
      const auto seed = static_cast<unsigned>(n);
      const Counts same = simulate(world, n, 0, seed);
      const Counts three = simulate(world, n, 0.03, seed + 100);
      const Counts five = simulate(world, n, 0.05, seed + 200);
      std::printf("| %.1f %% | %.1f %% | %zu | %.1f %% | %.1f %% | %.0f %% | %.0f %% | %.0f %% |\n",
                  world.scatter * 100, world.slow_share * 100, n, same.covered * 100,
                  (same.regressed + same.improved) * 100, same.no_change * 100,
                  three.regressed * 100, five.regressed * 100);
      // 0.95 less three standard errors of 1000 trials; slow runs that could not be told from the
      // others cost a little.
      EXPECT_GE(same.covered, world.slow_share > 0 ? 0.90 : 0.93);
      EXPECT_LE(same.regressed + same.improved, 0.05);
      // Both of two runs slow: nothing can tell that from an engine.
      EXPECT_LE(three.improved + five.improved, n == 2 && world.slow_share > 0 ? 0.04 : 0.01);
      if (world.scatter <= 0.01 && n >= 4) {
        EXPECT_LE(same.regressed + same.improved, 0.02);
      }
    }
  }
  EXPECT_GE(simulate({0.005, 0}, 4, 0.03, 1).regressed, 0.95);
  EXPECT_GE(simulate({0.01, 0}, 4, 0.05, 1).regressed, 0.95);
  EXPECT_GE(simulate({0.005, 0.125}, 4, 0.03, 1).regressed, 0.85);
  EXPECT_GE(simulate({0.005, 0}, 4, 0, 1).no_change, 0.9);
}

// Of the number of runs that is recommended, most settle the question.
TEST(VerdictSimulation, TheRecommendedNumberOfRunsSettlesIt) {
  for (const double shift : {0.0, 0.04}) {
    std::mt19937 random(3);
    int settled = 0, asked = 0;
    for (int i = 0; i < 400; ++i) {
      const World world{0.01, 0};
      const EngineVerdict e =
          verdict_of_runs(runs(world, 1, 0, random), runs(world, 1, shift, random), {});
      if (!e.settle || !e.settle->runs) continue;
      ++asked;
      const EngineVerdict again = verdict_of_runs(runs(world, *e.settle->runs, 0, random),
                                                  runs(world, *e.settle->runs, shift, random), {});
      settled += again.verdict == (shift > 0 ? Verdict::regressed : Verdict::no_change) ? 1 : 0;
    }
    EXPECT_GT(asked, 200) << shift;
    EXPECT_GE(settled, asked * 0.7) << shift;
  }
}

// Queries of one run: neighbours correlated, the first ones slow, and a slow mode in episodes.
std::vector<double> queries(std::size_t n, double level_ms, double slow_share,
                            std::mt19937& random) {
  std::normal_distribution<double> noise(0, 0.02);
  std::vector<double> times(n);
  double last = 0;
  bool slow = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 50 == 0) slow = std::bernoulli_distribution(slow_share)(random);
    last = 0.3 * last + std::sqrt(1 - 0.09) * noise(random);
    const double warm_up = 0.05 * std::exp(-static_cast<double>(i) / 30);
    times[i] = level_ms * (1 + last + warm_up + (slow ? 0.1 : 0));
  }
  return times;
}

TEST(VerdictSimulation, ARunsFigureResistsWhatHappensInsideIt) {
  std::mt19937 random(11);
  double sum = 0, squares = 0, errors = 0;
  constexpr int kRuns = 200;
  for (int i = 0; i < kRuns; ++i) {
    const RunTime quiet = run_time_of_queries(queries(1500, 1, 0, random));
    const RunTime busy = run_time_of_queries(queries(1500, 1, 0.5, random));
    // Half of the queries 10 % slower: the median would move by some 5 %.
    EXPECT_NEAR(busy.value_ms / quiet.value_ms, 1, 0.03);
    EXPECT_FALSE(quiet.slow_share);
    const double x = std::log(quiet.value_ms);
    sum += x;
    squares += x * x;
    errors += quiet.relative_error.value();
  }
  const double spread = std::sqrt((squares - sum * sum / kRuns) / (kRuns - 1));
  EXPECT_NEAR(errors / kRuns / spread, 1, 0.25);  // the error that a run states is the true one
}

// A layer that is called slower in 1 of 20 comparisons of 100 equal layers would be far too often.
TEST(VerdictSimulation, EqualLayersAreSeldomCalledDifferent) {
  std::mt19937 random(23);
  std::normal_distribution<double> noise(0, 0.01);
  int comparisons_with_alarm = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<Analysis> base(4), candidate(4);
    for (std::vector<Analysis>* side : {&base, &candidate}) {
      for (Analysis& run : *side) {
        run.build.layers.resize(60);
        for (std::size_t k = 0; k < run.build.layers.size(); ++k) {
          run.build.layers[k].name = "l" + std::to_string(k);
          run.build.layers[k].time.emplace().mean_ms = 0.02 * std::exp(noise(random));
        }
      }
    }
    std::vector<LayerGroup> groups(60);
    for (std::size_t k = 0; k < groups.size(); ++k) groups[k].base = groups[k].candidate = {k};
    judge_groups(base, 0, candidate, 0, {}, groups);
    bool alarm = false;
    for (const LayerGroup& group : groups) {
      alarm = alarm || group.verdict == Verdict::regressed || group.verdict == Verdict::improved;
    }
    comparisons_with_alarm += alarm ? 1 : 0;
  }
  EXPECT_LE(comparisons_with_alarm, 10);
}

}  // namespace
}  // namespace trtlens
