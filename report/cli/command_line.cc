// CLI11 is slow to compile: this is the only file that includes it.
#include "report/cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "report/cli/help_text.h"
#include "report/cli/output_width.h"
#include "report/cli/redaction.h"
#include "report/cli/settings.h"
#include "report/cli/usage_problem.h"
#include "report/cli/value_problem.h"
#include "report/document/comparison/comparison.h"
#include "report/document/contract/contract.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

void add_config(CLI::App& command, std::string& path) {
  command.add_option(kConfigOption, path, kConfigHelp)->type_name("FILE");
}

void add_output(CLI::App& command, OutputOptions& output, Formats formats) {
  command
      .add_option(
          "-o,--output", output.files,
          "write the report to FILE; its extension picks the format, or FORMAT:FILE does: " +
              format_extensions(formats) +
              (formats == Formats::of_reports ? "" : ", gl-code-quality-report.json"))
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(place_problem);
  command
      .add_option("--format", output.format,
                  "format on standard output: " + join(format_names(formats), ", ") +
                      " (default: text on a terminal, else markdown)")
      ->type_name("FORMAT")
      ->check(format_problem);
  command
      .add_option("--color", output.color,
                  "auto, always or never; NO_COLOR and TERM=dumb are honoured")
      ->check(one_of({"auto", "always", "never"}));
  command.add_flag("-q,--quiet", output.quiet, "no progress, no notes");
  command.add_flag("--timing", output.timing, kTimingHelp);
}

// Which rules there are. They come before --ignore, which names them.
void add_rule_options(CLI::App& command, RuleOptions& rules) {
  command.add_option("--rules", rules.paths, kRulesFilesHelp)
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("--rule-threshold", rules.thresholds,
                  "another value for a threshold; `trtlens explain RULE` shows its keys")
      ->type_name("RULE.KEY=VALUE")
      ->allow_extra_args(false)
      ->check(rule_threshold_problem);
}

void add_rule_format(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "text (default), markdown or json")
      ->type_name("FORMAT")
      ->check(one_of(kPlainFormats));
}

CLI::App* add_rules(CLI::App& app, RulesArguments& arguments) {
  CLI::App* command = app.add_subcommand("rules", "the rules: what each detects");
  command->footer(kRulesExamples);
  command->add_option("--category", arguments.category, "only rules of this category");
  add_rule_format(*command, arguments.format);
  add_rule_options(*command, arguments.rules);
  command->add_flag("--check", arguments.check,
                    "try all rules on their samples and near misses, instead of listing them");
  return command;
}

CLI::App* add_explain(CLI::App& app, ExplainArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "explain", "one rule or cause: what, why, remedies, thresholds in force, samples, sources");
  command->footer(kExplainExamples);
  command->add_option("RULE", arguments.rule, "id of the rule, or of a cause")->required();
  add_rule_format(*command, arguments.format);
  add_rule_options(*command, arguments.rules);
  return command;
}

void add_gate(CLI::App& command, GateArguments& gate, RuleOptions& rules,
              std::vector<std::string>& ignore, const std::vector<std::string>& fail_on,
              const char* threshold_of = nullptr) {
  command
      .add_option(
          "--fail-on", gate.fail_on,
          (threshold_of != nullptr ? kFailOnFindingHelp : kFailOnClauseHelp) + join(fail_on, ", "))
      ->type_name("WHAT")
      ->check(one_of(fail_on))
      ->capture_default_str();
  if (threshold_of != nullptr) {
    command.add_option("--threshold", gate.threshold_percent, threshold_of)
        ->type_name("PERCENT")
        ->check(percentage_problem)
        ->capture_default_str();
  }
  command.add_option("--baseline", gate.baseline, kBaselineHelp)->type_name("FILE");
  add_rule_options(command, rules);
  command.add_option("--ignore", ignore, kIgnoreHelp)
      ->type_name("RULE[:REGEX]")
      ->allow_extra_args(false)
      ->check([&rules](const std::string& item) { return ignored_problem(item, rules); });
}

// `unless`: what is done where --build does not say.
void add_which(CLI::App& command, int& run, int& build, const std::string& unless) {
  command.add_option("--run", run, "report run N of the logs (default: the last)")
      ->type_name("N")
      ->check(whole_number_from(1));
  command
      .add_option("--build", build,
                  "report build N of inputs that are of several (default: " + unless + ")")
      ->type_name("N")
      ->check(whole_number_from(1));
}

