// Declares the commands, each with its options.
#include "report/cli/command_line/declared.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "analyzers/text.h"
#include "report/cli/help_text.h"
#include "report/cli/prompt/prompt.h"
#include "report/cli/redaction.h"
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

CLI::Option* add_option(CLI::App& command, const OptionRow& row) {
  return std::visit(
      [&](const auto& into) {
        using Into = std::decay_t<decltype(into)>;
        if constexpr (std::is_same_v<Into, bool*>) {
          return command.add_flag(row.names, *into, row.help);
        } else if constexpr (std::is_same_v<Into, OnFlag>) {
          return command.add_flag_callback(row.names, into, row.help);
        } else if constexpr (std::is_same_v<Into, OnValue>) {
          return command.add_option_function<std::string>(row.names, into, row.help);
        } else if constexpr (std::is_same_v<Into, OnValues>) {
          return command.add_option_function<std::vector<std::string>>(row.names, into, row.help);
        } else {
          return command.add_option(row.names, *into, row.help);
        }
      },
      row.into);
}

CLI::App* add_command(CLI::App& app, const CommandRow& row) {
  CLI::App* command = app.add_subcommand(row.name, row.help);
  if (*row.footer != '\0') command->footer(row.footer);
  for (const OptionRow& option : row.options) {
    CLI::Option* added = add_option(*command, option);
    if (*option.names == '-') added->allow_extra_args(false);  // one value each time it is given
    if (*option.type != '\0') added->type_name(option.type);
    // The name of the check is what completions offer; --help does not show it.
    if (option.problem) {
      added->check(option.problem, "",
                   option.known.empty() ? known_values(option.problem) : option.known);
    }
    if (option.required) added->required();
    if (option.shows_default) added->capture_default_str();
    if (option.is_list) added->delimiter(',');
    if (*option.excludes != '\0') added->excludes(command->get_option(option.excludes));
  }
  if (!row.commands.empty()) command->require_subcommand(1);
  for (const CommandRow& nested : row.commands) add_command(*command, nested);
  return command;
}

std::vector<OptionRow> rule_rows(RuleOptions& rules) {
  return {{"--rules", &rules.paths,
           "more message rules: a file, or a directory of *.json; one with the id of an embedded "
           "rule replaces it",
           "DIR"},
          {"--rule-threshold", &rules.thresholds,
           "another value for a threshold; `trtlens explain RULE` shows its keys", "RULE.KEY=VALUE",
           false, rule_threshold_problem}};
}

OptionRow plain_format_row(std::string& format) {
  return {"--format", &format, "text (default), markdown or json",
          "FORMAT",   false,   one_of(kPlainFormats)};
}

// `a`: arguments of analyze, compare or check. Which rules there are comes before --ignore, which
// names them.
template <typename Arguments>
std::vector<OptionRow> gate_rows(Arguments& a, const std::vector<std::string>& fail_on,
                                 const char* threshold_of = nullptr) {
  const std::string when =
      threshold_of != nullptr
          ? "exit 1 for a finding of this severity or worse, or for what else is named: "
          : "exit 1 for a broken clause, or for one that cannot be told, too: ";
  std::vector<OptionRow> rows = {{"--fail-on", &a.gate.fail_on, when + join(fail_on, ", "), "WHAT",
                                  false, one_of(fail_on), true}};
  if (threshold_of != nullptr) {
    rows.push_back({"--threshold", &a.gate.threshold_percent, threshold_of, "PERCENT", false,
                    percentage_problem, true});
  }
  return joined(
      {rows,
       {{"--baseline", &a.gate.baseline,
         "findings that FILE accepts are listed apart and not counted; -o x.baseline writes one",
         "FILE"}},
       rule_rows(a.rules),
       {{"--ignore", &a.ignore, "leave out findings of RULE, or of RULE:LAYER-REGEX",
         "RULE[:REGEX]", false,
         [&rules = a.rules](const std::string& item) { return ignored_problem(item, rules); }}}});
}

