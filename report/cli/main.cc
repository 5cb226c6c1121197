// The command line. CLI11 is slow to compile: this is the only file that includes it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <utility>

#include "report/cli/commands.h"

namespace trtlens {
namespace {

constexpr const char* kAbout =
    "trtlens reads what trtexec and TensorRT print and export, and says where the time goes,\n"
    "which precision every layer really runs in, what went wrong and what to do.";

constexpr const char* kExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens\n"
    "  trtlens analyze build.log layers.json profile.json -o report.html\n"
    "  trtlens analyze DIRECTORY --format json | jq .findings\n"
    "  trtlens analyze build.log --fail-on major\n"
    "  trtlens compare fp16/ int8/\n"
    "  trtlens explain residual-add-not-quantised\n"
    "  trtlens lint-log build.log\n"
    "\n"
    "Exit status: 0 done; 1 a finding or regression at or above --fail-on; 2 could not do the "
    "job;\n"
    "3 the two sides are not comparable.";

constexpr const char* kLintExamples =
    "Examples:\n"
    "  trtlens lint-log build.log\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens lint-log --format markdown\n"
    "  trtlens lint-log *.log --top 0 --with-samples\n"
    "  trtlens lint-log build.log --fail-on malformed\n"
    "\n"
    "Names, paths and numbers are folded into <name>, <n> and the like; a layer called by a plain\n"
    "word may remain: look before you paste. --with-samples shows lines as they are.\n"
    "Exit status: 0 done; 1 for --fail-on; 2 a file could not be read as a log.";

constexpr const char* kTimingHelp =
    "how long reading, joining, analysis and writing took, on standard error";

void add_output(CLI::App& command, OutputOptions& output) {
  command
      .add_option("-o,--output", output.files,
                  "write the report to FILE; the extension picks the format (html, md, json, txt)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check([](const std::string& path) {
        return format_of_path(path).empty()
                   ? "'" + path + "': the extension names no format (.html .md .json .txt)"
                   : std::string();
      });
  command
      .add_option("--format", output.format,
                  "format on standard output: " + format_names() +
                      " (default: text on a terminal, else markdown)")
      ->type_name("FORMAT")
      ->check([](const std::string& name) {
        return format_of_name(name).empty() ? "'" + name + "' is none of " + format_names()
                                            : std::string();
      });
  command.add_option("--color", output.color, "auto, always or never; NO_COLOR is honoured")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command.add_flag("-q,--quiet", output.quiet, "no progress, no notes");
  command.add_flag("--timing", output.timing, kTimingHelp);
  command
      .add_option("--threads", output.threads,
                  "threads that read a big log: 1 or 2; 0: as many as the machine has")
      ->type_name("N")
      ->check(CLI::Range(0, 2))
      ->capture_default_str();
}

CLI::App* add_analyze(CLI::App& app, AnalyzeArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "analyze", "logs, JSON exports or directories of them: one report on one build");
  command
      ->add_option("PATH", arguments.paths,
                   "files or directories; - is standard input; kinds are found from content")
      ->required();
  add_output(*command, arguments.output);
  command->add_option("--top", arguments.top, "findings and rows shown in full; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--run", arguments.run, "report run N of the logs (default: the last)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_flag("--tee", arguments.tee,
                    "pass standard input through on standard output; the report goes to -o or "
                    "standard error");
  command->add_flag("--keep-tactics", arguments.keep_tactics,
                    "every tactic that was timed or skipped as a record of the JSON report");
  command
      ->add_option("--fail-on", arguments.fail_on,
                   "exit 1 for a finding of this severity or worse: fatal, major, moderate, minor, "
                   "info, none")
      ->check(CLI::IsMember({"fatal", "major", "moderate", "minor", "info", "none"}))
      ->capture_default_str();
  command
      ->add_option("--ignore", arguments.ignore,
                   "leave out findings of RULE, or of RULE:LAYER-REGEX")
      ->type_name("RULE[:REGEX]")
      ->allow_extra_args(false);
  return command;
}

CLI::App* add_compare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("compare", "is the candidate slower than the base, and where");
  command
      ->add_option("SIDES", arguments.sides,
                   "BASE CANDIDATE; each a file, a directory or a comma-separated list; several "
                   "directories are repetitions")
      ->required()
      ->expected(2);
  add_output(*command, arguments.output);
  command->add_option("--top", arguments.top, "rows shown in full; 0: all")->capture_default_str();
  command
      ->add_option("--noise-floor", arguments.noise_floor_percent,
                   "percent: a smaller shift between single runs is no verdict")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command->add_option("--fail-on", arguments.fail_on, "exit 1 for: regression, cannot-tell, none")
      ->check(CLI::IsMember({"regression", "cannot-tell", "none"}))
      ->capture_default_str();
  command->add_flag("--force", arguments.force, "compare although the sides are not comparable");
  return command;
}