void add_parts(CLI::App& command, OutputOptions& output, const std::vector<std::string>& sections) {
  CLI::Option* full =
      command.add_flag("--full", output.full, "text: the whole report, not one screen");
  command
      .add_option("--section", output.sections,
                  "text: these sections alone: " + join(sections, ", "))
      ->type_name("NAME[,NAME]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(sections))
      ->excludes(full);
  command.add_flag_callback(
      "--redact", [&output] { output.redactor = new_redactor(); }, kRedactHelp);
}

void add_plots(CLI::App& command, OutputOptions& output) {
  command.add_option("--plots", output.plots, kPlotsHelp)->type_name("DIR");
}

void add_analysis(CLI::App& app, AnalyzeArguments& arguments) {
  CLI::App* command = &app;
  const std::vector<std::string> sorts(BuildOrder::kSorts.begin(), BuildOrder::kSorts.end());
  add_output(*command, arguments.output, Formats::and_csv);
  add_parts(*command, arguments.output, section_ids());
  add_plots(*command, arguments.output);
  command->add_option("--top", arguments.top, "findings and rows shown in full; 0: all")
      ->check(whole_number_from(0))
      ->capture_default_str();
  add_which(*command, arguments.run, arguments.build, "a table of all");
  command
      ->add_option("--sort", arguments.order.sort,
                   "order of a table of builds: " + join(sorts, ", ") + kSortDefaultHelp)
      ->check(one_of(sorts));
  command->add_option("--filter", arguments.order.filter, "rows of a table of builds that say TEXT")
      ->type_name("TEXT");
  command->add_flag("--tee", arguments.tee, kTeeHelp);
  command->add_flag("--keep-tactics", arguments.keep_tactics, kKeepTacticsHelp);
  add_gate(*command, arguments.gate, arguments.rules, arguments.ignore,
           {"fatal", "major", "moderate", "minor", "info", "none"},
           "a finding of a smaller share of profile time is not counted by --fail-on");
}

CLI::App* add_analyze(CLI::App& app, AnalyzeArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "analyze", "logs, JSON exports or directories of them: one report on one build");
  command
      ->add_option("PATH", arguments.paths,
                   "files or directories; - is standard input; kinds are found from content")
      ->required();
  command->footer(kAnalyzeExamples);
  add_analysis(*command, arguments);
  return command;
}

CLI::App* add_watch(CLI::App& app, AnalyzeArguments& arguments) {
  arguments.paths = {"-"};
  arguments.watch = true;
  CLI::App* command = app.add_subcommand("watch", kWatchHelp);
  command->footer(kWatchExamples);
  add_analysis(*command, arguments);
  return command;
}

CLI::App* add_compare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("compare", "is the candidate slower than the base, and where");
  command->footer(kCompareExamples);
  const auto add_side = [&](const char* name, const char* help) {
    return command->add_option_function<std::string>(
        name, [&arguments](const std::string& side) { arguments.sides.push_back(side); }, help);
  };
  add_side("BASE", kSideHelp)->required();
  add_side("CANDIDATE", "the same, of what is compared with BASE; with --history, only BASE");
  command->add_option_function<std::vector<std::string>>(
      "NEXT",
      [&all = arguments.sides](const auto& next) {
        all.insert(all.end(), next.begin(), next.end());
      },
      kNextHelp);
  add_output(*command, arguments.output, Formats::and_gates);
  add_parts(*command, arguments.output, comparison_section_ids());
  add_plots(*command, arguments.output);
  command->add_option("--top", arguments.top, "rows shown in full; 0: all")
      ->check(whole_number_from(0))
      ->capture_default_str();
  command
      ->add_option("--noise-floor", arguments.noise_floor_percent,
                   "percent: a smaller shift between single runs is no verdict")
      ->check(percentage_problem)
      ->capture_default_str();
  add_gate(*command, arguments.gate, arguments.rules, arguments.ignore,
           {"regression", "cannot-tell", "fatal", "major", "moderate", "minor", "info", "none"},
           kOfThresholdHelp);
  command->add_flag("--force", arguments.force, "compare although the sides are not comparable");
  command->add_option("--against", arguments.against, kAgainstHelp)
      ->type_name("base")
      ->check(one_of({"base"}));
  command
      ->add_option("--history", arguments.history,
                   "compare the one side with the last good build of FILE, by its scatter")
      ->type_name("FILE");
  command->add_option("--series", arguments.series, "of --history: its series of that name")
      ->type_name("NAME");
  return command;
}

