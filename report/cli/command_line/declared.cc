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

constexpr const char* kExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch -o report.html\n"
    "  trtlens analyze build.log layers.json profile.json -o report.html\n"
    "  trtlens compare fp16/ int8/\n"
    "  trtlens expect good/ -o engine.contract\n"
    "  trtlens check build/ --contract engine.contract\n"
    "  trtlens convert --to speedscope DIRECTORY -o layers.speedscope.json\n"
    "  trtlens history trend --db builds.db\n"
    "  trtlens explain residual-add-not-quantised\n"
    "  trtlens lint-log build.log\n"
    "\n"
    "`trtlens COMMAND --help` shows the options of a command, and more examples.\n"
    "\n"
    "Settings are all options of analyze, watch, compare, check and lint-log but --config and "
    "--help, and --rules and --rule-threshold of rules and explain. They stand in TRTLENS_* "
    "variables (TRTLENS_FAIL_ON, TRTLENS_COMPARE_FAIL_ON) and in the INI file that --config or "
    "TRTLENS_CONFIG names (`fail-on = major`, for one command behind its `[compare]`). The command "
    "line comes first, then the variables, then the file.\n"
    "\n"
    "Exit status: 0 done; 1 a finding, regression or broken clause at or above --fail-on; 2 could "
    "not do the job; 3 the two sides are not comparable; 130 Ctrl-C, the report is of what was "
    "read.";

CLI::App* add_rules(CLI::App& app, RulesArguments& arguments) {
  CLI::App* command = app.add_subcommand("rules", "the rules: what each detects");
  command->footer(
      "Examples:\n"
      "  trtlens rules\n"
      "  trtlens rules --category memory\n"
      "  trtlens rules --format json | jq -r '.rules[].id'\n"
      "  trtlens rules --check --rules my-rules/\n"
      "\n"
      "--check tries every rule on its samples and near misses, and prints what is wrong as "
      "file:line:column. Exit status: 0 done; 2 a rule is wrong or a file could not be read.");
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
  command->footer(
      "Examples:\n"
      "  trtlens explain residual-add-not-quantised\n"
      "  trtlens explain my-rule --rules my-rules/\n"
      "  trtlens explain reformat-time-share --config trtlens.ini");
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
                   "order of a table of builds: " + join(sorts, ", ") +
                       " (default: number; failed ones first where not all are shown)")
      ->check(only(sorts));
  command->add_option("--filter", arguments.order.filter, "rows of a table of builds that say TEXT")
      ->type_name("TEXT");
  command->add_flag(
      "--tee", arguments.tee,
      "pass standard input through on standard output; the report goes to -o or standard error");
  command->add_flag("--keep-tactics", arguments.keep_tactics,
                    "every tactic that was timed or skipped as a record of the JSON report");
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
  command->footer(
      "Examples:\n"
      "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens --tee -o report.html\n"
      "  trtlens analyze build.log layers.json profile.json -o report.html\n"
      "  trtlens analyze DIRECTORY --format json | jq .findings\n"
      "  trtlens analyze build.log --section time,tactics\n"
      "  trtlens analyze . --baseline known.baseline --fail-on major -o junit.xml -o x.sarif\n"
      "  trtlens analyze build.log --rules my-rules/\n"
      "\n"
      "Exit status: 0 done; 1 a finding at or above --fail-on; 2 could not do the job; 130 Ctrl-C "
      "while standard input was read, the report is of what was read.");
  add_analysis(*command, arguments);
  return command;
}

CLI::App* add_watch(CLI::App& app, AnalyzeArguments& arguments) {
  arguments.paths = {"-"};
  arguments.watch = true;
  CLI::App* command = app.add_subcommand(
      "watch", "a log on standard input: how the build goes, then the report that analyze makes");
  command->footer(
      "Examples:\n"
      "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch\n"
      "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens watch --tee -o report.html > build.log\n"
      "\n"
      "It shows on standard error the stage, the layers timed, the time that the others will take, "
      "what is slow so far, and fatal and major messages and the first tensor without scale as "
      "soon as they come. Ctrl-C ends the log: the report says what was read. Exit status: that of "
      "analyze; 130 after Ctrl-C.");
  add_analysis(*command, arguments);
  return command;
}

