// Reads off CLI11 what was declared.
#include <CLI/CLI.hpp>

#include "analyzers/text.h"
#include "report/cli/command_line/declared.h"

namespace trtlens {
namespace {

// The names that add_command() calls a check by.
std::vector<std::string> known_of(CLI::Option& option) {
  std::vector<std::string> known;
  try {
    for (int i = 0;; ++i) {
      const std::string& names = option.get_validator(i)->get_name();
      for (const std::string_view name : split(names, ",")) known.emplace_back(name);
    }
  } catch (const CLI::OptionNotFound&) {  // its way to say that there are no more
  }
  return known;
}

OptionDescription described(CLI::Option& option) {
  OptionDescription description;
  for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  if (option.get_positional()) description.names = {option.get_name(true)};
  if (option.get_items_expected_max() > 0) description.value = option.get_type_name();
  description.help = option.get_description();
  description.initial = option.get_default_str();
  description.known = known_of(option);
  description.is_required = option.get_required();
  description.repeats = option.get_items_expected_max() > 1;
  description.is_list = option.get_delimiter() == ',';
  return description;
}

CommandDescription described(CLI::App& app) {
  CommandDescription description;
  description.name = app.get_name();
  description.help = app.get_description();
  description.footer = app.get_footer();
  for (CLI::Option* option : app.get_options()) {
    auto& to = option->get_positional() ? description.words : description.options;
    to.push_back(described(*option));
  }
  for (CLI::App* command : commands_of(app)) {
    description.commands.push_back(described(*command));
  }
  return description;
}

}  // namespace

CommandDescription describe_commands() {
  CommandLine line;
  Declared declared(line);
  return described(declared.app);
}

}  // namespace trtlens
