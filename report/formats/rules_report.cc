// Text and Markdown of the rule base and of a single rule.
#include "report/formats/rules_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

// Texts of files that the user gave may hold anything.
std::string safe(const std::string& text) {
  return visible(text);
}

void append_list(std::string& text, const char* title, const std::vector<std::string>& items,
                 bool numbered) {
  if (items.empty()) return;
  text += fmt::format("\n{}\n", title);
  std::size_t n = 0;
  for (const std::string& item : items) {
    text +=
        numbered ? fmt::format("  {}. {}\n", ++n, safe(item)) : fmt::format("  {}\n", safe(item));
  }
}

void append_text(std::string& text, const char* title, const std::string& item) {
  if (!item.empty()) append_list(text, title, {item}, false);
}

// "share = 0.05 (share): …"
std::string threshold_text(const Threshold& threshold) {
  return fmt::format("{} = {} ({}): {}", threshold.key, threshold.value, threshold.unit,
                     threshold.meaning);
}

std::vector<std::string> thresholds_of(const RuleInfo& rule) {
  std::vector<std::string> lines;
  for (const Threshold& threshold : rule.thresholds) lines.push_back(threshold_text(threshold));
  return lines;
}

// A build that failed has no cost; else the severity is that of a finding without one.
std::string heading_of(const RuleInfo& rule) {
  const char* by = rule.severity == Severity::fatal ? "" : " or by its cost";
  std::string text = fmt::format("{}, {}{}, {}", safe(rule.category), to_string(rule.severity), by,
                                 to_string(rule.confidence));
  if (!rule.version_range.empty()) text += ", TensorRT " + safe(rule.version_range);
  return text;
}

// Of a template: <name>.
bool has_blank(const RuleInfo& rule) {
  const auto has = [](const std::string& text) {
    const auto is_one = [](char a, char b) { return a == '<' && b >= 'a' && b <= 'z'; };
    return std::ranges::adjacent_find(text, is_one) != text.end();
  };
  return has(rule.why) || std::ranges::any_of(rule.check_texts(), has) ||
         std::ranges::any_of(rule.remedy_texts(), has);
}

void append_markdown_list(std::string& text, const char* title,
                          const std::vector<std::string>& items, bool numbered, bool code) {
  if (items.empty()) return;
  text += fmt::format("\n**{}**\n\n", title);
  std::size_t n = 0;
  for (const std::string& item : items) {
    const std::string shown = code ? markdown_code(item, false) : escape_markdown(item);
    text += numbered ? fmt::format("{}. {}\n", ++n, shown) : fmt::format("- {}\n", shown);
  }
}

}  // namespace

std::string rules_text(const std::vector<RuleInfo>& rules) {
  std::size_t width = 0;
  for (const RuleInfo& rule : rules) width = std::max(width, rule.id.size());
  std::string text;
  for (const RuleInfo& rule : rules) {
    text += fmt::format("{:<{}}  {:<9} {:<20} {}\n", rule.id, width, to_string(rule.severity),
                        safe(rule.category), safe(rule.what));
  }
  return without_runner_commands(text);
}

std::string rule_text(const RuleInfo& rule) {
  std::string text = fmt::format("{}\n{}\n", rule.id, heading_of(rule));
  append_text(text, "What it detects", rule.what);
  if (const Cause* cause = cause_by_id(rule.cause)) {
    append_text(text, "Cause", fmt::format("{}: {}", cause->id, cause->title));
  }
  append_text(text, "Why", rule.why);
  append_list(text, "Remedies", rule.remedy_texts(), true);
  append_list(text, "Next check", rule.check_texts(), false);
  append_text(text, "When it is wrong", rule.false_positive);
  if (has_blank(rule)) text += "\n  <name> stands for what the log or the command says.\n";
  append_list(text, "Patterns", rule.patterns, false);
  append_list(text, "Only when", rule.conditions, false);
  append_list(text, "Thresholds", thresholds_of(rule), false);
  append_list(text, "Samples", rule.samples, false);
  append_list(text, "Seen", rule.seen, false);
  append_list(text, "Sources", rule.sources, false);
  return without_runner_commands(text);
}

std::string cause_text(const Cause& cause, const std::vector<RuleInfo>& rules) {
  std::string text = fmt::format("{}\n{}\n", cause.id, cause.title);
  append_text(text, "Why", cause.why);
  std::vector<std::string> remedies, symptoms;
  for (const RuleRemedy& remedy : cause.remedies) remedies.push_back(remedy.text);
  append_list(text, "Remedies", remedies, true);
  append_list(text, "Next check", cause.check_texts(), false);
  for (const RuleInfo& rule : rules) {
    if (rule.cause == cause.id) symptoms.push_back(rule.id);
  }
  append_list(text, "Its symptoms, each a rule", symptoms, false);
  append_list(text, "Leads to", cause.leads_to, false);
  return without_runner_commands(text);
}

std::string rule_markdown(const RuleInfo& rule) {
  std::string text = fmt::format("### {}\n\n{}. {}\n", markdown_code(rule.id, false),
                                 escape_markdown(heading_of(rule)), escape_markdown(rule.what));
  if (!rule.why.empty()) text += "\n" + escape_markdown(rule.why) + "\n";
  append_markdown_list(text, "Remedies", rule.remedy_texts(), true, false);
  for (const std::string& check : rule.check_texts()) {
    text += fmt::format("\n**Next check:** {}\n", escape_markdown(check));
  }
  if (!rule.false_positive.empty()) {
    text += fmt::format("\n**When it is wrong:** {}\n", escape_markdown(rule.false_positive));
  }
  append_markdown_list(text, "Patterns", rule.patterns, false, true);
  append_markdown_list(text, "Only when", rule.conditions, false, false);
  append_markdown_list(text, "Thresholds", thresholds_of(rule), false, false);
  append_markdown_list(text, "Samples", rule.samples, false, true);
  append_markdown_list(text, "Seen", rule.seen, false, false);
  append_markdown_list(text, "Sources", rule.sources, false, false);
  return text;
}

std::string rules_markdown(const std::vector<RuleInfo>& rules) {
  std::map<std::string, std::vector<const RuleInfo*>> categories;
  for (const RuleInfo& rule : rules) categories[rule.category].push_back(&rule);
  std::string text =
      "# Rules\n\nWritten by `trtlens rules --format markdown`; do not edit. `{name}` stands for "
      "what a log fills in,\n`[[…]]` is left out when that is not known. Severity is that of a "
      "finding whose cost is not known.\n";
  for (const auto& [category, members] : categories) {
    text += fmt::format("\n## {}\n\n| rule | severity | detects |\n|---|---|---|\n",
                        escape_markdown(category));
    for (const RuleInfo* rule : members) {
      text += fmt::format("| {} | {} | {} |\n", markdown_code(rule->id, true),
                          to_string(rule->severity), escape_markdown_inline(rule->what));
    }
    for (const RuleInfo* rule : members) text += "\n" + rule_markdown(*rule);
  }
  return text;
}

}  // namespace trtlens
