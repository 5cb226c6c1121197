#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "parsers/parse.h"
#include "report/cli/commands.h"
#include "report/cli/reading.h"
#include "report/document_gate.h"
#include "report/json_writer.h"

namespace trtlens {
namespace {

GateOptions gate_options(const AnalyzeArguments& arguments) {
  GateOptions options;
  options.fail_on = arguments.gate.fail_on;
  options.threshold = arguments.gate.threshold_percent / 100;
  return options;
}

// The report is on the first build; a gate looks at all of them.
bool other_build_fails(ParseResult& parsed, const AnalyzeArguments& arguments,
                       const AnalyzeOptions& how, const Baseline& baseline) {
  bool fails = false;
  for (std::size_t i = 1; i < parsed.builds.size(); ++i) {
    Analysis other = analyze(take_build(parsed, i), how);
    const Gate gate = hold(other, gate_options(arguments), baseline);
    if (!gate.fails()) continue;
    complain("--fail-on " + arguments.gate.fail_on + " holds for " + other.name);
    fails = true;
  }
  return fails;
}

void name_others(const std::vector<std::string>& others) {
  constexpr std::size_t kNamed = 5;
  for (std::size_t i = 0; i < std::min(others.size(), kNamed); ++i) {
    complain("another build, not in this report: " + others[i]);
  }
  if (others.size() > kNamed) complain(fmt::format("… and {} more", others.size() - kNamed));
}

int analyze_with(const AnalyzeArguments& arguments, StageTimes& times) {
  AnalyzeOptions how;
  if (!set_rules(arguments.rules, arguments.ignore, how)) return kExitFailure;
  ParseOptions options;
  options.run = arguments.run;
  options.keep_tactics = arguments.keep_tactics;
  int tee_error = 0;
  if (arguments.tee) {
    options.tee = [&tee_error](const char* data, std::size_t size) {
      if (tee_error == 0 && !write_all(STDOUT_FILENO, data, size)) tee_error = errno;
    };
  }
  Baseline baseline;
  if (!read_baseline(arguments.gate.baseline, baseline)) return kExitFailure;
  ParseResult parsed = read_inputs(arguments.paths, options, arguments.output, times);
  if (tee_error != 0) complain(std::string("standard output: ") + std::strerror(tee_error));
  if (!usable(parsed)) return kExitFailure;
  if (overwrites_input(arguments.output, parsed.inputs)) return kExitFailure;
  if (parsed.run_not_found) {
    complain(fmt::format("--run {}: there are {} runs", arguments.run, parsed.runs.size()));
    return kExitFailure;
  }
  const bool others_fail = arguments.gate.fail_on != "none" && parsed.builds.size() > 1 &&
                           other_build_fails(parsed, arguments, how, baseline);
  Analysis analysis = analyze(std::move(parsed), how);
  Gate gate = hold(analysis, gate_options(arguments), baseline);
  if (!analysis.other_builds.empty()) gate.gone.clear();  // they may be of another build
  times.end("analyze");
  name_others(analysis.other_builds);
  if (!arguments.output.quiet) name_gone(gate.gone, arguments.gate.baseline);
  OutputOptions output = arguments.output;
  output.report_to_stderr = arguments.tee;
  Report report;
  report.document = [&] {
    Document document = build_document(analysis, arguments.top);
    add_accepted(gate, arguments.top, document);
    return document;
  };
  report.json = [&](TextStream& out) { write_json(analysis, TRTLENS_VERSION, out, &gate); };
  report.gate = [&] { return gate_report(analysis, gate); };
  if (!write_report(report, output, times)) return kExitFailure;
  if (tee_error != 0) return kExitFailure;
  return gate.fails() || others_fail ? kExitFinding : kExitDone;
}

}  // namespace

int run_analyze(const AnalyzeArguments& arguments) {
  StageTimes times(arguments.output.timing);
  const int status = analyze_with(arguments, times);
  times.print();
  return status;
}

}  // namespace trtlens
