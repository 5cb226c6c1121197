// Help as wide as the terminal.
#include "report/cli/output_width.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "report/cli/help_text.h"
#include "report/formats/escape.h"

namespace trtlens::output_width_test {
namespace {

TEST(HelpWidth, FoldsDescriptionsUnderTheirBeginning) {
  EXPECT_EQ(wrapped_help("  --top INT=20          rows shown in full; all of them with 0\n", 40),
            "  --top INT=20          rows shown in\n"
            "                        full; all of\n"
            "                        them with 0\n");
  // A description that stands below its option.
  EXPECT_EQ(wrapped_help("  --color TEXT\n                    auto, always or never\n", 36),
            "  --color TEXT\n                    auto, always or\n                    never\n");
}

TEST(HelpWidth, FoldsParagraphsAtTheLeft) {
  EXPECT_EQ(wrapped_help("one two three four\n\nfive\n", 9), "one two\nthree\nfour\n\nfive\n");
  EXPECT_EQ(wrapped_help("one two\n", 7), "one two\n");
}

TEST(HelpWidth, BreaksAListOfWordsBehindACommaAndAWordThatIsTooLong) {
  EXPECT_EQ(wrapped_help("  --fail-on TEXT:{regression,cannot-tell,none}\n", 30),
            "  --fail-on\n    TEXT:{regression,\n    cannot-tell,none}\n");
  EXPECT_EQ(wrapped_help("abcdefghij\n", 4), "abcd\nefgh\nij\n");
}

TEST(HelpWidth, BreaksExamplesAsAShellDoes) {
  EXPECT_EQ(wrapped_help("  trtlens analyze build.log layers.json -o report.html\n", 30),
            "  trtlens analyze build.log \\\n      layers.json -o \\\n      report.html\n");
}

TEST(HelpWidth, IsThatOfColumnsWithinBounds) {
  const auto with = [](const char* columns) {
    ::setenv("COLUMNS", columns, 1);
    const std::size_t width = output_width();
    ::unsetenv("COLUMNS");
    return width;
  };
  EXPECT_EQ(with("72"), 72U);
  EXPECT_EQ(with("10"), 60U);
  EXPECT_EQ(with("500"), 200U);
  EXPECT_EQ(with("wide"), with("0")) << "no number says nothing";
}

TEST(HelpText, FirstStepsAreTwelveLinesAtMost) {
  std::istringstream lines(kFirstSteps);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(display_width(line), 60U);
  EXPECT_LE(count, 12);
}

}  // namespace
}  // namespace trtlens::output_width_test
