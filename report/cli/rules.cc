// The commands that print what is built in: `rules`, `explain` and `schema`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analyzers/nearest_name.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "report/cli/commands.h"
#include "report/cli/output.h"
#include "report/cli/output_width.h"
#include "report/formats/json/writer.h"
#include "report/formats/rules_report.h"

namespace trtlens {
namespace {

int check_rules(const RuleOptions& options) {
  const std::shared_ptr<const RuleBase> base = read_rules(options, true);
  if (!base) return kExitFailure;
  std::size_t samples = 0;
  const std::vector<RuleInfo> rules = all_rule_infos(*base);
  for (const RuleInfo& rule : rules) samples += rule.samples.size();
  return print(fmt::format("{} rules are good; {} samples fire\n", rules.size(), samples))
             ? kExitDone
             : kExitFailure;
}

// A pipe gets lines as they are.
std::string for_reader(const std::string& text) {
  return is_terminal(STDOUT_FILENO) ? wrapped_help(text, output_width()) : text;
}

std::string rules_as(const std::string& format, const std::vector<RuleInfo>& rules) {
  if (format == "json") return rules_json(rules, TRTLENS_VERSION);
  if (format == "markdown") return rules_markdown(rules);
  return for_reader(rules_text(rules));
}

std::string rule_as(const std::string& format, const RuleInfo& rule) {
  if (format == "json") return rules_json({rule}, TRTLENS_VERSION);
  if (format == "markdown") return rule_markdown(rule);
  return rule_text(rule);
}

}  // namespace

int run_rules(const RulesArguments& arguments) {
  if (arguments.check) return check_rules(arguments.rules);
  const bool with_samples = arguments.format == "json" || arguments.format == "markdown";
  const std::shared_ptr<const RuleBase> base = read_rules(arguments.rules, with_samples);
  if (!base) return kExitFailure;
  std::vector<RuleInfo> rules = all_rule_infos(*base);
  if (!arguments.category.empty()) {
    std::set<std::string> categories;
    for (const RuleInfo& rule : rules) categories.insert(rule.category);
    if (categories.count(arguments.category) == 0) {
      complain(fmt::format(
          "no category '{}'; there are {}{}", arguments.category, join(categories, ", "),
          did_you_mean(arguments.category, {categories.begin(), categories.end()})));
      return kExitFailure;
    }
    rules.erase(
        std::remove_if(rules.begin(), rules.end(),
                       [&](const RuleInfo& rule) { return rule.category != arguments.category; }),
        rules.end());
  }
  return print(rules_as(arguments.format, rules)) ? kExitDone : kExitFailure;
}

std::optional<std::string> explained(const ExplainArguments& arguments) {
  const std::shared_ptr<const RuleBase> base = read_rules(arguments.rules, true);
  if (!base) return std::nullopt;
  std::vector<std::string> names;
  const std::vector<RuleInfo> rules = all_rule_infos(*base);
  for (const RuleInfo& rule : rules) {
    names.push_back(rule.id);
    if (rule.id != arguments.rule) continue;
    return rule_as(arguments.format, rule);
  }
  if (arguments.rule.empty()) {
    complain("explain wants the id of a rule; `trtlens rules` lists them");
    return std::nullopt;
  }
  for (const Cause& cause : causes()) {
    names.push_back(cause.id);
    if (cause.id != arguments.rule) continue;
    const bool is_text = arguments.format != "json" && arguments.format != "markdown";
    if (is_text) return cause_text(cause, rules);
    complain(fmt::format("'{}' is a cause, which is printed as text only", cause.id));
    return std::nullopt;
  }
  complain(fmt::format("no rule '{}' (`trtlens rules` lists them){}", arguments.rule,
                       did_you_mean(arguments.rule, names)));
  return std::nullopt;
}

int run_explain(const ExplainArguments& arguments) {
  const std::optional<std::string> text = explained(arguments);
  if (!text) return kExitFailure;
  const bool is_text = arguments.format != "json" && arguments.format != "markdown";
  return print(is_text ? for_reader(*text) : *text) ? kExitDone : kExitFailure;
}

int run_schema(const std::string& of) {
  return print(json_schema(of)) ? kExitDone : kExitFailure;
}

}  // namespace trtlens