CLI::App* add_compare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("compare", "is the candidate slower than the base, and where");
  command->footer(
      "Examples:\n"
      "  trtlens compare fp16/ int8/\n"
      "  trtlens compare base-1/,base-2/,base-3/ candidate-1/,candidate-2/,candidate-3/\n"
      "  trtlens compare base/ candidate/ --format github -o step-summary:$GITHUB_STEP_SUMMARY\n"
      "  trtlens compare base.log candidate.log --fail-on cannot-tell\n"
      "  trtlens compare --against base fp16/ sweep/*/ -o sweep.html\n"
      "  trtlens compare --history builds.db tonight/\n"
      "\n"
      "Exit status: 0 done; 1 a regression or finding of --fail-on; 2 could not do the job; 3 the "
      "two sides are not comparable.");
  const auto add_side = [&](const char* name, const char* help) {
    return command->add_option_function<std::string>(
        name, [&arguments](const std::string& side) { arguments.sides.push_back(side); }, help);
  };
  add_side("BASE",
           "a file, a directory or a comma-separated list; several directories are repetitions")
      ->required();
  add_side("CANDIDATE", "the same, of what is compared with BASE; with --history, only BASE");
  command->add_option_function<std::vector<std::string>>(
      "NEXT",
      [&all = arguments.sides](const auto& next) {
        all.insert(all.end(), next.begin(), next.end());
      },
      "the same, of what is compared with CANDIDATE in a second comparison; with --against base "
      "any number of them");
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
           "the least shift that matters: no_change means less, and --fail-on does not count less");
  command->add_flag("--force", arguments.force, "compare although the sides are not comparable");
  command
      ->add_option(
          "--against", arguments.against,
          "compare each side with BASE: a table of variants, and a table of layers by variant")
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
  CLI::App* command = app.add_subcommand(
      "check", "whether a build is what a contract says: what is broken, and what cannot be told");
  command->footer(
      "Examples:\n"
      "  trtlens check build/ --contract engine.contract\n"
      "  trtlens check run-1/ run-2/ --contract engine.contract --fail-on cannot-tell\n"
      "  trtlens check build/ --contract engine.contract --format github -o junit.xml\n"
      "\n"
      "Exit status: 0 held, or not told by the inputs; 1 a clause is broken (or cannot be told, "
      "with --fail-on cannot-tell); 2 could not do the job.");
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
  schema->footer(
      "Examples:\n"
      "  trtlens schema analyze > analyze.schema.json\n"
      "  trtlens schema compare | jq .definitions.comparison.properties.engine\n"
      "\n"
      "It has the type and the meaning of every name that `analyze --format json` or `compare "
      "--format json` prints. Exit status: 0 done; 2 no such report, or it could not be written.");
  schema->add_option("REPORT", line.schema, "analyze, compare, check or contract")
      ->required()
      ->check(only(schema_names()));
  commands.emplace_back(schema, Command::schema);
  commands.emplace_back(add_command(app, convert_command(line.convert)), Command::convert);
  commands.emplace_back(add_command(app, expect_command(line.expect)), Command::expect);
  commands.emplace_back(add_command(app, redact_command(line.redact)), Command::redact);
  commands.emplace_back(add_command(app, mcp_command()), Command::mcp);
  CLI::App* history = add_command(
      app,
      {"history",
       "builds over time in one file: add, list, show, trend, prune, export",
       "Examples:\n"
       "  trtlens history add --db builds.db nightly/\n"
       "  trtlens history list --db builds.db\n"
       "  trtlens history trend --db builds.db -o trend.html\n"
       "  trtlens compare --history builds.db tonight/ && trtlens history add --db builds.db "
       "tonight/\n"
       "\n"
       "`trtlens history COMMAND --help` says more. Exit status: 0 done; 2 could not do the job.",
       {}});
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
