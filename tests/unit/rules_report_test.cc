// What `explain` and `rules` print of a rule that has checks of its own for some programs.
#include "report/formats/rules_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "analyzers/rules/rule.h"

namespace trtlens::rules_report_test {
namespace {

using ::testing::HasSubstr;

RuleInfo rule() {
  RuleInfo info;
  info.id = "a-rule";
  RuleRemedy special;
  special.text = "`dumpbin a` names <it>.";
  special.programs = {"Windows"};
  info.special_checks = {special};
  info.next_check = "`ldd a` names it.";
  return info;
}

TEST(RulesReport, ListsTheSpecialChecksBeforeTheLast) {
  EXPECT_THAT(rule_text(rule()),
              HasSubstr("\nNext check\n  `dumpbin a` names <it>.\n  `ldd a` names it.\n"));
  // A blank of a special check is explained as one of any other text.
  EXPECT_THAT(rule_text(rule()), HasSubstr("<name> stands for what the log or the command says."));
  const std::string markdown = rule_markdown(rule());
  const std::size_t special = markdown.find("**Next check:** \\`dumpbin a\\`");
  const std::size_t last = markdown.find("**Next check:** \\`ldd a\\`");
  ASSERT_NE(last, std::string::npos) << markdown;
  EXPECT_LT(special, last) << markdown;
  const auto json = nlohmann::json::parse(rules_json({rule()}, "1"))["rules"][0];
  EXPECT_EQ(json["checks"], nlohmann::json({"`dumpbin a` names <it>.", "`ldd a` names it."}));
  EXPECT_EQ(json["next_check"], "`ldd a` names it.");
}

TEST(RulesReport, ACauseListsThemToo) {
  Cause cause;
  cause.id = "a-cause";
  cause.special_checks = rule().special_checks;
  cause.next_check = rule().next_check;
  EXPECT_THAT(cause_text(cause, {}),
              HasSubstr("\nNext check\n  `dumpbin a` names <it>.\n  `ldd a` names it.\n"));
}

}  // namespace
}  // namespace trtlens::rules_report_test