std::vector<OptionRow> part_rows(OutputOptions& output, const std::vector<std::string>& sections) {
  return {{"--full", &output.full, "text: the whole report, not one screen"},
          {.names = "--section",
           .into = &output.sections,
           .help = "text: these sections alone: " + join(sections, ", "),
           .type = "NAME[,NAME]",
           .problem = one_of(sections),
           .is_list = true,
           .excludes = "--full"},
          {"--redact", [&output] { output.redactor = new_redactor(); }, kRedactHelp}};
}

OptionRow plots_row(OutputOptions& output) {
  return {"--plots", &output.plots,
          "draw the charts into SVG files of DIR, which Markdown shows; png:DIR: into PNG", "DIR"};
}

CommandRow rules_command(RulesArguments& a) {
  return {"rules", "the rules: what each detects",
          "Examples:\n"
          "  trtlens rules\n"
          "  trtlens rules --category memory\n"
          "  trtlens rules --format json | jq -r '.rules[].id'\n"
          "  trtlens rules --check --rules my-rules/\n"
          "\n"
          "--check tries every rule on its samples and near misses, and prints what is wrong as "
          "file:line:column. Exit status: 0 done; 2 a rule is wrong or a file could not be read.",
          joined({{{"--category", &a.category, "only rules of this category"},
                   plain_format_row(a.format)},
                  rule_rows(a.rules),
                  {{"--check", &a.check,
                    "try all rules on their samples and near misses, instead of listing them"}}})};
}

CommandRow explain_command(ExplainArguments& a) {
  return {"explain",
          "one rule or cause: what, why, remedies, thresholds in force, samples, sources",
          "Examples:\n"
          "  trtlens explain residual-add-not-quantised\n"
          "  trtlens explain my-rule --rules my-rules/\n"
          "  trtlens explain reformat-time-share --config trtlens.ini",
          joined({{{"RULE", &a.rule, "id of the rule, or of a cause", "", true},
                   plain_format_row(a.format)},
                  rule_rows(a.rules)})};
}

std::vector<OptionRow> analysis_rows(AnalyzeArguments& a) {
  const std::vector<std::string> sorts(BuildOrder::kSorts.begin(), BuildOrder::kSorts.end());
  return joined(
      {output_rows(a.output, Formats::and_csv),
       part_rows(a.output, section_ids()),
       {plots_row(a.output),
        {"--top", &a.top, "findings and rows shown in full; 0: all", "", false,
         whole_number_from(0), true},
        {"--run", &a.run, "report run N of the logs (default: the last)", "N", false,
         whole_number_from(1)},
        {"--build", &a.build,
         "report build N of inputs that are of several (default: a table of all)", "N", false,
         whole_number_from(1)},
        {"--sort", &a.order.sort,
         "order of a table of builds: " + join(sorts, ", ") +
             " (default: number; failed ones first where not all are shown)",
         "", false, one_of(sorts)},
        {"--filter", &a.order.filter, "rows of a table of builds that say TEXT", "TEXT"},
        {"--tee", &a.tee,
         "pass standard input through on standard output; the report goes to -o or standard error"},
        {"--keep-tactics", &a.keep_tactics,
         "every tactic that was timed or skipped as a record of the JSON report"}},
       gate_rows(a, {"fatal", "major", "moderate", "minor", "info", "none"},
                 "a finding of a smaller share of profile time is not counted by --fail-on")});
}

CommandRow analyze_command(AnalyzeArguments& a) {
  return {
      "analyze", "logs, JSON exports or directories of them: one report on one build",
      "Examples:\n"
      "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens --tee -o report.html\n"
      "  trtlens analyze build.log layers.json profile.json -o report.html\n"
      "  trtlens analyze DIRECTORY --format json | jq .findings\n"
      "  trtlens analyze build.log --section time,tactics\n"
      "  trtlens analyze . --baseline known.baseline --fail-on major -o junit.xml -o x.sarif\n"
      "  trtlens analyze build.log --rules my-rules/\n"
      "\n"
      "Exit status: 0 done; 1 a finding at or above --fail-on; 2 could not do the job; 130 Ctrl-C "
      "while standard input was read, the report is of what was read.",
      joined(
          {{{"PATH", &a.paths,
             "files or directories; - is standard input; kinds are found from content", "", true}},
           analysis_rows(a)})};
}