// `trtexec … | trtlens --tee -o r.html` is `trtlens analyze --tee -o r.html -`: options of analyze
// alone, with a log on standard input.
CLI::App* add_lint(CLI::App& app, LintArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "lint-log",
      "shapes of the log lines that trtlens does not know, with counts: to report them");
  command->footer(kLintExamples);
  command->add_option("FILE", arguments.paths, "logs; - (or none) is standard input");
  command->add_option("--top", arguments.top, "shapes shown, most frequent first; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--format", arguments.format,
                   "text, markdown or json (default: text on a terminal, else markdown)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "txt", "markdown", "md", "json"}));
  command->add_flag(
      "--with-samples", arguments.with_samples,
      "the first line of each shape as it stands in the log, with its names and paths");
  command
      ->add_option("--fail-on", arguments.fail_on,
                   "exit 1 when there is a malformed line, or an unknown (or malformed) one: "
                   "malformed, unknown, none")
      ->check(CLI::IsMember({"malformed", "unknown", "none"}))
      ->capture_default_str();
  command->add_flag("-q,--quiet", arguments.quiet, "no progress");
  command->add_flag("--timing", arguments.timing, kTimingHelp);
  return command;
}

std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  static const std::vector<std::string> own = {"-h", "--help", "--version"};
  const bool options_only =
      !arguments.empty() && arguments[0].size() > 1 && arguments[0][0] == '-' &&
      std::find(own.begin(), own.end(), arguments[0]) == own.end() && !stdin_is_terminal();
  if (options_only) {
    arguments.insert(arguments.begin(), "analyze");
    arguments.emplace_back("-");
  }
  return arguments;
}

// A first word that is no command: a file that wants `analyze`, or a slip of the finger.
bool complain_of_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0].empty() || arguments[0][0] == '-') return false;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == arguments[0]) return false;
    names.push_back(command->get_name());
  }
  const std::string near = nearest_name(arguments[0], names);
  if (::access(arguments[0].c_str(), F_OK) == 0) {
    complain("'" + arguments[0] + "' is no command; did you mean `trtlens analyze " + arguments[0] +
             "`?");
  } else {
    complain("'" + arguments[0] + "' is no command" +
             (near.empty() ? "; `trtlens --help` lists them" : "; did you mean '" + near + "'?"));
  }
  return true;
}

int run(int argc, char** argv) {
  CLI::App app(kAbout, "trtlens");
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("trtlens ") + TRTLENS_VERSION);
  app.require_subcommand(0, 1);
  AnalyzeArguments analyze_arguments;
  CompareArguments compare_arguments;
  LintArguments lint_arguments;
  RulesArguments rules_arguments;
  std::string rule;
  CLI::App* analyze_command = add_analyze(app, analyze_arguments);
  CLI::App* compare_command = add_compare(app, compare_arguments);
  CLI::App* lint_command = add_lint(app, lint_arguments);
  CLI::App* rules_command = app.add_subcommand("rules", "the rules: what each detects");
  rules_command->add_option("--category", rules_arguments.category, "only rules of this category");
  CLI::App* explain_command =
      app.add_subcommand("explain", "one rule: what, why, remedies, thresholds, sources");
  explain_command->add_option("RULE", rule, "id of the rule")->required();
  std::vector<std::string> words = arguments_of(argc, argv);
  if (complain_of_command(app, words)) return kExitFailure;
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      return print(text.str()) ? kExitDone : kExitFailure;
    }
    complain(error.what());
    complain("`trtlens --help` and `trtlens COMMAND --help` show what there is");
    return kExitFailure;
  }
  lint_arguments.format = format_of_name(lint_arguments.format);
  for (OutputOptions* output : {&analyze_arguments.output, &compare_arguments.output}) {
    output->format = format_of_name(output->format);
  }
  if (analyze_command->parsed()) return run_analyze(analyze_arguments);
  if (compare_command->parsed()) return run_compare(compare_arguments);
  if (lint_command->parsed()) return run_lint(std::move(lint_arguments));
  if (rules_command->parsed()) return run_rules(rules_arguments);
  if (explain_command->parsed()) return run_explain(rule);
  if (stdin_is_terminal()) {
    (void)print(app.help());
    return kExitFailure;
  }
  analyze_arguments.paths = {"-"};
  return run_analyze(analyze_arguments);
}

}  // namespace
}  // namespace trtlens

int main(int argc, char** argv) {
  // A reader that went away is seen at write(): no reason to be killed.
  (void)std::signal(SIGPIPE, SIG_IGN);
  try {
    return trtlens::run(argc, argv);
  } catch (const std::bad_alloc&) {
    trtlens::complain("out of memory");
  } catch (const std::exception& error) {
    trtlens::complain(std::string("internal error: ") + error.what());
  }
  return trtlens::kExitFailure;
}
