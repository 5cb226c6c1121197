// Declares options for CLI11.
#include "report/cli/command_line/options.h"

#include "analyzers/text.h"
#include "report/cli/help_text.h"
#include "report/cli/redaction.h"
#include "report/cli/value_problem.h"

namespace trtlens {

CLI::Validator only(std::vector<std::string> names) {
  std::string all = join(names, ",");
  return {one_of(std::move(names)), "", std::move(all)};
}

void add_config(CLI::App& command, std::string& path) {
  command
      .add_option(kConfigOption, path,
                  "settings from FILE: `option = value` lines, [COMMAND] sections; `trtlens "
                  "--help` says more")
      ->type_name("FILE");
}

void add_output(CLI::App& command, OutputOptions& output, Formats formats) {
  command
      .add_option(
          "-o,--output", output.files,
          "write the report to FILE; its extension picks the format, or FORMAT:FILE does: " +
              format_extensions(formats) +
              (formats == Formats::of_reports ? "" : ", gl-code-quality-report.json") +
              (formats == Formats::and_csv ? "; FOLDER/ gets a page of each build" : ""))
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(place_problem);
  command
      .add_option("--format", output.format,
                  "format on standard output: " + join(format_names(formats), ", ") +
                      " (default: text on a terminal, else markdown)")
      ->type_name("FORMAT")
      ->check(format_problem, "", join(format_names(formats), ","));
  command
      .add_option("--color", output.color,
                  "auto, always or never; NO_COLOR and TERM=dumb are honoured")
      ->check(only({"auto", "always", "never"}));
  command.add_flag("-q,--quiet", output.quiet, "no progress, no notes");
  command.add_flag("--timing", output.timing, kTimingHelp);
}

void add_rule_options(CLI::App& command, RuleOptions& rules) {
  command
      .add_option("--rules", rules.paths,
                  "more message rules: a file, or a directory of *.json; one with the id of an "
                  "embedded rule replaces it")
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
      ->check(only(kPlainFormats));
}

void add_gate(CLI::App& command, GateArguments& gate, RuleOptions& rules,
              std::vector<std::string>& ignore, const std::vector<std::string>& fail_on,
              const char* threshold_of) {
  command
      .add_option(
          "--fail-on", gate.fail_on,
          (threshold_of != nullptr
               ? "exit 1 for a finding of this severity or worse, or for what else is named: "
               : "exit 1 for a broken clause, or for one that cannot be told, too: ") +
              join(fail_on, ", "))
      ->type_name("WHAT")
      ->check(only(fail_on))
      ->capture_default_str();
  if (threshold_of != nullptr) {
    command.add_option("--threshold", gate.threshold_percent, threshold_of)
        ->type_name("PERCENT")
        ->check(percentage_problem)
        ->capture_default_str();
  }
  command
      .add_option(
          "--baseline", gate.baseline,
          "findings that FILE accepts are listed apart and not counted; -o x.baseline writes one")
      ->type_name("FILE");
  add_rule_options(command, rules);
  command.add_option("--ignore", ignore, "leave out findings of RULE, or of RULE:LAYER-REGEX")
      ->type_name("RULE[:REGEX]")
      ->allow_extra_args(false)
      ->check([&rules](const std::string& item) { return ignored_problem(item, rules); });
}

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
      ->check(only(sections))
      ->excludes(full);
  command.add_flag_callback(
      "--redact", [&output] { output.redactor = new_redactor(); }, kRedactHelp);
}

void add_plots(CLI::App& command, OutputOptions& output) {
  command
      .add_option("--plots", output.plots,
                  "draw the charts into SVG files of DIR, which Markdown shows; png:DIR: into PNG")
      ->type_name("DIR");
}

}  // namespace trtlens
