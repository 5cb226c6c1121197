// The text of a --config file: what is understood, and what is said of the rest.
#include "report/cli/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "report/cli/command_line.h"

namespace trtlens::config_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<SettingName> kTable = {
    {"analyze", "top", false},     {"analyze", "run", false}, {"analyze", "ignore", true},
    {"compare", "fail-on", false}, {"compare", "top", false},
};

Config parse(std::string_view text) {
  return parse_config(text, "x.ini", kTable);
}

// "section/name=value@line:column" of each setting.
std::vector<std::string> settings(std::string_view text) {
  std::vector<std::string> all;
  for (const Setting& s : parse(text).settings) {
    all.push_back(s.command + "/" + s.name + "=" + s.value + "@" + std::to_string(s.line) + ":" +
                  std::to_string(s.column));
  }
  return all;
}

// "line:column: expected …, found … [id]" of each diagnostic.
std::vector<std::string> complaints(std::string_view text) {
  std::vector<std::string> all;
  for (const Diagnostic& d : parse(text).diagnostics) {
    EXPECT_EQ(d.severity, DiagnosticSeverity::error);
    EXPECT_EQ(d.file, "x.ini");
    all.push_back(std::to_string(d.line) + ":" + std::to_string(d.column) + ": expected " +
                  d.expected + ", found " + d.found + " [" + d.id + "]");
  }
  return all;
}

TEST(Config, KeysBeforeAnySectionAndInSections) {
  EXPECT_THAT(settings("# all\n top =\t5 \n\n[compare]\nfail-on=none\n; end\n[ analyze ]\ntop = 7"),
              ElementsAre("/top=5@2:8", "compare/fail-on=none@5:9", "analyze/top=7@8:7"));
}

TEST(Config, SignsOfCommentsAndEqualsBelongToValues) {
  EXPECT_THAT(settings("ignore = a:x#1 ; b=c\n"), ElementsAre("/ignore=a:x#1 ; b=c@1:10"));
}

TEST(Config, ListsGrow) {
  EXPECT_THAT(settings("ignore = a\nignore = b\nignore = a\n"),
              ElementsAre("/ignore=a@1:10", "/ignore=b@2:10", "/ignore=a@3:10"));
}

TEST(Config, ByteOrderMarkAndLineEndsOfWindows) {
  const std::string_view text = "\xef\xbb\xbf[analyze]\r\nrun = 2\r\n\r\ntop=1\r";
  EXPECT_THAT(settings(text), ElementsAre("analyze/run=2@2:7", "analyze/top=1@4:5"));
  EXPECT_THAT(complaints(text), IsEmpty());
}

TEST(Config, UnknownKeysNameTheNearestOfTheirSection) {
  EXPECT_THAT(complaints("tpo = 1\n[compare]\n  run = 1\nfail_on = x\n"),
              ElementsAre("1:1: expected a setting, found 'tpo'; did you mean 'top'? "
                          "[config-unknown-key]",
                          "3:3: expected a setting of compare, found 'run' [config-unknown-key]",
                          "4:1: expected a setting of compare, found 'fail_on'; did you mean "
                          "'fail-on'? [config-unknown-key]"));
}

TEST(Config, AnUnknownSectionIsOneError) {
  const std::string text = "[compar]\ntop = 1\nwhatever\n [analyze\n[]\n[compare]\ntop = 2\n";
  EXPECT_THAT(complaints(text),
              ElementsAre("1:1: expected [analyze] or [compare], found '[compar]' "
                          "[config-unknown-section]",
                          "4:2: expected [analyze] or [compare], found '[analyze' "
                          "[config-unknown-section]",
                          "5:1: expected [analyze] or [compare], found '[]' "
                          "[config-unknown-section]"));
  EXPECT_THAT(settings(text), ElementsAre("compare/top=2@7:7"));
}

