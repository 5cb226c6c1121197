#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

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
bool other_build_reaches(const ParseResult& parsed, const AnalyzeArguments& arguments) {
  for (std::size_t i = 1; i < parsed.builds.size(); ++i) {
    AnalyzeOptions how;
    how.ignore = arguments.ignore;
    how.build = i;
    const Analysis other = analyze(parsed, how);
    if (!reaches(other.findings, arguments.fail_on)) continue;
    complain("--fail-on " + arguments.fail_on + " holds for " + other.name);
    return true;
  }
  return false;
}

// --ignore RULE[:REGEX]: a name that is no rule or a broken expression would silently do nothing.
bool valid_ignores(const std::vector<std::string>& ignores) {
  for (const std::string& item : ignores) {
    const std::string problem = ignore_problem(item);
    if (problem.empty()) continue;
    complain("--ignore " + item + ": " + problem);
    return false;
  }
  return true;
}

}  // namespace

int run_analyze(const AnalyzeArguments& arguments) {
  if (!valid_ignores(arguments.ignore)) return kExitFailure;
  ParseOptions options;
  options.run = arguments.run;
  if (arguments.tee) {
    options.tee = [](const char* data, std::size_t size) {
      (void)write_all(STDOUT_FILENO, data, size);
    };
  }
  ParseResult parsed = read_inputs(arguments.paths, options, arguments.output.quiet);
  if (!usable(parsed)) return kExitFailure;
  if (parsed.run_not_found) {
    complain(fmt::format("--run {}: there are {} runs", arguments.run, parsed.runs.size()));
    return kExitFailure;
  }
  AnalyzeOptions how;
  how.ignore = arguments.ignore;
  const bool fails_on_others = arguments.fail_on != "none" && parsed.builds.size() > 1 &&
                               other_build_reaches(parsed, arguments);
  const Analysis analysis = analyze(std::move(parsed), how);
  for (const std::string& other : analysis.other_builds) {
    complain("another build, not in this report: " + other);
  }
  OutputOptions output = arguments.output;
  output.report_to_stderr = arguments.tee;
  Report report;
  report.document = [&] { return build_document(analysis, arguments.top); };
  report.json = [&] { return json_of(analysis, TRTLENS_VERSION); };
  if (!write_report(report, output)) return kExitFailure;
  const bool found = reaches(analysis.findings, arguments.fail_on) || fails_on_others;
  return found ? kExitFinding : kExitDone;
}

}  // namespace trtlens
