// Parses the words of the command line.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "report/cli/command_line/declared.h"
#include "report/cli/help_text.h"
#include "report/cli/output_width.h"
#include "report/cli/usage_problem.h"

namespace trtlens {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// "--contract FILE", the first option that has to be there and is not; empty: none is missing.
std::string missing_option(const CLI::App& command) {
  for (const CLI::Option* one : command.get_options()) {
    if (!one->get_required() || one->count() > 0 || one->get_lnames().empty()) continue;
    return "--" + one->get_lnames().front() + " " + one->get_type_name();
  }
  return {};
}

// CLI11 names the word that is missing, or the one too many. What to give says more.
std::string problem_of(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<CLI::App*> asked = app.get_subcommands();
  if (asked.empty()) return error.what();
  std::string name = asked.front()->get_name();
  while (!asked.front()->get_subcommands().empty()) {
    asked = asked.front()->get_subcommands();
    name += " " + asked.front()->get_name();
  }
  const CLI::App& command = *asked.front();
  const std::vector<std::string> extra = command.remaining();
  const bool too_few = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  const bool has_extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    const std::string said = error.what();
    const std::size_t end = said.find(": At Most 1 required");
    if (end != std::string::npos) return said.substr(0, end) + " is given more than once";
  }
  if (!too_few && !has_extra) return error.what();
  if (const std::string missing = missing_option(command); extra.empty() && !missing.empty()) {
    return name + " needs " + missing;
  }
  std::vector<std::string> names{"version"};
  for (const CLI::Option* one : command.get_options()) {
    names.insert(names.end(), one->get_lnames().begin(), one->get_lnames().end());
  }
  return extra_problem(name, extra, names);
}

// False: `status` says how it ended.
bool parse_words(CLI::App& app, std::vector<std::string> words, int& status) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      status = print(wrapped_help(text.str(), output_width())) ? kExitDone : kExitFailure;
      return false;
    }
    complain(problem_of(app, error));
    complain("`trtlens --help` and `trtlens COMMAND --help` show what there is");
    status = kExitFailure;
    return false;
  }
}

// "md" is markdown: the formats as the writers call them.
void name_formats(CommandLine& line) {
  for (std::string* format : {&line.lint_log.format, &line.rules.format, &line.explain.format}) {
    *format = format_of_name(*format);
  }
  for (OutputOptions* output : {&line.analyze.output, &line.watch.output, &line.compare.output,
                                &line.check.output, &line.history.output}) {
    output->format = format_of_name(output->format);
  }
}

}  // namespace

std::optional<CommandLine> read_command_line(int argc, char** argv, int& status) {
  CommandLine line;
  Declared declared(line);
  CLI::App& app = declared.app;
  status = kExitFailure;
  std::vector<std::string> words = words_of(argc, argv);
  if (!words.empty() && words.front() == "-") words.insert(words.begin(), "analyze");
  if (const std::string problem = command_problem(words, command_names(app)); !problem.empty()) {
    complain(problem);
    return {};
  }
  if (!parse_words(app, std::move(words), status)) return {};
  const DeclaredCommand* asked = nullptr;
  for (const DeclaredCommand& command : declared.commands) {
    if (command.app->parsed()) asked = &command;
  }
  if (asked == nullptr && !is_terminal(STDIN_FILENO)) {
    asked = &declared.commands.front();
    line.analyze.paths = {"-"};
  }
  if (asked == nullptr) return line;
  line.command = asked->app->get_name();
  line.run = asked->run;
  if (line.command == "history") {
    line.history.command = asked->app->get_subcommands().front()->get_name();
  }
  const bool has_settings = asked->app->get_option_no_throw(kConfigOption) != nullptr;
  if (has_settings && !apply_settings(declared, *asked->app, line.config)) return {};
  if (line.command == "compare" && !takes_sides(line.compare)) return {};
  name_formats(line);
  return line;
}

}  // namespace trtlens
