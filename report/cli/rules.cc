#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analyzers/rule.h"
#include "report/cli/commands.h"
#include "report/cli/names.h"

namespace trtlens {
namespace {

void append_list(std::string& text, const char* title, const std::vector<std::string>& items,
                 bool numbered) {
  if (items.empty()) return;
  text += fmt::format("\n{}\n", title);
  std::size_t n = 0;
  for (const std::string& item : items) {
    text += numbered ? fmt::format("  {}. {}\n", ++n, item) : fmt::format("  {}\n", item);
  }
}

std::string page_of(const RuleInfo& rule) {
  std::string text =
      fmt::format("{}\n{}, {} when its cost is not known, {}\n", rule.id, rule.category,
                  to_string(rule.severity), to_string(rule.confidence));
  if (!rule.version_range.empty()) text += fmt::format("TensorRT {}\n", rule.version_range);
  if (!rule.what.empty()) text += fmt::format("\nWhat it detects\n  {}\n", rule.what);
  append_list(text, "Patterns", rule.patterns, false);
  if (!rule.why.empty()) text += fmt::format("\nWhy\n  {}\n", rule.why);
  append_list(text, "Remedies", rule.remedies, true);
  if (!rule.next_check.empty()) text += fmt::format("\nNext check\n  {}\n", rule.next_check);
  if (!rule.false_positive.empty()) {
    text += fmt::format("\nWhen it is wrong\n  {}\n", rule.false_positive);
  }
  std::vector<std::string> thresholds;
  for (const Threshold& t : rule.thresholds) {
    thresholds.push_back(fmt::format("{} = {} ({}): {}", t.key, t.value, t.unit, t.meaning));
  }
  append_list(text, "Thresholds", thresholds, false);
  append_list(text, "Sources", rule.sources, false);
  return text;
}

}  // namespace

int run_rules(const RulesArguments& arguments) {
  const std::vector<RuleInfo> rules = all_rule_infos();
  std::set<std::string> categories;
  std::size_t width = 0;
  for (const RuleInfo& rule : rules) {
    categories.insert(rule.category);
    width = std::max(width, rule.id.size());
  }
  if (!arguments.category.empty() && categories.count(arguments.category) == 0) {
    std::string known;
    for (const std::string& category : categories) known += (known.empty() ? "" : ", ") + category;
    complain(fmt::format("no category '{}'; there are {}", arguments.category, known));
    return kExitFailure;
  }
  std::string text;
  for (const RuleInfo& rule : rules) {
    if (!arguments.category.empty() && rule.category != arguments.category) continue;
    text += fmt::format("{:<{}}  {:<9} {:<20} {}\n", rule.id, width, to_string(rule.severity),
                        rule.category, rule.what);
  }
  return print(text) ? kExitDone : kExitFailure;
}

int run_explain(const std::string& id) {
  std::vector<std::string> names;
  for (const RuleInfo& rule : all_rule_infos()) {
    names.push_back(rule.id);
    if (rule.id != id) continue;
    return print(page_of(rule)) ? kExitDone : kExitFailure;
  }
  const std::string near = nearest_name(id, names);
  complain(fmt::format("no rule '{}'{}; `trtlens rules` lists them", id,
                       near.empty() ? "" : ", did you mean '" + near + "'?"));
  return kExitFailure;
}

}  // namespace trtlens
