// Lines around quoted ones, read from the log again.
#include "report/cli/log_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/temp_folder.h"

namespace trtlens::log_windows_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

EvidenceLine quote(const std::string& file, std::uint64_t line, const std::string& text) {
  EvidenceLine evidence;
  evidence.file = file;
  evidence.line = line;
  evidence.text = text;
  evidence.quoted = true;
  return evidence;
}

std::vector<EvidenceLine> windows_of(std::vector<EvidenceLine> evidence) {
  Document document;
  FindingCard card;
  card.evidence = std::move(evidence);
  document.sections.push_back({"findings", "Findings", {std::move(card)}});
  add_log_windows(document);
  return std::get<FindingCard>(document.sections[0].blocks[0]).evidence;
}

class LogWindows : public ::testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& text) const {
    return folder_.write("build.log", text);
  }
  TempFolder folder_;
};

TEST_F(LogWindows, HaveThreeLinesOnEitherSide) {
  const std::string log = write("one\ntwo\nthree\nfour\r\nfive\nsix\nseven\neight\nnine\n");
  const auto lines = windows_of({quote(log, 5, "five")});
  EXPECT_THAT(lines[0].around,
              ElementsAre("two", "three", "four", "five", "six", "seven", "eight"));
  EXPECT_EQ(lines[0].around_first, 2U);
}

TEST_F(LogWindows, EndWithTheLog) {
  const std::string log = write("one\ntwo\nthree");
  const auto lines = windows_of({quote(log, 1, "one"), quote(log, 3, "three"), quote(log, 4, "x")});
  EXPECT_THAT(lines[0].around, ElementsAre("one", "two", "three"));
  EXPECT_THAT(lines[1].around, ElementsAre("one", "two", "three"));
  EXPECT_EQ(lines[1].around_first, 1U);
  EXPECT_THAT(lines[2].around, IsEmpty());
}

TEST_F(LogWindows, AreNotMadeOfALogThatSaysSomethingElse) {
  const std::string log = write("one\ntwo\nthree\n");
  EXPECT_THAT(windows_of({quote(log, 2, "three")})[0].around, IsEmpty());
  EXPECT_THAT(windows_of({quote(log + ".gone", 2, "two")})[0].around, IsEmpty());
  EXPECT_THAT(windows_of({quote("-", 2, "two")})[0].around, IsEmpty());
}

TEST_F(LogWindows, ALongLineIsOneLine) {
  const std::string log = write("one\n" + std::string(100000, 'x') + "\nthree\n\x1b[31mfour\n");
  const auto lines = windows_of({quote(log, 3, "three")});
  ASSERT_EQ(lines[0].around.size(), 4U);
  EXPECT_LT(lines[0].around[1].size(), 310U);
  EXPECT_EQ(lines[0].around[3], "\\x1b[31mfour");
}

}  // namespace
}  // namespace trtlens::log_windows_test
