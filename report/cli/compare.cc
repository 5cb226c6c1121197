// The command `compare`: reads each side, compares it with the next, and decides the exit status.
#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "analyzers/compare/comparison.h"
#include "parsers/input/file_id.h"
#include "parsers/parse.h"
#include "report/cli/commands.h"
#include "report/cli/reading.h"
#include "report/cli/usage_problem.h"
#include "report/document/comparison/comparison.h"
#include "report/document/sections/gate.h"
#include "report/formats/json/writer.h"
#include "report/history/history.h"
#include "report/history/intake.h"
#include "report/history/pages.h"

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

constexpr std::array<const char*, 3> kSides{"base", "candidate", "next"};

struct SideOfCommand {
  std::vector<Analysis> runs;
  std::vector<std::string> files;  // that could be read
};

// One analysis for each build of a side: several are repetitions. Their order on the command line
// says nothing.
bool read_side(const std::string& side, const char* which, const OutputOptions& output,
               const AnalyzeOptions& how, SideOfCommand& read, StageTimes& times) {
  std::vector<std::string> paths = split_side(side);
  std::sort(paths.begin(), paths.end());
  read.runs = read_builds(paths, how, output, times,
                          side +
                              ": nothing in it was written by TensorRT or trtexec, so there is "
                              "nothing to compare",
                          which);
  if (read.runs.empty()) return false;
  for (const Input& input : read.runs.front().reading->inputs) {
    if (input.kind != InputKind::unknown) read.files.push_back(input.file);
  }
  return true;
}

int status_of(const Comparison& comparison, const GateResult& gate) {
  if (comparison.refused) return kExitNotComparable;
  return gate.fails() ? kExitFinding : kExitDone;
}

// Of `a`, those that are in `b`, by whatever paths they were named.
std::vector<std::string> in_both(const std::vector<std::string>& a,
                                 const std::vector<std::string>& b) {
  std::set<FileId> of_b;
  for (const std::string& path : b) {
    if (const auto id = file_id(path)) of_b.insert(*id);
  }
  std::vector<std::string> both;
  std::copy_if(a.begin(), a.end(), std::back_inserter(both), [&](const std::string& path) {
    const auto id = file_id(path);
    return id && of_b.count(*id) != 0;
  });
  return both;
}

// Each side with the next one.
std::vector<Comparison> compare_all(std::vector<SideOfCommand> sides, CompareOptions options) {
  std::vector<Comparison> all;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    std::vector<Analysis> next;
    if (i + 2 == sides.size()) {
      next = std::move(sides[i + 1].runs);
    } else {
      next = sides[i + 1].runs;
    }
    const std::vector<std::string>& files = sides[i].files;
    options.shared_files = in_both(files, sides[i + 1].files);
    // No file stands twice in a list, so that equal lengths are equal sets.
    options.same_files = !files.empty() && files.size() == options.shared_files.size() &&
                         files.size() == sides[i + 1].files.size();
    all.push_back(compare(std::move(sides[i].runs), std::move(next), options));
  }
  return all;
}

// The candidate with the last good build before it.
bool compare_with_history(const CompareArguments& arguments, SideOfCommand candidate,
                          CompareOptions options, std::vector<Comparison>& comparisons) {
  History history(arguments.history, History::Access::read);
  if (!history.ok()) {
    complain(arguments.history + ": " + history.error());
    return false;
  }
  const std::string series =
      arguments.series.empty() ? record_of(candidate.runs.front(), "").series : arguments.series;
  const std::vector<Identity> identities = identities_of(candidate.runs);
  HistoryBase base = base_in(history, series, identities.front().text);
  if (!base.error.empty()) {
    complain(arguments.history + ": " + base.error);
    return false;
  }
  options.earlier = std::move(base.earlier);
  std::vector<Analysis> side;
  side.push_back(std::move(base.analysis));
  comparisons.push_back(compare(std::move(side), std::move(candidate.runs), options));
  comparisons.back().engine.notes.insert(comparisons.back().engine.notes.begin(), base.note);
  return true;
}

// On standard error, too: what exit status 3 is about.
void complain_refusals(const std::vector<Comparison>& comparisons) {
  bool refused = false, can_force = true;
  for (const Comparison& comparison : comparisons) {
    for (const std::string& reason : comparison.not_comparable) {
      complain((comparison.refused ? "not comparable: " : "compared by force: ") + reason);
    }
    refused = refused || comparison.refused;
    can_force = can_force && comparison.can_force;
  }
  if (!refused) return;
  complain(can_force ? "--force compares them anyway" : "--force cannot help: a side has no time");
}

}  // namespace

bool takes_sides(const CompareArguments& arguments) {
  const std::size_t sides = arguments.sides.size();
  if (arguments.history.empty() ? sides > 1 : sides == 1) return true;
  complain(arguments.history.empty() ? words_problem("compare")
                                     : "compare --history takes one side: the candidate");
  complain("`trtlens --help` and `trtlens COMMAND --help` show what there is");
  return false;
}

int run_compare(const CompareArguments& arguments) {
  if (arguments.output.redactor && !arguments.history.empty()) {
    complain("--redact cannot go with --history, which has names of its own");
    return kExitFailure;
  }
  StageTimes times(arguments.output.timing);
  Baseline baseline;
  if (!read_baseline(arguments.gate.baseline, baseline)) return kExitFailure;
  AnalyzeOptions how;
  if (!set_rules(arguments.rules, arguments.ignore, how)) return kExitFailure;
  std::vector<SideOfCommand> sides(arguments.sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const char* const which = arguments.history.empty() ? kSides.at(i) : kSides[1];
    if (!read_side(arguments.sides[i], which, arguments.output, how, sides[i], times)) {
      return kExitFailure;
    }
  }
  CompareOptions options;
  options.noise_floor = arguments.noise_floor_percent / 100;
  options.margin = arguments.gate.threshold_percent / 100;
  options.force = arguments.force;
  options.analyze = how;
  std::vector<Comparison> comparisons;
  if (arguments.history.empty()) {
    comparisons = compare_all(std::move(sides), options);
  } else if (!compare_with_history(arguments, std::move(sides[0]), options, comparisons)) {
    return kExitFailure;
  }
  std::vector<GateResult> gates;
  gates.reserve(comparisons.size());
  for (const Comparison& comparison : comparisons) {
    gates.push_back(hold(comparison, gate_options(arguments.gate, arguments.ignore), baseline));
  }
  times.end("compare");
  int status = kExitDone;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    status = std::max(status, status_of(comparisons[i], gates[i]));
  }
  complain_refusals(comparisons);
  std::vector<BaselineEntry> gone = baseline.entries;
  for (GateResult& gate : gates) keep_gone(gate, gone);
  for (GateResult& gate : gates) gate.gone = gone;
  if (!arguments.output.quiet) name_gone(gone, arguments.gate.baseline);
  Report report;
  report.document = [&] {
    Document document = build_document(comparisons, gates, arguments.top);
    for (std::size_t i = 0; i < gates.size(); ++i) {
      Document& one = document.each.empty() ? document : document.each[i];
      add_accepted(gates[i], arguments.top, one);
      if (!document.each.empty()) document.comparisons[i] = one.comparisons[0];
    }
    return document;
  };
  report.json = [&](TextStream& out) { write_json(comparisons, gates, TRTLENS_VERSION, out); };
  report.gate = [&] { return gate_report(comparisons, gates); };
  if (!write_report(report, arguments.output, times)) return kExitFailure;
  return status;
}

}  // namespace trtlens
