// Fills in what the command line leaves to the environment and to --config.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <utility>

#include "report/cli/command_line/declared.h"
#include "report/cli/help_text.h"
#include "report/cli/settings.h"

namespace trtlens {
namespace {

void add_value(CLI::Option& option, const Setting& setting) {
  const bool is_flag = option.get_expected_max() == 0;
  option.add_result(is_flag ? option.get_flag_value(setting.name, setting.value) : setting.value);
}

// As if the value stood alone on the command line, so that it is refused in the same words.
void check_value(CLI::Option& option, const Setting& setting,
                 std::vector<Diagnostic>& diagnostics) {
  try {
    option.clear();
    add_value(option, setting);
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    const char* id = setting.line == 0 ? "environment-bad-value" : "config-bad-value";
    diagnostics.push_back({id, DiagnosticSeverity::error, setting.source, setting.line,
                           setting.column, fmt::format("a value for '{}'", setting.name),
                           fmt::format("'{}'; {}", setting.value, error.what())});
  }
}

// `format` is one of reports; `rules` and `explain` have another, and of the rest only which rules
// there are.
bool takes_rules_alone(const CLI::App& command) {
  return command.get_name() == "rules" || command.get_name() == "explain";
}

// A setting of all commands that only another one takes, such as TRTLENS_FAIL_ON=major: how to say
// it to that one alone.
std::string place_for_others(const Declared& declared, const CLI::App& command,
                             const Setting& setting) {
  if (!setting.command.empty()) return {};
  for (const auto& [other, run] : declared.commands) {
    if (takes_rules_alone(*other)) continue;
    if (other->get_option_no_throw(kConfigOption) == nullptr) continue;
    CLI::Option* option = other->get_option_no_throw("--" + setting.name);
    if (other == &command || option == nullptr) continue;
    std::vector<Diagnostic> refused;
    check_value(*option, setting, refused);
    option->clear();
    if (!refused.empty()) continue;
    const std::string& name = other->get_name();
    return setting.line == 0
               ? fmt::format("; for {} alone it is {}", name, setting_variable(name, setting.name))
               : fmt::format("; for {0} alone it stands in [{0}]", name);
  }
  return {};
}

}  // namespace

std::vector<SettingName> setting_names_of(const Declared& declared) {
  std::vector<SettingName> table;
  for (const auto& [app_command, run] : declared.commands) {
    const CLI::App& command = *app_command;
    if (command.get_option_no_throw(kConfigOption) == nullptr) continue;
    for (const CLI::Option* option : command.get_options()) {
      const bool is_setting = !option->get_lnames().empty() && option != command.get_help_ptr() &&
                              !option->check_name(kConfigOption);
      const bool of_rules = option->check_name("--rules") || option->check_name("--rule-threshold");
      if (!is_setting || (takes_rules_alone(command) && !of_rules)) continue;
      table.push_back(
          {command.get_name(), option->get_lnames().front(), option->get_items_expected_max() > 1});
    }
  }
  return table;
}

bool apply_settings(Declared& declared, CLI::App& command, const std::string& config) {
  Settings settings = read_settings(command.get_name(), config, setting_names_of(declared));
  std::vector<Diagnostic>& diagnostics = settings.diagnostics;
  std::set<const CLI::Option*> given;  // on the command line, which wins
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() > 0) given.insert(option);
  }
  std::vector<std::pair<CLI::Option*, const Setting*>> wanted;
  for (const Setting& setting : settings.own) {
    CLI::Option* option = command.get_option("--" + setting.name);
    if (given.count(option) == 0) wanted.emplace_back(option, &setting);
  }
  // What --ignore may name depends on --rules.
  std::stable_partition(wanted.begin(), wanted.end(), [](const auto& option_and_setting) {
    return option_and_setting.second->name == "rules";
  });
  for (const auto& [option, setting] : wanted) {
    const std::size_t before = diagnostics.size();
    check_value(*option, *setting, diagnostics);
    if (diagnostics.size() == before) continue;
    diagnostics.back().found += place_for_others(declared, command, *setting);
  }
  for (const Setting& setting : settings.others) {
    CLI::App* other = declared.app.get_subcommand(setting.command);
    check_value(*other->get_option("--" + setting.name), setting, diagnostics);
  }
  // In the order of the file; the environment first.
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  print_diagnostics(diagnostics);
  if (!diagnostics.empty()) return false;
  for (const auto& [option, setting] : wanted) option->clear();
  for (const auto& [option, setting] : wanted) add_value(*option, *setting);
  for (const auto& [option, setting] : wanted) option->run_callback();
  return true;
}

std::vector<SettingName> setting_names() {
  CommandLine line;
  return setting_names_of(Declared(line));
}

}  // namespace trtlens
