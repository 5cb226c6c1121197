// The formats of all commands, whatever they were called.
#include "report/cli/command_line.h"

namespace trtlens {

void name_formats(CommandLine& line) {
  for (std::string* format : {&line.lint_log.format, &line.rules.format, &line.explain.format}) {
    *format = format_of_name(*format);
  }
  for (OutputOptions* output : {&line.analyze.output, &line.watch.output, &line.compare.output,
                                &line.check.output, &line.history.output}) {
    output->format = format_of_name(output->format);
  }
}

}  // namespace trtlens
