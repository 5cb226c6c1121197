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

}  // namespace trtlens
