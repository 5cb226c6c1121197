// Invariant 5: the pattern defines a line kind; every short cut reads a line as the pattern does.
#include "tests/property/line_kind_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace trtlens::line_kind_oracle_test {
namespace {

namespace fs = std::filesystem;

// One change of a kind that hits the seams of an extractor: a blank, a digit, a bracket, a cut.
std::string mutated(std::string text, std::mt19937& dice) {
  constexpr std::string_view kBytes = " \t:([])*x0-9afZ_.>";
  if (text.empty()) return text;
  const std::size_t at = dice() % text.size();
  const char byte = kBytes[dice() % kBytes.size()];
  switch (dice() % 4) {
    case 0:
      text[at] = byte;
      break;
    case 1:
      text.insert(at, 1, byte);
      break;
    case 2:
      text.erase(at, 1 + dice() % 3);
      break;
    default:
      text.resize(at);
      break;
  }
  return text;
}

TEST(LineKindOracle, SamplesAndTheirMutants) {
  std::mt19937 dice(20261121);
  int hot = 0;
  for (const LineKind* kind : LineKindTable::instance().kinds()) {
    const LogSection section = kind->section == LogSection::any ? LogSection::none : kind->section;
    EXPECT_EQ(oracle_difference(kind->sample, section, false), "") << kind->sample;
    for (int i = 0; i < (kind->extract != nullptr ? 300 : 30); ++i) {
      const std::string body = mutated(mutated(kind->sample, dice), dice);
      EXPECT_EQ(oracle_difference(body, section, false), "") << body;
    }
    if (kind->extract == nullptr) continue;
    ++hot;
    Match match;
    EXPECT_TRUE(LineKindTable::extracts(*kind, kind->sample, match))
        << kind->id << " takes not even its sample";
  }
  EXPECT_GT(hot, 9);
}

// Of lines that run together. What stands in front of a hot line may belong to a kind before its
// own; to search each hot line for the words of all of those would cost more than it is worth.
TEST(LineKindOracle, TwoSamplesOnALine) {
  const auto is_known = [](const std::string& difference) {
    static const std::vector<std::string> known = {
        "another gate hit",           "instead of file-lock",       "instead of graph-capture",
        "instead of metric",          "instead of timing-cache-io", "instead of weight-streaming",
        "instead of skipping-tactic", "instead of strategy",        "instead of onnx-header"};
    return std::any_of(known.begin(), known.end(), [&](const std::string& one) {
      return difference.size() >= one.size() &&
             difference.compare(difference.size() - one.size(), one.size(), one) == 0;
    });
  };
  for (const LineKind* hot : LineKindTable::instance().kinds()) {
    if (hot->extract == nullptr) continue;
    for (const LineKind* other : LineKindTable::instance().kinds()) {
      for (const std::string between : {"", " "}) {
        const std::string behind = hot->sample + between + other->sample;
        EXPECT_EQ(oracle_difference(behind, LogSection::none, false), "") << behind;
        const std::string in_front = other->sample + between + hot->sample;
        const std::string difference = oracle_difference(in_front, LogSection::none, false);
        EXPECT_TRUE(difference.empty() || is_known(difference)) << difference << ": " << in_front;
      }
    }
  }
}

// Differences of every `stride`-th line of a log; the first few of them.
std::vector<std::string> differences(const fs::path& path, std::size_t stride) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::string> found;
  std::string line;
  for (std::size_t n = 0; std::getline(in, line) && found.size() < 3; ++n) {
    if (n % stride != 0) continue;
    std::string difference = oracle_difference(line);
    if (difference.empty()) continue;
    found.push_back(difference.append(": ").append(line));
  }
  return found;
}

void check_logs(const fs::path& folder, std::size_t stride) {
  int logs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".log" && extension != ".txt") continue;
    ++logs;
    EXPECT_EQ(differences(entry.path(), stride), std::vector<std::string>()) << entry.path();
  }
  EXPECT_GT(logs, 0);
}

TEST(LineKindOracle, Fixtures) {
  check_logs(TRTLENS_SOURCE_DIR "/fixtures", 3);
}

TEST(LineKindOracle, Corpus) {
  const fs::path logs = TRTLENS_SHARED_DIR "/corpus/logs";
  if (!fs::exists(logs)) GTEST_SKIP() << logs << " is not there";
  check_logs(logs, 7);
}

}  // namespace
}  // namespace trtlens::line_kind_oracle_test
