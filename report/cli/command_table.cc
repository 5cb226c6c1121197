// Rows of more than one command.
#include "report/cli/command_table.h"

#include "analyzers/text.h"
#include "report/cli/help_text.h"

namespace trtlens {

std::vector<OptionRow> joined(const std::vector<std::vector<OptionRow>>& lists) {
  std::vector<OptionRow> all;
  for (const std::vector<OptionRow>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<OptionRow> output_rows(OutputOptions& output, Formats formats) {
  return {{"-o,--output", &output.files,
           "write the report to FILE; its extension picks the format, or FORMAT:FILE does: " +
               format_extensions(formats) +
               (formats == Formats::of_reports ? "" : ", gl-code-quality-report.json") +
               (formats == Formats::and_csv ? "; FOLDER/ gets a page of each build" : ""),
           "FILE", false, place_problem},
          {.names = "--format",
           .into = &output.format,
           .help = "format on standard output: " + join(format_names(formats), ", ") +
                   " (default: text on a terminal, else markdown)",
           .type = "FORMAT",
           .problem = format_problem,
           .known = join(format_names(formats), ",")},
          {"--color", &output.color, "auto, always or never; NO_COLOR and TERM=dumb are honoured",
           "", false, one_of({"auto", "always", "never"})},
          {"-q,--quiet", &output.quiet, "no progress, no notes"},
          {"--timing", &output.timing, kTimingHelp}};
}

}  // namespace trtlens
