// Series whose truth is known: false alarms and hits of the change points. Fixed seeds; the table
// of docs/history.md is what this prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "analyzers/trend/change_points.h"

namespace trtlens::trend_simulation_test {
namespace {

// A part of them, as a test; TRTLENS_TREND_SERIES=200 for the page.
int series_a_row() {
  const char* const wanted = std::getenv("TRTLENS_TREND_SERIES");
  return wanted == nullptr ? 40 : std::max(1, std::atoi(wanted));
}

// Recorded: 10th percentiles of processes that timed one engine on one idle H200, over their median
// (aa_r18_fp16, aa_mob_q), minus 1.
constexpr double kRecorded[] = {-0.0017, -0.0062, 0.0,     -0.0010, 0.0031,  0.0022,
                                0.0084,  0.0,     0.0044,  -0.0043, -0.0112, 0.0004,
                                0.0037,  -0.0004, -0.0252, 0.0021,  -0.0024, 0.0022};

struct World {
  const char* name;
  double scatter;     // of a build's logarithm; 0: drawn from what was recorded
  double slow_share;  // of the builds, 10 % slower for no cause
};

class Series {
 public:
  Series(const World& world, unsigned seed) : world_(world), random_(seed) {}

  // `at(i)`: the true level of build i over that of the first, minus 1.
  template <typename Level>
  std::vector<double> draw(std::size_t n, const Level& at) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      const bool slow = uniform() < world_.slow_share;
      values.push_back((1 + at(i)) * std::exp(noise()) * (slow ? 1.1 : 1.0));
    }
    return values;
  }

 private:
  double uniform() { return static_cast<double>(random_()) / 4294967296.0; }
  double noise() {
    if (world_.scatter == 0) return kRecorded[random_() % std::size(kRecorded)];
    // Box and Muller; distributions of the standard library differ.
    return world_.scatter * std::sqrt(-2 * std::log(1 - uniform())) *
           std::cos(6.283185307179586 * uniform());
  }

  World world_;
  std::mt19937 random_;
};

struct Row {
  double alarms = 0;            // of series without a change
  double found[3] = {0, 0, 0};  // of one step of 3, 5, 10 %, at its build or one beside it
  double drift = 0;             // of a drift of 10 %, any change
};

Row simulate(const World& world, std::size_t n, int series) {
  Series draws(world, 11);
  Row row;
  const auto share = [&](int count) { return static_cast<double>(count) / series; };
  int alarms = 0, drift = 0;
  for (int k = 0; k < series; ++k) {
    alarms += stretches_of(draws.draw(n, [](std::size_t) { return 0.0; })).size() > 1 ? 1 : 0;
    const double slope = 0.10 / static_cast<double>(n);
    drift +=
        stretches_of(draws.draw(n, [&](std::size_t i) { return slope * static_cast<double>(i); }))
                    .size() > 1
            ? 1
            : 0;
  }
  row.alarms = share(alarms);
  row.drift = share(drift);
  const double steps[] = {0.03, 0.05, 0.10};
  const std::size_t at = n * 2 / 3;
  for (std::size_t s = 0; s < 3; ++s) {
    int found = 0;
    for (int k = 0; k < series; ++k) {
      bool hit = false;
      for (const Stretch& stretch :
           stretches_of(draws.draw(n, [&](std::size_t i) { return i >= at ? steps[s] : 0.0; }))) {
        hit = hit || (stretch.begin + 1 >= at && stretch.begin <= at + 1 && stretch.begin > 0);
      }
      found += hit ? 1 : 0;
    }
    row.found[s] = share(found);
  }
  return row;
}

TEST(TrendSimulation, Table) {
  const World worlds[] = {{"recorded", 0, 0},    {"0.5 %", 0.005, 0},    {"1.0 %", 0.01, 0},
                          {"2.0 %", 0.02, 0},    {"recorded", 0, 0.125}, {"1.0 %", 0.01, 0.125},
                          {"2.0 %", 0.02, 0.125}};
  std::printf(
      "| scatter | slow builds | builds | false alarms | 3 %% found | 5 %% found | 10 %% found | "
      "drift of 10 %% |\n");
  for (const World& world : worlds) {
    for (const std::size_t n : {20U, 50U, 100U}) {
      const Row row = simulate(world, n, series_a_row());
      std::printf("| %s | %.1f %% | %zu | %.1f %% | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n",
                  world.name, world.slow_share * 100, n, row.alarms * 100, row.found[0] * 100,
                  row.found[1] * 100, row.found[2] * 100, row.drift * 100);
      // The level is 1 %: of 40 series 2 by chance at most.
      EXPECT_LE(row.alarms, 0.05) << world.name << " " << n;
      if (world.slow_share == 0 && world.scatter <= 0.01) {
        EXPECT_GE(row.found[1], 0.9) << world.name << " " << n;
      }
      EXPECT_GE(row.found[2], 0.6) << world.name << " " << n;
    }
  }
}

}  // namespace
}  // namespace trtlens::trend_simulation_test
