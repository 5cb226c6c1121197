// The rule base tests itself: what analyzers/knowledge holds is complete and does what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analyzers/message_rules.h"

namespace trtlens {
namespace {

bool has_rule(const std::vector<Finding>& findings, const std::string& id) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule == id; });
}

std::vector<const MessageRule*> real_rules() {
  std::vector<const MessageRule*> rules;
  for (const MessageRule& rule : embedded_message_rules()) {
    if (!rule.is_consequence) rules.push_back(&rule);
  }
  return rules;
}

TEST(MessageRuleBase, LoadsWithoutFault) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<MessageRule> rules = load_message_rules(embedded_knowledge(), {}, diagnostics);
  for (const Diagnostic& d : diagnostics) {
    ADD_FAILURE() << d.file << ':' << d.line << ':' << d.column << ": expected " << d.expected
                  << ", found " << d.found;
  }
  EXPECT_GE(rules.size(), 80U);
}

TEST(MessageRuleBase, EveryRuleIsTriedBothWays) {
  for (const MessageRule* rule : real_rules()) {
    if (rule->computed != ComputedRule::none) continue;
    EXPECT_FALSE(rule->samples.empty()) << rule->info.id;
    EXPECT_FALSE(rule->near_misses.empty()) << rule->info.id;
  }
}

TEST(MessageRuleBase, EveryRuleTellsWhatToDo) {
  for (const MessageRule* rule : real_rules()) {
    EXPECT_FALSE(rule->info.remedies.empty()) << rule->info.id;
    EXPECT_FALSE(rule->info.next_check.empty()) << rule->info.id;
    EXPECT_FALSE(rule->info.sources.empty()) << rule->info.id;
    EXPECT_FALSE(rule->info.what.empty()) << rule->info.id;
  }
}

TEST(MessageRuleBase, EverySampleWinsOrNamesTheWinner) {
  for (const MessageRule* rule : real_rules()) {
    for (const RuleSample& sample : rule->samples) {
      const Build build = build_of_sample(*rule, sample);
      const std::vector<Finding> findings =
          match_message_rules(build, {}, embedded_message_rules());
      EXPECT_TRUE(has_rule(findings, rule->info.id)) << rule->info.id << ": " << sample.text;
      if (findings.empty() || rule->info.severity != Severity::fatal) continue;
      EXPECT_EQ(findings.front().rule, sample.wins.empty() ? rule->info.id : sample.wins)
          << sample.text;
    }
  }
}

TEST(MessageRuleBase, NearMissesDoNotFire) {
  for (const MessageRule* rule : real_rules()) {
    for (const RuleSample& sample : rule->near_misses) {
      const Build build = build_of_sample(*rule, sample);
      const std::vector<Finding> findings =
          match_message_rules(build, {}, embedded_message_rules());
      EXPECT_FALSE(has_rule(findings, rule->info.id)) << rule->info.id << ": " << sample.text;
    }
  }
}

TEST(MessageRuleBase, TextsAreFilledIn) {
  for (const MessageRule* rule : real_rules()) {
    for (const RuleSample& sample : rule->samples) {
      for (const Finding& finding :
           match_message_rules(build_of_sample(*rule, sample), {}, embedded_message_rules())) {
        std::string all = finding.title + '\n' + finding.why + '\n' + finding.next_check;
        for (const std::string& remedy : finding.remedies) all += '\n' + remedy;
        EXPECT_EQ(all.find("(not known)"), std::string::npos) << finding.rule << ": " << all;
        EXPECT_EQ(all.find("[["), std::string::npos) << finding.rule << ": " << all;
        EXPECT_FALSE(finding.remedies.empty()) << finding.rule;
      }
    }
  }
}

TEST(MessageRuleBase, HasTheRulesOfTheFiveCases) {
  std::set<std::string> ids;
  for (const RuleInfo& info : message_rule_infos()) ids.insert(info.id);
  for (const char* id :
       {"shuffle-scale-assert-8.5.1", "qdq-no-implementation",
        "grouped-conv-int8-group-not-multiple-of-4", "qdq-sm75-or-older-no-int8-impl",
        "deallocate-async-unsupported", "int64-weights-cast-down", "calib-cuda-invalid-argument",
        "instancenorm-plugin-int8", "profile-without-separate-run", "plugin-no-format",
        "plugin-qdq-placement", "plugin-format-limit", "quantize-output-type-float"}) {
    EXPECT_EQ(ids.count(id), 1U) << id;
  }
}

TEST(MessageRuleBase, InfosAreSortedAndLeaveConsequencesOut) {
  const std::vector<RuleInfo> infos = message_rule_infos();
  EXPECT_TRUE(std::is_sorted(infos.begin(), infos.end(),
                             [](const RuleInfo& a, const RuleInfo& b) { return a.id < b.id; }));
  EXPECT_EQ(infos.size(), real_rules().size());
  EXPECT_LT(infos.size(), embedded_message_rules().size());
}

}  // namespace
}  // namespace trtlens
