// The command `lint-log`.
#include <fmt/format.h>

#include <optional>

#include "parsers/log/lint/lint.h"
#include "report/cli/commands.h"
#include "report/cli/progress.h"
#include "report/cli/timing.h"
#include "report/formats/lint_report.h"

namespace trtlens {
namespace {

LintResult read_logs(const LintArguments& arguments, StageTimes& times) {
  std::optional<ProgressLine> line;
  ParseOptions options;
  if (!arguments.quiet && stderr_is_terminal()) {
    line.emplace();
    options.progress = [&line](std::uint64_t done, std::uint64_t total) {
      line->update(done, total);
    };
  }
  options.input_done = [&times](const Input& input) {
    times.end("read and parse " + input.path, input.bytes);
  };
  LintResult result = lint_logs(arguments.paths, options);
  times.end("merge shapes");
  return result;
}

bool print_result(const LintResult& result, const LintArguments& arguments) {
  std::string format = arguments.format;
  if (format.empty()) format = stdout_is_terminal() ? "text" : "markdown";
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

int lint(const LintArguments& arguments, StageTimes& times) {
  const LintResult result = read_logs(arguments, times);
  bool all_read = true;
  bool any_read = false;
  for (const Input& input : result.inputs) {
    any_read = any_read || input.kind == InputKind::log;
    if (input.why.empty()) continue;
    complain(input.path + ": " + input.why);
    all_read = false;
  }
  if (!any_read) return kExitFailure;
  const bool printed = print_result(result, arguments);
  times.end("render");
  if (!all_read || !printed) return kExitFailure;
  return fails(result, arguments.fail_on) ? kExitFinding : kExitDone;
}

}  // namespace

int run_lint(LintArguments arguments) {
  if (arguments.paths.empty()) {
    if (stdin_is_terminal()) {
      complain("lint-log wants a log: FILE, or a pipe");
      return kExitFailure;
    }
    arguments.paths = {"-"};
  }
  StageTimes times(arguments.timing);
  const int status = lint(arguments, times);
  times.print();
  return status;
}

}  // namespace trtlens
