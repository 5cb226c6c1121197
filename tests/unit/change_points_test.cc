// Levels of series whose truth is known.
#include "analyzers/trend/change_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace trtlens::change_points_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Runs that scatter by 1 %, with steps behind the builds that are named.
std::vector<double> series(std::size_t n, const std::vector<std::pair<std::size_t, double>>& steps,
                           unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    double noise = 0;  // of twelve uniform draws: the same everywhere
    for (int k = 0; k < 12; ++k) noise += static_cast<double>(random() % 1000) / 1000.0 - 0.4995;
    double level = 0.5;
    for (const auto& [from, step] : steps) level *= i >= from ? 1 + step : 1;
    values.push_back(level * (1 + 0.01 * noise));
  }
  return values;
}

std::vector<std::size_t> begins(const std::vector<double>& values,
                                const ChangeOptions& options = {}) {
  std::vector<std::size_t> all;
  for (const Stretch& stretch : stretches_of(values, options)) all.push_back(stretch.begin);
  return all;
}

TEST(ChangePoints, NothingAndOneValue) {
  EXPECT_THAT(stretches_of({}), IsEmpty());
  const std::vector<Stretch> one = stretches_of({0.5});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].end, 1U);
  EXPECT_DOUBLE_EQ(one[0].median, 0.5);
  EXPECT_DOUBLE_EQ(one[0].shift, 0);
  EXPECT_DOUBLE_EQ(one[0].p_value, 1);
}

TEST(ChangePoints, EqualValuesAreOneLevel) {
  EXPECT_THAT(begins(std::vector<double>(50, 0.5)), ElementsAre(0U));
}

TEST(ChangePoints, NoiseIsNoChange) {
  std::size_t alarms = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) alarms += begins(series(40, {}, seed)).size() - 1;
  EXPECT_LE(alarms, 1U);
}

TEST(ChangePoints, AStepUpAndAStepDown) {
  const std::vector<Stretch> found = stretches_of(series(60, {{20, 0.05}, {45, -0.10}}));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].begin, 20U);
  EXPECT_EQ(found[2].begin, 45U);
  EXPECT_EQ(found[1].end, 45U);
  EXPECT_NEAR(found[1].shift, 0.05, 0.01);
  EXPECT_NEAR(found[2].shift, -0.10, 0.01);
  EXPECT_LE(found[1].p_value, 0.01);
  EXPECT_NEAR(found[1].scatter, 0.01, 0.006);
  EXPECT_NEAR(found[0].median, 0.5, 0.005);
}

TEST(ChangePoints, ASingleSlowRunIsNoLevel) {
  std::vector<double> values = series(40, {});
  for (const std::size_t slow : {7U, 8U, 25U}) values[slow] *= 1.3;
  EXPECT_THAT(begins(values), ElementsAre(0U));
}

TEST(ChangePoints, ThreeBuildsAreALevelAndNoFewer) {
  const auto last = [](std::size_t n) { return begins(series(20, {{20 - n, 0.10}})); };
  EXPECT_THAT(last(3), ElementsAre(0U, 17U));
  EXPECT_THAT(last(1), ElementsAre(0U));
  for (const Stretch& stretch : stretches_of(series(20, {{18, 0.10}}))) {
    EXPECT_GE(stretch.end - stretch.begin, 3U);
  }
}

TEST(ChangePoints, AStepBelowTheMarginIsNone) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(0.5 * (i < 20 ? 1 : 1.015) + 0.0001 * (i % 3));
  EXPECT_THAT(begins(values), ElementsAre(0U));
  ChangeOptions options;
  options.margin = 0.01;
  EXPECT_THAT(begins(values, options), ElementsAre(0U, 20U));
}

TEST(ChangePoints, ScaleSaysNothing) {
  std::vector<double> values = series(60, {{20, 0.05}});
  const std::vector<std::size_t> found = begins(values);
  for (double& value : values) value *= 1e6;
  EXPECT_EQ(begins(values), found);
}

}  // namespace
}  // namespace trtlens::change_points_test
