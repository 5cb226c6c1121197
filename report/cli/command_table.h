// A command as a table: what CLI11 is to be told of it, by files that do not include it.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "report/cli/output.h"
#include "report/cli/value_problem.h"

namespace trtlens {

struct OptionRow {
  const char* names;  // "-q,--quiet"; "PATH": a word
  std::variant<std::string*, std::vector<std::string>*, int*, double*, bool*> into;
  std::string help;
  const char* type = "";
  bool required = false;
  std::function<std::string(const std::string&)> problem =
      nullptr;  // of a value; "" when there is none
  bool shows_default = false;
};

struct CommandRow {
  const char* name;
  const char* help;
  const char* footer;  // paragraphs are one line each: wrapped_help() breaks them
  std::vector<OptionRow> options;
  OutputOptions* output = nullptr;  // with -o, --format and the like; null: without
  Formats formats = Formats::of_reports;
};

// `App`: CLI::App.
template <typename App>
App* add_command(App& app, const CommandRow& row) {
  App* command = app.add_subcommand(row.name, row.help);
  command->footer(row.footer);
  for (const OptionRow& option : row.options) {
    auto* added = std::visit(
        [&](auto* into) {
          if constexpr (std::is_same_v<decltype(into), bool*>) {
            return command->add_flag(option.names, *into, option.help);
          } else {
            return command->add_option(option.names, *into, option.help);
          }
        },
        option.into);
    if (*option.names == '-') added->allow_extra_args(false);  // one value each time it is given
    if (*option.type != '\0') added->type_name(option.type);
    // The name of the check is what completions offer; --help does not show it.
    if (option.problem) added->check(option.problem, "", known_values(option.problem));
    if (option.required) added->required();
    if (option.shows_default) added->capture_default_str();
  }
  return command;
}

}  // namespace trtlens
