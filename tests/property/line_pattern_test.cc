// LinePattern against RE2: whatever of its syntax a pattern uses, both say the same of any text.
#include "parsers/log/grammar/line_pattern.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/log/grammar/line_kind.h"

namespace trtlens::line_pattern_test {
namespace {

using Answer = LinePattern::Answer;

// "no", or the groups.
std::string by_re2(const std::string& regex, std::string_view text) {
  RE2::Options options;
  options.set_dot_nl(true);
  options.set_encoding(RE2::Options::EncodingLatin1);
  const RE2 pattern(regex, options);
  if (!pattern.ok()) return "bad pattern";
  std::array<re2::StringPiece, 1 + LinePattern::kMaxGroups> groups;
  const int count = pattern.NumberOfCapturingGroups();
  if (!pattern.Match({text.data(), text.size()}, 0, text.size(), RE2::ANCHOR_BOTH, groups.data(),
                     count + 1)) {
    return "no";
  }
  std::string found = "yes";
  for (int i = 1; i <= count; ++i) {
    found += " <" + std::string(groups[static_cast<std::size_t>(i)]) + ">";
  }
  return found;
}

std::string by_line_pattern(const LinePattern& pattern, std::string_view text) {
  std::array<std::string_view, LinePattern::kMaxGroups> fields;
  const Answer answer = pattern.match(text, fields.data());
  if (answer == Answer::unknown) return "unknown";
  if (answer == Answer::no) return "no";
  std::string found = "yes";
  for (std::size_t i = 0; i < pattern.groups(); ++i) found += " <" + std::string(fields[i]) + ">";
  return found;
}

std::string one_of(std::mt19937& dice, const std::vector<std::string>& parts) {
  return parts[dice() % parts.size()];
}

std::string random_pattern(std::mt19937& dice, int depth) {
  std::string regex;
  for (std::size_t i = 0, n = 1 + dice() % 4; i < n; ++i) {
    if (depth > 0 && dice() % 3 == 0) {
      std::string inside = random_pattern(dice, depth - 1);
      while (dice() % 3 == 0) inside += "|" + random_pattern(dice, depth - 1);
      regex +=
          one_of(dice, {"(", "(?:"}) + inside + ")" + one_of(dice, {"", "", "", "?", "*", "+"});
    } else {
      regex += one_of(dice, {"a", "b", " ", "ab", "a b", ".", "\\S", "\\d", "\\w", "[ab]", "[^ ]",
                             "1", "\\(", "0x[0-9a-f]", "-", "\\s", "[^]a]", "[a-c-]"});
      regex += one_of(dice, {"", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}"});
    }
  }
  return regex;
}

std::string random_text(std::mt19937& dice) {
  std::string text;
  for (std::size_t i = 0, n = dice() % 24; i < n; ++i) {
    text += one_of(dice, {"a", "b", " ", "ab", "1", "(", "0x", "c", "-", "\n", "]", "\xe9"});
  }
  return text;
}

TEST(LinePattern, SaysWhatRe2Says) {
  std::mt19937 dice(20261124);
  int known = 0, yes = 0, unknown = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string regex = random_pattern(dice, 2);
    const LinePattern pattern(regex);
    if (!pattern.is_known()) continue;
    ++known;
    for (int j = 0; j < 12; ++j) {
      const std::string text = random_text(dice);
      const std::string found = by_line_pattern(pattern, text);
      if (found == "unknown") {
        ++unknown;
        continue;
      }
      yes += found != "no" ? 1 : 0;
      ASSERT_EQ(found, by_re2(regex, text)) << regex << "  on  " << text;
    }
  }
  EXPECT_GT(known, 2000);
  EXPECT_GT(yes, 1000);
  EXPECT_LT(unknown, 200);
}

TEST(LinePattern, TacticIds) {
  for (const std::string regex : {"Tactic: (0x[0-9a-f]+|-?\\d+)", "T (-?\\d+|0x[0-9a-f]+), (.*)",
                                  "(0x[0-9a-f]+|-?\\d+) Time: (\\S+)",
                                  "(0x[0-9a-f]+|-?\\d+)(?: x)?", "(0x[0-9a-f]+|-?\\d+)[a-f]"}) {
    const LinePattern pattern(regex);
    for (const char* id : {"0x967f94e9db2001a8", "0x967f94e9db2001a80", "0x1", "0x", "-12", "-",
                           "12", "0", "0xg", "0x967f94e9db2001aX", "-0x1", ""}) {
      for (const std::string& text :
           {"Tactic: " + std::string(id), "T " + std::string(id) + ", x",
            std::string(id) + " Time: 1", std::string(id) + " x", std::string(id) + "a"}) {
        EXPECT_EQ(by_line_pattern(pattern, text), by_re2(regex, text)) << regex << "  on  " << text;
      }
    }
  }
}

// Runs of 15, 16, 17, … bytes: they are read 16 at a time.
TEST(LinePattern, LongRuns) {
  for (const std::string regex : {"x(\\S+) y", "x(\\w*)(.*)", "([^:]+):(.*)", "(\\d+)x", "(.*)y"}) {
    const LinePattern pattern(regex);
    for (std::size_t n = 0; n < 50; ++n) {
      for (const char* end : {" y", "", ":", "x", "y", "\t y", "\x7f y"}) {
        for (const char byte : {'7', 'a', '_', '\xff', '!'}) {
          const std::string text = "x" + std::string(n, byte) + end;
          EXPECT_EQ(by_line_pattern(pattern, text), by_re2(regex, text)) << regex << " on " << text;
        }
      }
    }
  }
}

// More ways than are worth trying: RE2 is asked, and time stays in proportion to the text.
TEST(LinePattern, GivesUpOnManyWays) {
  const LinePattern pattern("(.*) (.*) (.*) (.*) (.*)!");
  EXPECT_EQ(by_line_pattern(pattern, "a b c d e!"), "yes <a> <b> <c> <d> <e>");
  std::string text;
  for (int i = 0; i < 200; ++i) text += "a ";
  EXPECT_EQ(by_line_pattern(pattern, text), "unknown");
  EXPECT_EQ(by_line_pattern(pattern, text + "!"), by_re2("(.*) (.*) (.*) (.*) (.*)!", text + "!"));
}

TEST(LinePattern, WhatIsOutsideItsSyntax) {
  for (const char* regex :
       {"(?i:a)", "^a", "a$", "(a)+", "(?:a?)*", "(?:a|b?)+", "a**", "\\bx", "[[:digit:]]",
        "(?:a){2}", "(?:a)??", "a)", "(a", "[a", "a\\", "\\x41", "*a", "{2}"}) {
    EXPECT_FALSE(LinePattern(regex).is_known()) << regex;
  }
}

// Rows that only RE2 reads: none of a kind that builds print by the thousand.
TEST(LinePattern, RowsLeftToRe2) {
  std::vector<std::string> left;
  for (const LineKind* kind : LineKindTable::instance().kinds()) {
    if (!LinePattern(kind->regex).is_known()) left.emplace_back(kind->id);
  }
  EXPECT_EQ(left,
            (std::vector<std::string>{"tensorrt-version", "deepstream-error", "death-segmentation",
                                      "death-core", "death-killed", "death-aborted", "death-bus",
                                      "death-abort-job", "death-zsh", "traceback-frame"}));
}

}  // namespace
}  // namespace trtlens::line_pattern_test
