// Declares the commands, each with its options.
#include "report/cli/command_line/declared.h"

#include "analyzers/text.h"
#include "report/cli/command_line/options.h"
#include "report/cli/help_text.h"
#include "report/cli/prompt/prompt.h"
#include "report/cli/value_problem.h"
#include "report/document/comparison/comparison.h"
#include "report/document/contract/contract.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

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
      ->check(only(sorts));
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
      ->check(only({"base"}));
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

}  // namespace

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App* command) { return !command->get_group().empty(); });
}

Declared::Declared(CommandLine& line) {
  app.footer(kExamples);
  app.set_version_flag("-V,--version", std::string("trtlens ") + TRTLENS_VERSION);
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
      ->check(only(schema_names()));
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
  commands.emplace_back(add_command(app, record_command(line.record)), Command::record);
  commands.emplace_back(add_command(app, completion_command(line.shell)), Command::completion);
  std::vector<std::string> pages;
  for (CLI::App* command : commands_of(app)) {
    pages.push_back(command->get_name());
    for (const CLI::App* nested : commands_of(*command)) {
      pages.push_back(command->get_name() + "-" + nested->get_name());
    }
  }
  pages.emplace_back("man");
  commands.emplace_back(add_command(app, man_command(line.man_page, pages)), Command::man);
  // Hidden: completions ask for rule-ids and threshold-names, the build for prompt-files.
  commands.emplace_back(app.add_subcommand("rule-ids", "")->group(""), Command::rule_ids);
  commands.emplace_back(app.add_subcommand("threshold-names", "")->group(""),
                        Command::threshold_names);
  CLI::App* files = app.add_subcommand("prompt-files", "")->group("");
  files->add_option("DIR", line.prompt_folder)->required();
  commands.emplace_back(files, Command::prompt_files);
}

}  // namespace trtlens
