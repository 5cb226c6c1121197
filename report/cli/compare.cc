#include <algorithm>
#include <utility>

#include "analyzers/compare/comparison.h"
#include "parsers/parse.h"
#include "report/cli/commands.h"
#include "report/cli/reading.h"
#include "report/document_comparison.h"
#include "report/json_writer.h"

namespace trtlens {
namespace {

std::vector<std::string> split_side(const std::string& side) {
  std::vector<std::string> paths;
  std::size_t at = 0;
  while (at <= side.size()) {
    const std::size_t comma = side.find(',', at);
    const std::string path = side.substr(at, comma == std::string::npos ? comma : comma - at);
    if (!path.empty()) paths.push_back(path);
    if (comma == std::string::npos) break;
    at = comma + 1;
  }
  return paths;
}

// One analysis for each build of a side: several are repetitions.
bool read_side(const std::string& side, const OutputOptions& output, std::vector<Analysis>& runs,
               StageTimes& times) {
  ParseResult parsed = read_inputs(split_side(side), ParseOptions(), output, times);
  if (!usable(parsed) || overwrites_input(output, parsed.inputs)) return false;
  for (std::size_t i = 0; i < parsed.builds.size(); ++i) {
    runs.push_back(analyze(take_build(parsed, i), AnalyzeOptions()));
    runs.back().other_builds.clear();
  }
  times.end("analyze");
  return !runs.empty();
}

int status_of(const Comparison& c, const CompareArguments& arguments) {
  if (!c.comparable && !arguments.force) return kExitNotComparable;
  const Verdict verdict = c.engine.verdict;
  if (arguments.fail_on == "regression" && verdict == Verdict::regressed) return kExitFinding;
  if (arguments.fail_on == "cannot-tell" &&
      (verdict == Verdict::regressed || verdict == Verdict::cannot_tell)) {
    return kExitFinding;
  }
  return kExitDone;
}

// Each side with the next one.
std::vector<Comparison> compare_all(std::vector<std::vector<Analysis>> sides,
                                    const CompareOptions& options) {
  std::vector<Comparison> all;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    std::vector<Analysis> next;
    if (i + 2 == sides.size()) {
      next = std::move(sides[i + 1]);
    } else {
      next = sides[i + 1];
    }
    all.push_back(compare(std::move(sides[i]), std::move(next), options));
  }
  return all;
}

int compare_with(const CompareArguments& arguments, StageTimes& times) {
  std::vector<std::vector<Analysis>> sides(arguments.sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (!read_side(arguments.sides[i], arguments.output, sides[i], times)) {
      return kExitFailure;
    }
  }
  CompareOptions options;
  options.noise_floor = arguments.noise_floor_percent / 100;
  options.margin = arguments.threshold_percent / 100;
  options.force = arguments.force;
  const std::vector<Comparison> comparisons = compare_all(std::move(sides), options);
  times.end("compare");
  int status = kExitDone;
  bool refused = false;
  for (const Comparison& comparison : comparisons) {
    status = std::max(status, status_of(comparison, arguments));
    for (const std::string& reason : comparison.not_comparable) {
      refused = true;
      complain("not comparable: " + reason);
    }
  }
  if (refused && !arguments.force) complain("--force compares them all the same");
  Report report;
  report.document = [&] { return build_document(comparisons, arguments.top); };
  report.json = [&](TextStream& out) { write_json(comparisons, TRTLENS_VERSION, out); };
  if (!write_report(report, arguments.output, times)) return kExitFailure;
  return status;
}

}  // namespace

int run_compare(const CompareArguments& arguments) {
  StageTimes times(arguments.output.timing);
  const int status = compare_with(arguments, times);
  times.print();
  return status;
}

}  // namespace trtlens