CLI::App* add_check(CLI::App& app, CheckArguments& arguments) {
  CLI::App* command = app.add_subcommand("check", kCheckHelp);
  command->footer(kCheckExamples);
  command->add_option("PATH", arguments.paths, kRepetitionsHelp)->required();
  command->add_option("--contract", arguments.contract, "the file that `trtlens expect` wrote")
      ->type_name("FILE")
      ->required();
  add_output(*command, arguments.output, Formats::and_gates);
  add_parts(*command, arguments.output, contract_section_ids());
  add_gate(*command, arguments.gate, arguments.rules, arguments.ignore,
           {"broken", "cannot-tell", "none"});
  return command;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// The commands of an App, bound to the members of a CommandLine.
struct Declared {
  CLI::App app{kAbout, "trtlens"};
  std::vector<std::pair<CLI::App*, Command>> commands;

  explicit Declared(CommandLine& line);
};

Declared::Declared(CommandLine& line) {
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("trtlens ") + TRTLENS_VERSION);
  app.require_subcommand(0, 1);
  commands = {{add_analyze(app, line.analyze), Command::analyze},
              {add_watch(app, line.watch), Command::watch},
              {add_compare(app, line.compare), Command::compare},
              {add_check(app, line.check), Command::check},
              {add_command(app, lint_command(line.lint_log)), Command::lint_log}};
  commands.emplace_back(add_rules(app, line.rules), Command::rules);
  commands.emplace_back(add_explain(app, line.explain), Command::explain);
  for (const auto& [app_command, command] : commands) add_config(*app_command, line.config);
  CLI::App* schema = app.add_subcommand("schema", "the JSON Schema of a JSON report or contract");
  schema->footer(kSchemaExamples);
  schema->add_option("REPORT", line.schema, "analyze, compare, check or contract")
      ->required()
      ->check(one_of(schema_names()));
  commands.emplace_back(schema, Command::schema);
  commands.emplace_back(add_command(app, convert_command(line.convert)), Command::convert);
  commands.emplace_back(add_command(app, expect_command(line.expect)), Command::expect);
  commands.emplace_back(add_command(app, redact_command(line.redact)), Command::redact);
  commands.emplace_back(add_command(app, mcp_command()), Command::mcp);
  CLI::App* history = add_command(app, {"history", kHistoryHelp, kHistoryExamples, {}});
  history->require_subcommand(1);
  for (const CommandRow& row : history_commands(line.history)) {
    CLI::App* command = add_command(*history, row);
    if (row.output != nullptr) add_output(*command, *row.output, row.formats);
  }
  commands.emplace_back(history, Command::history);
}

std::vector<SettingName> setting_names_of(const Declared& declared) {
  std::vector<SettingName> table;
  for (const auto& [app_command, id] : declared.commands) {
    const CLI::App& command = *app_command;
    if (command.get_option_no_throw(kConfigOption) == nullptr) continue;
    const bool rules_only = id == Command::rules || id == Command::explain;
    for (const CLI::Option* option : command.get_options()) {
      const bool is_setting = !option->get_lnames().empty() && option != command.get_help_ptr() &&
                              !option->check_name(kConfigOption);
      // `format` is one of reports; `rules` and `explain` have another.
      const bool of_rules = option->check_name("--rules") || option->check_name("--rule-threshold");
      if (!is_setting || (rules_only && !of_rules)) continue;
      table.push_back(
          {command.get_name(), option->get_lnames().front(), option->get_items_expected_max() > 1});
    }
  }
  return table;
}

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

// A setting of all commands that only another one takes, such as TRTLENS_FAIL_ON=major: how to say
// it to that one alone.
std::string place_for_others(const Declared& declared, const CLI::App& command,
                             const Setting& setting) {
  if (!setting.command.empty()) return {};
  for (const auto& [other, id] : declared.commands) {
    // Their --format is no setting.
    if (id == Command::rules || id == Command::explain) continue;
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

// False after errors, which are printed.
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
  if (!too_few && !has_extra) return error.what();
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

}  // namespace

std::optional<CommandLine> read_command_line(int argc, char** argv, int& status) {
  CommandLine line;
  Declared declared(line);
  CLI::App& app = declared.app;
  status = kExitFailure;
  std::vector<std::string> words = words_of(argc, argv);
  if (const std::string problem = command_problem(words, command_names(app)); !problem.empty()) {
    complain(problem);
    return {};
  }
  if (!parse_words(app, std::move(words), status)) return {};
  CLI::App* asked = nullptr;
  for (const auto& [command, id] : declared.commands) {
    if (!command->parsed()) continue;
    asked = command;
    line.command = id;
    if (id == Command::history) {
      line.history.command = command->get_subcommands().front()->get_name();
    }
  }
  if (asked == nullptr && !is_terminal(STDIN_FILENO)) {
    asked = declared.commands.front().first;
    line.command = Command::analyze;
    line.analyze.paths = {"-"};
  }
  const bool has_settings =
      asked != nullptr && asked->get_option_no_throw(kConfigOption) != nullptr;
  if (has_settings && !apply_settings(declared, *asked, line.config)) return {};
  if (line.command == Command::compare && !takes_sides(line.compare)) return {};
  name_formats(line);
  return line;
}

std::vector<SettingName> setting_names() {
  CommandLine line;
  return setting_names_of(Declared(line));
}

}  // namespace trtlens
