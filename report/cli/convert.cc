// The command `convert`: the layers of one build in the format of another tool.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "report/cli/commands.h"
#include "report/cli/help_text.h"
#include "report/cli/output_file.h"
#include "report/cli/reading.h"
#include "report/cli/redaction.h"
#include "report/cli/value_problem.h"
#include "report/formats/convert/convert.h"

namespace trtlens {
namespace {

const Converter& converter_of(const std::string& name) {
  for (const Converter* converter : all_converters()) {
    if (converter->name == name) return *converter;
  }
  return kCsv;  // the command line takes no other name
}

// 0 or errno.
int write_to(int fd, const Converter& converter, const Analysis& analysis) {
  int error = 0;
  TextStream out([&](std::string_view piece) {
    if (error == 0 && !write_all(fd, piece.data(), piece.size())) error = errno;
  });
  converter.write(analysis, out);
  out.flush();
  return error;
}

int write_to(const std::string& path, const Converter& converter, const Analysis& analysis) {
  OutputFile file;
  if (const int error = file.open(path); error != 0) return error;
  const int error = write_to(file.fd(), converter, analysis);
  return error != 0 ? error : file.commit();
}

bool is_found(const ParseResult& parsed, const ConvertArguments& arguments) {
  if (parsed.run_not_found) {
    complain(fmt::format("--run {}: there are {} runs", arguments.run, parsed.run_count));
  } else if (parsed.build_not_found) {
    complain(fmt::format("--build {}: there are {} builds", arguments.build, parsed.builds.size()));
  }
  return !parsed.run_not_found && !parsed.build_not_found;
}

}  // namespace

int run_convert(const ConvertArguments& arguments) {
  const Converter& converter = converter_of(arguments.to);
  OutputOptions output;
  output.quiet = arguments.quiet;
  if (arguments.redact) output.redactor = new_redactor();
  const bool to_stdout = arguments.output.empty() || arguments.output == "-";
  if (to_stdout && converter.is_binary && is_terminal(STDOUT_FILENO)) {
    complain(arguments.to + " is binary: -o FILE, or a pipe");
    return kExitFailure;
  }
  StageTimes times(false);
  ParseOptions options;
  options.run = arguments.run;
  options.build = arguments.build;
  options.known_message = known_message(nullptr);
  set_redaction(output, nullptr, options);
  ParseResult parsed = read_inputs(arguments.paths, options, output, times);
  if (!usable(parsed, arguments.paths, arguments.quiet) || !is_found(parsed, arguments))
    return kExitFailure;
  if (!to_stdout) output.files = {arguments.output};
  if (overwrites_input(output, parsed.inputs)) return kExitFailure;
  const std::size_t builds = parsed.builds.size();
  const Analysis analysis = analyze(std::move(parsed), AnalyzeOptions());
  if (builds > 1 && !arguments.quiet) {
    complain(fmt::format("{} builds: {} is converted; --build N picks another one", builds,
                         analysis.name));
  }
  if (analysis.build.layers.empty()) {
    complain("no layers in these inputs");
    return kExitFailure;
  }
  const int error = to_stdout ? write_to(STDOUT_FILENO, converter, analysis)
                              : write_to(arguments.output, converter, analysis);
  if (error == 0) return kExitDone;
  complain((to_stdout ? "standard output" : arguments.output) + ": " + std::strerror(error));
  return kExitFailure;
}

CommandRow convert_command(ConvertArguments& a) {
  std::vector<std::string> names;
  for (const Converter* converter : all_converters()) names.emplace_back(converter->name);
  return {
      "convert",
      "the layers of a build in the format of another tool",
      kConvertExamples,
      {{"PATH", &a.paths, "as of analyze", "", true},
       {"--to", &a.to, "the format: " + join(names, ", "), "FORMAT", true, one_of(names)},
       {"-o,--output", &a.output, "a file (default: standard output)", "FILE"},
       {"--run", &a.run, "report run N of the logs (default: the last)", "N", false,
        whole_number_from(1)},
       {"--build", &a.build, "report build N of inputs that are of several (default: the first)",
        "N", false, whole_number_from(1)},
       {"--redact", &a.redact, kRedactHelp},
       {"-q,--quiet", &a.quiet, "no progress, no notes"}}};
}

}  // namespace trtlens
