// Invariant 5: the pattern defines a line kind; every short cut reads a line as the pattern does.
#include "tests/property/line_kind_oracle.h"

#include <gtest/gtest.h>

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