TEST(Config, LinesThatAreNoSetting) {
  EXPECT_THAT(complaints("top\n  = 5\ntop =  \n=\n"),
              ElementsAre("1:1: expected KEY = VALUE, found 'top' [config-syntax]",
                          "2:3: expected KEY = VALUE, found '= 5' [config-syntax]",
                          "3:5: expected a value behind 'top =', found none [config-syntax]",
                          "4:1: expected KEY = VALUE, found '=' [config-syntax]"));
}

TEST(Config, ASettingTwiceIsARiddle) {
  const std::string text = "top = 1\n[analyze]\ntop = 2\n[compare]\n[analyze]\ntop = 3\n";
  EXPECT_THAT(settings(text), ElementsAre("/top=1@1:7", "analyze/top=2@3:7"));
  EXPECT_THAT(complaints(text), ElementsAre("6:1: expected each setting once, found 'top' again, "
                                            "first in line 3 [config-duplicate-key]"));
}

TEST(Config, HostileBytes) {
  using std::string_view_literals::operator""sv;
  EXPECT_THAT(complaints("top = 1\0\nrun = \xff\n# \0 in a comment\nto\x1bp = 1\n"sv),
              ElementsAre("1:8: expected UTF-8 text without control characters, found \\x00 "
                          "[config-bad-character]",
                          "2:7: expected UTF-8 text without control characters, found \\xff "
                          "[config-bad-character]",
                          "4:3: expected UTF-8 text without control characters, found \\x1b "
                          "[config-bad-character]"));
  EXPECT_THAT(complaints("ignore = a\xe2\x80\xae b\n"),  // right-to-left override
              ElementsAre("1:11: expected UTF-8 text without control characters, found \\u202e "
                          "[config-bad-character]"));
}

TEST(Config, LongLinesAndManyErrors) {
  const std::string longest = "ignore = " + std::string(kMaxConfigLineBytes - 9, 'a');
  EXPECT_EQ(parse(longest).settings.size(), 1U);
  EXPECT_THAT(complaints(longest + "a\n"),
              ElementsAre("1:1: expected at most 4096 bytes in a line, found 4097 "
                          "[config-long-line]"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "x\n";
  EXPECT_EQ(parse(many).diagnostics.size(), 100U);
}

TEST(Config, AThousandSettingsAndNoMore) {
  std::string text;
  for (std::size_t i = 0; i < kMaxConfigSettings; ++i) text += "ignore = a\n";
  EXPECT_THAT(complaints(text), IsEmpty());
  EXPECT_THAT(complaints(text + " ignore = b\nx\n"),
              ElementsAre("1001:2: expected at most 1000 settings, found more [config-too-many]"));
  EXPECT_EQ(parse(text + text).settings.size(), kMaxConfigSettings);
}

TEST(Config, LongNamesAreCutInComplaints) {
  const std::vector<std::string> said = complaints(std::string(200, 'k') + " = 1\n");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0], "1:1: expected a setting, found '" + std::string(29, 'k') + "…" +
                         std::string(30, 'k') + "' [config-unknown-key]");
}

// The table is made of the command line's own options.
TEST(Config, SettingsAreTheOptionsOfTheCommands) {
  std::vector<std::string> analyze;
  std::vector<std::string> lists;
  for (const SettingName& row : setting_names()) {
    if (row.command == "analyze") analyze.push_back(row.name);
    if (row.command == "analyze" && row.is_list) lists.push_back(row.name);
    EXPECT_THAT(row.command, testing::AnyOf("analyze", "watch", "compare", "check", "lint-log",
                                            "rules", "explain"));
    if (row.command == "rules" || row.command == "explain") {  // which have a --format of their own
      EXPECT_THAT(row.name, testing::AnyOf("rules", "rule-threshold"));
    }
    EXPECT_THAT(row.name, testing::AllOf(testing::Ne("config"), testing::Ne("help")));
  }
  EXPECT_THAT(analyze, testing::IsSupersetOf({"output", "format", "color", "quiet", "timing", "top",
                                              "run", "tee", "keep-tactics", "fail-on", "ignore"}));
  EXPECT_THAT(lists, ElementsAre("output", "section", "rules", "rule-threshold", "ignore"));
}

}  // namespace
}  // namespace trtlens::config_test