CommandRow watch_command(AnalyzeArguments& a) {
  a.paths = {"-"};
  a.watch = true;
  return {
      "watch", "a log on standard input: how the build goes, then the report that analyze makes",
      "Examples:\n"
      "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch\n"
      "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens watch --tee -o report.html > build.log\n"
      "\n"
      "It shows on standard error the stage, the layers timed, the time that the others will take, "
      "what is slow so far, and fatal and major messages and the first tensor without scale as "
      "soon as they come. Ctrl-C ends the log: the report says what was read. Exit status: that of "
      "analyze; 130 after Ctrl-C.",
      analysis_rows(a)};
}

std::vector<OptionRow> side_rows(std::vector<std::string>& sides) {
  const OnValue add = [&sides](const std::string& side) { sides.push_back(side); };
  return {{"BASE", add,
           "a file, a directory or a comma-separated list; several directories are repetitions", "",
           true},
          {"CANDIDATE", add, "the same, of what is compared with BASE; with --history, only BASE"},
          {"NEXT",
           [&sides](const std::vector<std::string>& next) {
             sides.insert(sides.end(), next.begin(), next.end());
           },
           "the same, of what is compared with CANDIDATE in a second comparison; with --against "
           "base any number of them"}};
}

CommandRow compare_command(CompareArguments& a) {
  return {
      "compare", "is the candidate slower than the base, and where",
      "Examples:\n"
      "  trtlens compare fp16/ int8/\n"
      "  trtlens compare base-1/,base-2/,base-3/ candidate-1/,candidate-2/,candidate-3/\n"
      "  trtlens compare base/ candidate/ --format github -o step-summary:$GITHUB_STEP_SUMMARY\n"
      "  trtlens compare base.log candidate.log --fail-on cannot-tell\n"
      "  trtlens compare --against base fp16/ sweep/*/ -o sweep.html\n"
      "  trtlens compare --history builds.db tonight/\n"
      "\n"
      "Exit status: 0 done; 1 a regression or finding of --fail-on; 2 could not do the job; 3 the "
      "two sides are not comparable.",
      joined(
          {side_rows(a.sides),
           output_rows(a.output, Formats::and_gates),
           part_rows(a.output, comparison_section_ids()),
           {plots_row(a.output),
            {"--top", &a.top, "rows shown in full; 0: all", "", false, whole_number_from(0), true},
            {"--noise-floor", &a.noise_floor_percent,
             "percent: a smaller shift between single runs is no verdict", "", false,
             percentage_problem, true}},
           gate_rows(
               a,
               {"regression", "cannot-tell", "fatal", "major", "moderate", "minor", "info", "none"},
               "the least shift that matters: no_change means less, and --fail-on does not count "
               "less"),
           {{"--force", &a.force, "compare although the sides are not comparable"},
            {"--against", &a.against,
             "compare each side with BASE: a table of variants, and a table of layers by variant",
             "base", false, one_of({"base"})},
            {"--history", &a.history,
             "compare the one side with the last good build of FILE, by its scatter", "FILE"},
            {"--series", &a.series, "of --history: its series of that name", "NAME"}}})};
}

CommandRow check_command(CheckArguments& a) {
  return {
      "check", "whether a build is what a contract says: what is broken, and what cannot be told",
      "Examples:\n"
      "  trtlens check build/ --contract engine.contract\n"
      "  trtlens check run-1/ run-2/ --contract engine.contract --fail-on cannot-tell\n"
      "  trtlens check build/ --contract engine.contract --format github -o junit.xml\n"
      "\n"
      "Exit status: 0 held, or not told by the inputs; 1 a clause is broken (or cannot be told, "
      "with --fail-on cannot-tell); 2 could not do the job.",
      joined({{{"PATH", &a.paths, kRepetitionsHelp, "", true},
               {"--contract", &a.contract, "the file that `trtlens expect` wrote", "FILE", true}},
              output_rows(a.output, Formats::and_gates),
              part_rows(a.output, contract_section_ids()),
              gate_rows(a, {"broken", "cannot-tell", "none"})})};
}

