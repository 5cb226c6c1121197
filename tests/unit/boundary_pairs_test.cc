// Every threshold that a rule declares has a boundary pair, and every pair holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analyzers/rules/rule.h"
#include "tests/unit/boundary_pair.h"

namespace trtlens::test::boundary_pairs_test {
namespace {

TEST_P(BoundaryPairTest, FiresOnOneSideOnly) {
  const BoundaryPair& pair = GetParam();
  EXPECT_TRUE(fires(pair, pair.fires)) << pair.fires;
  EXPECT_FALSE(fires(pair, pair.silent)) << pair.silent;
}

#define TRTLENS_BOUNDARIES(family, table) \
  INSTANTIATE_TEST_SUITE_P(family, BoundaryPairTest, ::testing::ValuesIn(table()), name_of_pair)
TRTLENS_BOUNDARIES(Precision, precision_boundaries);
TRTLENS_BOUNDARIES(Placement, placement_boundaries);
TRTLENS_BOUNDARIES(Symptom, symptom_boundaries);
TRTLENS_BOUNDARIES(Kernel, kernel_boundaries);
TRTLENS_BOUNDARIES(Timing, timing_boundaries);
TRTLENS_BOUNDARIES(Comparison, comparison_boundaries);
#undef TRTLENS_BOUNDARIES

std::vector<BoundaryPair> all_pairs() {
  std::vector<BoundaryPair> all;
  for (const auto* table : {&precision_boundaries(), &placement_boundaries(), &symptom_boundaries(),
                            &kernel_boundaries(), &timing_boundaries(), &comparison_boundaries()}) {
    all.insert(all.end(), table->begin(), table->end());
  }
  return all;
}

// A new threshold without a pair fails here; so does a pair of a threshold that is gone.
TEST(BoundaryPairs, CoverEveryThresholdOfEveryRule) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, double> declared;
  for (const RuleInfo& info : all_rule_infos()) {
    for (const Threshold& t : info.thresholds) declared[{info.id, t.key}] = t.value;
  }
  std::set<Key> paired;
  for (const BoundaryPair& pair : all_pairs()) {
    const Key key{pair.rule, pair.key};
    paired.insert(key);
    const auto found = declared.find(key);
    ASSERT_NE(found, declared.end()) << pair.rule << '.' << pair.key;
    EXPECT_EQ(found->second, pair.threshold) << pair.rule << '.' << pair.key;
  }
  for (const auto& [key, value] : declared) {
    EXPECT_EQ(paired.count(key), 1U) << key.first << '.' << key.second << " has no boundary pair";
  }
  EXPECT_GE(declared.size(), 60U);
}

}  // namespace
}  // namespace trtlens::test::boundary_pairs_test
