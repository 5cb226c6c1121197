// The command `convert`: the layers of a build, as rows also of several, in the format of another
// tool.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

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

const std::vector<const Converter*> kConverters = {&kCsv, &kDot, &kJsonl, &kPerfetto, &kSpeedscope};

const Converter& converter_of(const std::string& name) {
  for (const Converter* converter : kConverters) {
    if (converter->name == name) return *converter;
  }
  return kCsv;  // the command line takes no other name
}

void write_all_of(const std::vector<Analysis>& builds, const Converter& converter,
                  TextStream& out) {
  if (converter.write_heading != nullptr) converter.write_heading(out);
  for (const Analysis& build : builds) converter.write(build, out);
}

bool is_found(const ParseResult& parsed, const ConvertArguments& arguments) {
  if (parsed.run_not_found) {
    complain(fmt::format("--run {}: found {}", arguments.run,
                         count_text(static_cast<std::size_t>(parsed.run_count), "run")));
  } else if (parsed.build_not_found) {
    complain(fmt::format("--build {}: found {}", arguments.build,
                         count_text(parsed.builds.size(), "build")));
  }
  return !parsed.run_not_found && !parsed.build_not_found;
}

// As rows all builds, where none was picked.
std::vector<Analysis> converted(ParseResult parsed, const Converter& converter,
                                const ConvertArguments& arguments) {
  std::vector<Analysis> builds = analyze_all(std::move(parsed), AnalyzeOptions());
  if (builds.size() == 1 || (converter.is_rows && arguments.build == 0 && arguments.run == 0))
    return builds;
  if (!arguments.quiet) {
    complain(fmt::format("{} builds: {} is converted; --build N picks another one", builds.size(),
                         builds.front().name));
  }
  builds.resize(1);
  return builds;
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
  ParseOptions options = parse_options(output, nullptr);
  options.run = arguments.run;
  options.build = arguments.build;
  options.other_runs = true;
  ParseResult parsed = read_inputs(arguments.paths, options, output, times);
  if (!usable(parsed, arguments.paths, arguments.quiet) || !is_found(parsed, arguments))
    return kExitFailure;
  if (!to_stdout) output.files = {arguments.output};
  if (overwrites_input(output, parsed.inputs)) return kExitFailure;
  const int status = status_after(parsed, kExitDone);
  const std::vector<Analysis> builds = converted(std::move(parsed), converter, arguments);
  const auto has_layers = [](const Analysis& build) { return !build.build.layers.empty(); };
  if (std::ranges::none_of(builds, has_layers)) {
    complain("no layers in these inputs");
    return kExitFinding;
  }
  const auto write = [&](TextStream& out) { write_all_of(builds, converter, out); };
  const int error =
      to_stdout ? write_stream(STDOUT_FILENO, write) : write_file(arguments.output, write);
  if (error == 0) return status;
  complain((to_stdout ? "standard output" : arguments.output) + ": " + std::strerror(error));
  return kExitFailure;
}

CommandRow convert_command(ConvertArguments& a) {
  std::vector<std::string> names;
  names.reserve(kConverters.size());
  for (const Converter* converter : kConverters) names.emplace_back(converter->name);
  return {"convert",
          "the layers of a build in the format of another tool",
          "Examples:\n"
          "  trtlens convert --to perfetto build.log layers.json profile.json -o layers.pftrace\n"
          "  trtlens convert --to speedscope DIRECTORY -o layers.speedscope.json\n"
          "  trtlens convert --to dot DIRECTORY | dot -Tsvg > layers.svg\n"
          "  trtlens convert --to csv DIRECTORY -q > layers.csv\n"
          "  trtlens convert --to jsonl DIRECTORY -q | jq -r 'select(.precision_compute == "
          "\"FP32\") | .name'\n"
          "\n"
          "perfetto is a trace for ui.perfetto.dev, speedscope a file for speedscope.app: the "
          "layers in execution order, each as long as its mean in the profile. csv and jsonl have "
          "a row a layer, of all builds that are found. Exit status: 0 done; 1 there are no "
          "layers; 2 the inputs cannot be read, or it could not be written.",
          {{"PATH", &a.paths, "as of analyze", "", true},
           {"--to", &a.to, "the format: " + join(names, ", "), "FORMAT", true, one_of(names)},
           {"-o,--output", &a.output, "a file (default: standard output)", "FILE"},
           {"--run", &a.run, "report run N of the logs (default: the last)", "N", false,
            whole_number_from(1)},
           {"--build", &a.build,
            "build N of inputs that are of several (default: the first; rows: all)", "N", false,
            whole_number_from(1)},
           {"--redact", &a.redact, kRedactHelp},
           {"-q,--quiet", &a.quiet, "no progress, no notes"}}};
}

}  // namespace trtlens
