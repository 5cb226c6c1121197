// Verdicts on made-up runs whose truth is known: how often the interval holds the true shift, how
// often equal engines are called different, and what a shift needs to be found. Fixed seeds; the
// table of docs/compare.md is what this prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "analyzers/compare/runs/advice.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/verdict/verdict.h"

namespace trtlens::verdict_simulation_test {
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

Verdict right(double shift) {
  return shift < 0.02 ? Verdict::no_change : Verdict::regressed;
}

// Whether so many runs a side settle a shift, in how many cases.
double settled(const World& world, std::size_t n, double shift, int trials, std::mt19937& random) {
  int count = 0;
  for (int i = 0; i < trials; ++i) {
    const EngineVerdict e =
        verdict_of_runs(runs(world, n, 0, random), runs(world, n, shift, random), {});
    count += e.verdict == right(shift) ? 1 : 0;
  }
  return static_cast<double>(count) / trials;
}

// The number of runs that is recommended for a shift settles it in four of five cases, or none is
// recommended.
TEST(VerdictSimulation, TheAdviceHoldsItsPower) {
  constexpr int kTried = 300;
  const double chance = 0.8 - 3 * std::sqrt(0.8 * 0.2 / kTried);
  std::mt19937 random(5);
  for (const double scatter : {0.003, 0.01, 0.02}) {
    int advised = 0;
    for (int i = 0; i <= 60; ++i) {
      const double shift = 0.001 * i;
      const auto n = runs_to_settle({std::log1p(shift), 0, scatter, std::log1p(0.02), 2});
      if (!n) continue;
      ++advised;
      EXPECT_GE(settled({scatter, 0}, *n, shift, kTried, random), chance)
          << scatter << " " << shift << " " << *n;
    }
    EXPECT_GE(advised, scatter > 0.01 ? 40 : 52) << scatter;
  }
}

// The same from the start: a few runs, what they advise, and so many runs again.
TEST(VerdictSimulation, FollowedAdviceSettlesTheQuestion) {
  const World world{0.01, 0};
  std::printf(
      "| runs at hand | shift | asked | advised (median) | settled |\n| --- | --- | --- | --- "
      "| --- |\n");
  for (const std::size_t at_hand : {1U, 2U, 4U}) {
    for (const double shift : {0.0, 0.005, 0.01, 0.03, 0.04, 0.05}) {
      std::mt19937 random(9);
      int asked = 0;
      double hits = 0;
      std::vector<std::size_t> advised;
      for (int i = 0; i < 300; ++i) {
        const EngineVerdict e = verdict_of_runs(runs(world, at_hand, 0, random),
                                                runs(world, at_hand, shift, random), {});
        if (!e.settle || !e.settle->runs) continue;
        ++asked;
        advised.push_back(*e.settle->runs);
        hits += settled(world, *e.settle->runs, shift, 1, random);
      }
      if (asked < 30) continue;
      std::sort(advised.begin(), advised.end());
      std::printf("| %zu | %.1f %% | %d | %zu | %.0f %% |\n", at_hand, shift * 100, asked,
                  advised[advised.size() / 2], hits / asked * 100);
      EXPECT_GE(hits / asked, 0.8 - 3 * std::sqrt(0.8 * 0.2 / asked)) << at_hand << " " << shift;
    }
  }
}

// One process of two is slow: what the others say is enough to know how many would tell.
TEST(VerdictSimulation, ASlowRunOfTwoDoesNotMakeTheQuestionHopeless) {
  std::mt19937 random(13);
  const World world{0.005, 0};
  for (int i = 0; i < 50; ++i) {
    std::vector<RunTime> base = runs(world, 2, 0, random);
    base[1].value_ms *= 1.1;
    const EngineVerdict e = verdict_of_runs(base, runs(world, 2, 0.05, random), {});
    ASSERT_EQ(e.verdict, Verdict::cannot_tell);
    ASSERT_TRUE(e.settle.value().runs);
    EXPECT_GE(*e.settle->runs, 5U);
    EXPECT_LE(*e.settle->runs, 8U);
  }
  EXPECT_GE(settled(world, 5, 0.05, 300, random), 0.95);
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
          run.build.layers[k].time->quantum_ms = 1e-7;
          run.build.profile_sum_ms += run.build.layers[k].time->mean_ms;
        }
        run.build.has_profile = true;
        run.verdicts.resize(60);
      }
    }
    Comparison c = compare(std::move(base), std::move(candidate), {});
    const std::vector<LayerGroup>& groups = c.groups;
    EXPECT_EQ(groups.size(), 60U);
    bool alarm = false;
    for (const LayerGroup& group : groups) {
      alarm = alarm || group.verdict == Verdict::regressed || group.verdict == Verdict::improved;
    }
    comparisons_with_alarm += alarm ? 1 : 0;
  }
  EXPECT_LE(comparisons_with_alarm, 10);
}

}  // namespace
}  // namespace trtlens::verdict_simulation_test
