// Shows progress while inputs are read, and says which of them are of no use.
#include "report/cli/reading.h"
#include "report/document/parts.h"

#include <unistd.h>

#include <algorithm>

#include "analyzers/text.h"
#include "report/cli/commands.h"
#include "report/cli/redaction.h"
#include "report/cli/rule_files.h"

namespace trtlens {

ReadingWatch::ReadingWatch(bool shows_progress, StageTimes& times, ParseOptions& options) {
  if (shows_progress && is_terminal(STDERR_FILENO)) {
    line_.emplace();
    options.progress = [this](std::uint64_t done, std::uint64_t total) {
      line_->update(done, total);
    };
  }
  options.input_done = [&times](const Input& input) {
    times.end("read and parse " + input.path, input.bytes);
  };
}

ParseResult read_inputs(const std::vector<std::string>& paths, ParseOptions options,
                        const OutputOptions& output, StageTimes& times) {
  // With --tee the log itself may run over the same terminal.
  const bool alone = !options.tee || !is_terminal(STDOUT_FILENO);
  const ReadingWatch watch(!output.quiet && alone, times, options);
  ParseResult result = parse_inputs(paths, options);
  times.end("join");
  return result;
}

bool usable(const Reading& parsed, const std::vector<std::string>& paths, bool quiet,
            const std::string& side) {
  bool any = false;
  for (const Input& input : parsed.inputs) {
    if (!input.why.empty()) {
      // In a directory other files lie about; only what the user named deserves a word.
      if (input.explicitly_named) complain(input_text(input.file) + ": " + input.why);
      continue;
    }
    if (input.kind == InputKind::unknown) {
      if (input.explicitly_named) {
        complain(input.file +
                 ": JSON, but none of trtexec's exports (layer info, profile, times, "
                 "output) nor TREx metadata");
      }
      continue;
    }
    any = true;
  }
  std::vector<Diagnostic> diagnostics = parsed.diagnostics;
  std::erase_if(diagnostics, [](const Diagnostic& one) {
    return one.id == "input-interrupted";  // who asked for it is told so in plain words
  });
  print_diagnostics(diagnostics, quiet);
  if (any) return true;
  const bool named = std::any_of(parsed.inputs.begin(), parsed.inputs.end(),
                                 [](const Input& i) { return i.explicitly_named; });
  const std::string start = side.empty() ? "" : side + ": ";
  if (!named) {
    complain(start +
             (parsed.inputs.empty() ? "no file in " : "no log of trtexec and no JSON export in ") +
             join(paths, ", "));
  } else if (parsed.inputs.size() > 1) {
    complain(start + "nothing that could be analyzed");
  }
  return false;
}

int status_after(const Reading& reading, int status) {
  const bool all_read = std::ranges::none_of(reading.inputs, &Input::is_missing);
  return all_read ? status : std::max<int>(status, kExitFailure);
}

std::vector<Analysis> read_builds(const std::vector<std::string>& paths, const AnalyzeOptions& how,
                                  const OutputOptions& output, StageTimes& times,
                                  const std::string& nothing, const std::string& side) {
  ParseResult parsed = read_inputs(paths, parse_options(output, how.rules.get()), output, times);
  if (!usable(parsed, paths, output.quiet, side) || overwrites_input(output, parsed.inputs)) {
    return {};
  }
  if (parsed.builds.empty()) {
    complain(nothing);
    return {};
  }
  std::vector<Analysis> builds = analyze_all(std::move(parsed), how);
  times.end("analyze");
  return builds;
}

}  // namespace trtlens
