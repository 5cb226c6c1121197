// Contracts over our own builds: repetitions and equal builds raise no alarm.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "analyzers/contract/contract.h"
#include "tests/unit/build_maker.h"

namespace trtlens::contract_corpus_test {
namespace {

using test::analyze_path;
using test::is_there;
using test::shared;

std::vector<Analysis> builds_of(const std::vector<std::string>& paths) {
  std::vector<Analysis> builds;
  builds.reserve(paths.size());
  for (const std::string& path : paths) builds.push_back(analyze_path(path));
  return builds;
}

std::string broken_of(const ContractResult& result) {
  std::string text;
  for (const ClauseResult& clause : result.clauses) {
    if (clause.state != ClauseState::broken) continue;
    text += clause.name + ": expected " + clause.expected + ", found " + clause.found + "\n";
  }
  return text;
}

void expect_held(const std::string& good, const std::string& again, bool any_version = false) {
  const std::string base = shared("builds/" + good), other = shared("builds/" + again);
  if (!is_there(base) || !is_there(other)) GTEST_SKIP() << "absent: " << base << ", " << other;
  Contract contract = expect(builds_of({base})).contract;
  if (any_version) contract.tensorrt.reset();
  const ContractResult result = check_contract(builds_of({other}), contract, "c", {});
  EXPECT_EQ(result.count(ClauseState::held), result.clauses.size()) << broken_of(result);
  EXPECT_GE(result.clauses.size(), 12U);
}

TEST(ContractCorpus, TheSameBuildAgain) {
  expect_held("a_r18_fp16", "a_r18_fp16_again");
}
TEST(ContractCorpus, AnotherVersionWhereItMayBe) {
  expect_held("b_r18_q_res", "g_r18_q_res", true);
}

TEST(ContractCorpus, AnotherBuildIsBroken) {
  const std::string good = shared("builds/a_r18_fp16"), forced = shared("builds/p_r18_force2");
  if (!is_there(good) || !is_there(forced)) GTEST_SKIP() << "absent: " << good;
  const Contract contract = expect(builds_of({good})).contract;
  EXPECT_EQ(check_contract(builds_of({forced}), contract, "c", {}).state(), ClauseState::broken);
}

// Each of them against each other, and against all others.
TEST(ContractCorpus, RepetitionsAgainstOneAnother) {
  std::size_t checks = 0;
  for (const char* engine : {"aa_r18_fp16", "aa_mob_q", "aa_noisy"}) {
    const std::string folder = shared(std::string("builds/") + engine);
    if (!is_there(folder)) GTEST_SKIP() << "absent: " << folder;
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      paths.push_back(entry.path().string());
    }
    std::ranges::sort(paths);
    for (const std::string& one : paths) {
      std::vector<std::string> rest = paths;
      std::erase(rest, one);
      const Contract of_rest = expect(builds_of(rest)).contract;
      EXPECT_EQ(of_rest.time_per_query->runs.size(), rest.size());
      EXPECT_EQ(broken_of(check_contract(builds_of({one}), of_rest, "c", {})), "") << one;
      ++checks;
      const Contract of_one = expect(builds_of({one})).contract;
      for (const std::string& other : rest) {
        EXPECT_EQ(broken_of(check_contract(builds_of({other}), of_one, "c", {})), "")
            << one << " " << other;
        ++checks;
      }
    }
  }
  EXPECT_EQ(checks, 10U * 10 + 8U * 8 + 3U * 3);
}

}  // namespace
}  // namespace trtlens::contract_corpus_test