CommandRow schema_command(std::string& of) {
  return {
      "schema",
      "the JSON Schema of a JSON report or contract",
      "Examples:\n"
      "  trtlens schema analyze > analyze.schema.json\n"
      "  trtlens schema compare | jq .definitions.engine_verdict\n"
      "\n"
      "It has the type and the meaning of every name that `analyze --format json` or `compare "
      "--format json` prints. Exit status: 0 done; 2 no such report, or it could not be written.",
      {{"REPORT", &of, "analyze, compare, check or contract", "", true, one_of(schema_names())}}};
}

// "history-add" and the like.
std::vector<std::string> man_pages(CLI::App& app) {
  std::vector<std::string> pages;
  for (CLI::App* command : commands_of(app)) {
    pages.push_back(command->get_name());
    for (const CLI::App* nested : commands_of(*command)) {
      pages.push_back(command->get_name() + "-" + nested->get_name());
    }
  }
  pages.emplace_back("man");
  return pages;
}

}  // namespace

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App* command) { return !command->get_group().empty(); });
}

Declared::Declared(CommandLine& line) {
  app.footer(kExamples);
  app.set_version_flag("-V,--version", std::string("trtlens ") + TRTLENS_VERSION);
  app.require_subcommand(0, 1);
  const auto add = [&](const CommandRow& row, RunCommand run) {
    commands.push_back({add_command(app, row), run});
  };
  const auto add_with_settings = [&](CommandRow row, RunCommand run) {
    row.options.push_back({kConfigOption, &line.config,
                           "settings from FILE: `option = value` lines, [COMMAND] sections; "
                           "`trtlens --help` says more",
                           "FILE"});
    add(row, run);
  };
  const auto add_hidden = [&](const CommandRow& row, RunCommand run) {
    add(row, run);
    commands.back().app->group("");
  };
  add_with_settings(analyze_command(line.analyze),
                    [](CommandLine& l) { return run_analyze(l.analyze); });
  add_with_settings(watch_command(line.watch), [](CommandLine& l) { return run_analyze(l.watch); });
  add_with_settings(compare_command(line.compare),
                    [](CommandLine& l) { return run_compare(l.compare); });
  add_with_settings(check_command(line.check), [](CommandLine& l) { return run_check(l.check); });
  add_with_settings(lint_command(line.lint_log),
                    [](CommandLine& l) { return run_lint(std::move(l.lint_log)); });
  add_with_settings(rules_command(line.rules), [](CommandLine& l) { return run_rules(l.rules); });
  add_with_settings(explain_command(line.explain),
                    [](CommandLine& l) { return run_explain(l.explain); });
  add(schema_command(line.schema), [](CommandLine& l) { return run_schema(l.schema); });
  add(convert_command(line.convert), [](CommandLine& l) { return run_convert(l.convert); });
  add(expect_command(line.expect), [](CommandLine& l) { return run_expect(l.expect); });
  add(redact_command(line.redact), [](CommandLine& l) { return run_redact(l.redact); });
  add(mcp_command(), [](CommandLine&) { return run_mcp(); });
  add(history_command(line.history), [](CommandLine& l) { return run_history(l.history); });
  add(record_command(line.record), [](CommandLine& l) { return run_record(l.record); });
  add(completion_command(line.shell),
      [](CommandLine& l) { return run_completion(describe_commands(), l.shell); });
  add(man_command(line.man_page, man_pages(app)),
      [](CommandLine& l) { return run_man(describe_commands(), l.man_page); });
  // Hidden: completions ask for rule-ids and threshold-names, the build for prompt-files.
  add_hidden({"rule-ids", "", "", {}}, [](CommandLine&) { return run_rule_ids(); });
  add_hidden({"threshold-names", "", "", {}}, [](CommandLine&) { return run_threshold_names(); });
  add_hidden({"prompt-files", "", "", {{"DIR", &line.prompt_folder, "", "", true}}},
             [](CommandLine& l) { return run_prompt_files(describe_commands(), l.prompt_folder); });
}

}  // namespace trtlens
