// Parses the command line and runs the command; what is thrown ends here.
#include <csignal>
#include <exception>
#include <new>
#include <utility>

#include "parsers/input/mapped_window.h"
#include "report/cli/command_line.h"
#include "report/cli/help_text.h"
#include "report/cli/prompt/prompt.h"

namespace trtlens {
namespace {

int run(int argc, char** argv) {
  int status = kExitFailure;
  std::optional<CommandLine> line = read_command_line(argc, argv, status);
  if (!line) return status;
  switch (line->command) {
    case Command::analyze:
      return run_analyze(line->analyze);
    case Command::watch:
      return run_analyze(line->watch);
    case Command::compare:
      return run_compare(line->compare);
    case Command::expect:
      return run_expect(line->expect);
    case Command::check:
      return run_check(line->check);
    case Command::convert:
      return run_convert(line->convert);
    case Command::lint_log:
      return run_lint(std::move(line->lint_log));
    case Command::redact:
      return run_redact(line->redact);
    case Command::rules:
      return run_rules(line->rules);
    case Command::explain:
      return run_explain(line->explain);
    case Command::schema:
      return run_schema(line->schema);
    case Command::mcp:
      return run_mcp();
    case Command::history:
      return run_history(line->history);
    case Command::record:
      return run_record(line->record);
    case Command::completion:
      return run_completion(describe_commands(), line->shell);
    case Command::man:
      return run_man(describe_commands(), line->man_page);
    case Command::rule_ids:
      return run_rule_ids();
    case Command::threshold_names:
      return run_threshold_names();
    case Command::prompt_files:
      return run_prompt_files(describe_commands(), line->prompt_folder);
    case Command::none:
      (void)print(kFirstSteps);
  }
  return kExitFailure;
}

}  // namespace
}  // namespace trtlens

int main(int argc, char** argv) {
  // A reader that went away is seen at write(): no reason to be killed.
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes, too
  trtlens::allow_mapped_files();
  try {
    return trtlens::run(argc, argv);
  } catch (const std::bad_alloc&) {
    trtlens::complain("out of memory");
  } catch (const std::exception& error) {
    trtlens::complain(std::string("internal error: ") + error.what());
  }
  return trtlens::kExitFailure;
}
