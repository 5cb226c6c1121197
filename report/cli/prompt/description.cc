// What the value of an option is, told from the name of its type.
#include "report/cli/prompt/description.h"

#include <algorithm>

namespace trtlens {
namespace {

void add_commands(const CommandDescription& command, const std::vector<std::string>& path,
                  std::vector<CommandAt>& all) {
  all.push_back({path, &command});
  for (const CommandDescription& nested : command.commands) {
    std::vector<std::string> to = path;
    to.push_back(nested.name);
    add_commands(nested, to, all);
  }
}

}  // namespace

ValueKind value_kind(const OptionDescription& option) {
  if (option.value.empty()) return ValueKind::none;
  if (!option.known.empty()) return ValueKind::known;
  if (option.value.starts_with("RULE.")) return ValueKind::threshold;
  if (option.value.starts_with("RULE")) return ValueKind::rule;
  return option.value == "FILE" || option.value == "DIR" ? ValueKind::path : ValueKind::text;
}

ValueKind word_kind(const OptionDescription& word) {
  if (!word.known.empty()) return ValueKind::known;
  if (word.names.front() == "RULE") return ValueKind::rule;
  return word.names.front() == "ID" ? ValueKind::text : ValueKind::path;
}

std::vector<CommandAt> all_commands(const CommandDescription& program) {
  std::vector<CommandAt> all;
  add_commands(program, {}, all);
  return all;
}

std::string short_help(const OptionDescription& option) {
  std::string text = option.help;
  // "format on standard output: html, json": the shell lists them.
  const std::size_t list = option.known.empty() ? std::string::npos : text.rfind(": ");
  text = text.substr(0, std::min({list, text.find("; "), text.find(" (")}));
  return text.substr(0, text.find_last_not_of(" :") + 1);
}

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

CommandDescription with_options_of_analyze(const CommandDescription& program) {
  CommandDescription whole = program;
  const auto analyze = std::ranges::find(program.commands, "analyze", &CommandDescription::name);
  if (analyze == program.commands.end()) return whole;
  for (const OptionDescription& option : analyze->options) {
    const bool is_there = std::ranges::any_of(
        program.options, [&](const OptionDescription& own) { return own.names == option.names; });
    if (!is_there) whole.options.push_back(option);
  }
  return whole;
}

}  // namespace trtlens
