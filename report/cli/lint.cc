// The command `lint-log`.
#include <unistd.h>

#include "analyzers/rules/rule.h"
#include "parsers/log/lint/lint.h"
#include "report/cli/commands.h"
#include "report/cli/help_text.h"
#include "report/cli/reading.h"
#include "report/cli/redaction.h"
#include "report/cli/timing.h"
#include "report/cli/value_problem.h"
#include "report/document/parts.h"
#include "report/formats/lint_report.h"

namespace trtlens {
namespace {

LintResult read_logs(const LintArguments& arguments, StageTimes& times) {
  OutputOptions output;
  if (arguments.redact) output.redactor = new_redactor();
  ParseOptions options = parse_options(output, nullptr);
  const ReadingWatch watch(!arguments.quiet, times, options);
  return lint_logs(arguments.paths, options);
}

bool print_result(const LintResult& result, const LintArguments& arguments) {
  std::string format = arguments.format;
  if (format.empty()) format = is_terminal(STDOUT_FILENO) ? "text" : "markdown";
  LintView view;
  view.top = static_cast<std::size_t>(arguments.top);
  view.samples = arguments.with_samples;
  if (format == "json") return print(lint_json(result, view, TRTLENS_VERSION));
  if (format == "markdown") return print(lint_markdown(result, view, TRTLENS_VERSION));
  return print(lint_text(result, view, TRTLENS_VERSION));
}

bool fails(const LintResult& result, const std::string& fail_on) {
  const bool malformed = result.coverage.of(LineClass::malformed) > 0;
  if (fail_on == "malformed") return malformed;
  return fail_on == "unknown" && (malformed || result.coverage.of(LineClass::unknown) > 0);
}

}  // namespace

int run_lint(LintArguments arguments) {
  if (arguments.paths.empty()) {
    if (is_terminal(STDIN_FILENO)) {
      complain("lint-log wants a log: FILE, or a pipe");
      return kExitFailure;
    }
    arguments.paths = {"-"};
  }
  StageTimes times(arguments.timing);
  const LintResult result = read_logs(arguments, times);
  times.end("merge shapes");
  bool all_read = true;
  bool any_read = false;
  for (const Input& input : result.inputs) {
    any_read = any_read || input.kind == InputKind::log;
    if (input.why.empty()) continue;
    complain(input_text(input.file) + ": " + input.why);
    all_read = false;
  }
  if (!any_read) return kExitFailure;
  const bool printed = print_result(result, arguments);
  times.end("render");
  if (!all_read || !printed) return kExitFailure;
  return fails(result, arguments.fail_on) ? kExitFinding : kExitDone;
}

CommandRow lint_command(LintArguments& a) {
  return {"lint-log",
          "shapes of the log lines that trtlens does not know, with counts: to report them",
          "Examples:\n"
          "  trtlens lint-log build.log\n"
          "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens lint-log --format markdown\n"
          "  trtlens lint-log *.log --top 0 --with-samples\n"
          "  trtlens lint-log build.log --fail-on malformed\n"
          "\n"
          "Names, paths and numbers are folded into <name>, <n> and the like; a layer called by a "
          "plain word may remain: look before you paste. --with-samples shows lines as they are.\n"
          "\n"
          "Exit status: 0 done; 1 for --fail-on; 2 a file could not be read as a log.",
          {{"FILE", &a.paths, "logs; - (or none) is standard input"},
           {"--top", &a.top, "shapes shown, most frequent first; 0: all", "", false,
            whole_number_from(0), true},
           {"--format", &a.format,
            "text, markdown or json (default: text on a terminal, else markdown)", "FORMAT", false,
            one_of(kPlainFormats)},
           {"--redact", &a.redact, kRedactHelp},
           {"--with-samples", &a.with_samples,
            "the first line of each shape as it stands in the log, with its names and paths"},
           {"--fail-on", &a.fail_on,
            "exit 1 when there is a malformed line, or an unknown (or malformed) one: malformed, "
            "unknown, none",
            "WHAT", false, one_of({"malformed", "unknown", "none"}), true},
           {"-q,--quiet", &a.quiet, "no progress"},
           {"--timing", &a.timing, kTimingHelp}}};
}

}  // namespace trtlens
