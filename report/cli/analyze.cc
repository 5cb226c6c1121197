#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "parsers/parse.h"
#include "report/cli/commands.h"
#include "report/cli/reading.h"
#include "report/json_writer.h"

namespace trtlens {
namespace {

// Whether a finding reaches the severity that --fail-on names.
bool reaches(const std::vector<Finding>& findings, const std::string& fail_on) {
  const std::vector<std::string> order = {"info", "minor", "moderate", "major", "fatal"};
  const auto limit = std::find(order.begin(), order.end(), fail_on);
  if (limit == order.end()) return false;
  const auto least = static_cast<int>(limit - order.begin());
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return static_cast<int>(f.severity) >= least; });
}

// The report is on the first build; a gate looks at all of them.
bool other_build_reaches(ParseResult& parsed, const AnalyzeArguments& arguments,
                         const AnalyzeOptions& how) {
  for (std::size_t i = 1; i < parsed.builds.size(); ++i) {
    const Analysis other = analyze(take_build(parsed, i), how);
    if (!reaches(other.findings, arguments.fail_on)) continue;
    complain("--fail-on " + arguments.fail_on + " holds for " + other.name);
    return true;
  }
  return false;
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
  how.ignore = arguments.ignore;
  if (!arguments.rules.paths.empty() || !arguments.rules.thresholds.empty()) {
    how.rules = read_rules(arguments.rules);
    if (!how.rules) return kExitFailure;
  }
  for (const std::string& item : how.ignore) {
    const std::string problem = ignore_problem(item, how.rules.get());
    if (problem.empty()) continue;
    complain("--ignore: " + item + ": " + problem);
    return kExitFailure;
  }
  ParseOptions options;
  options.run = arguments.run;
  options.keep_tactics = arguments.keep_tactics;
  int tee_error = 0;
  if (arguments.tee) {
    options.tee = [&tee_error](const char* data, std::size_t size) {
      if (tee_error == 0 && !write_all(STDOUT_FILENO, data, size)) tee_error = errno;
    };
  }
  ParseResult parsed = read_inputs(arguments.paths, options, arguments.output, times);
  if (tee_error != 0) complain(std::string("standard output: ") + std::strerror(tee_error));
  if (!usable(parsed)) return kExitFailure;
  if (overwrites_input(arguments.output, parsed.inputs)) return kExitFailure;
  if (parsed.run_not_found) {
    complain(fmt::format("--run {}: there are {} runs", arguments.run, parsed.runs.size()));
    return kExitFailure;
  }
  const bool fails_on_others = arguments.fail_on != "none" && parsed.builds.size() > 1 &&
                               other_build_reaches(parsed, arguments, how);
  const Analysis analysis = analyze(std::move(parsed), how);
  times.end("analyze");
  name_others(analysis.other_builds);
  OutputOptions output = arguments.output;
  output.report_to_stderr = arguments.tee;
  Report report;
  report.document = [&] { return build_document(analysis, arguments.top); };
  report.json = [&](TextStream& out) { write_json(analysis, TRTLENS_VERSION, out); };
  if (!write_report(report, output, times)) return kExitFailure;
  const bool found = reaches(analysis.findings, arguments.fail_on) || fails_on_others;
  if (tee_error != 0) return kExitFailure;
  return found ? kExitFinding : kExitDone;
}

}  // namespace

int run_analyze(const AnalyzeArguments& arguments) {
  StageTimes times(arguments.output.timing);
  const int status = analyze_with(arguments, times);
  times.print();
  return status;
}

}  // namespace trtlens
