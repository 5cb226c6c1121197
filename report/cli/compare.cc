// The command `compare`: reads each side, compares it with the next, and decides the exit status.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "analyzers/compare/comparison.h"
#include "analyzers/text.h"
#include "parsers/input/file_id.h"
#include "parsers/parse.h"
#include "report/cli/commands.h"
#include "report/cli/reading.h"
#include "report/cli/usage_problem.h"
#include "report/document/comparison/comparison.h"
#include "report/document/comparison/matrix.h"
#include "report/document/sections/gate.h"
#include "report/formats/json/writer.h"
#include "report/history/history.h"
#include "report/history/intake.h"
#include "report/history/pages.h"

namespace trtlens {
namespace {

// A path that has commas is one path.
std::vector<std::string> split_side(const std::string& side) {
  std::error_code error;
  if (std::filesystem::exists(side, error)) return {side};
  std::vector<std::string> paths;
  for (const std::string_view path : split(side, ",")) {
    if (!path.empty()) paths.emplace_back(path);
  }
  return paths;
}

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

// The worst. Of variants some may fail to build: that is a row, as long as any can be compared.
int status_of(const std::vector<Comparison>& comparisons, const std::vector<GateResult>& gates,
              const CompareArguments& arguments) {
  const bool is_left_out = arguments.sides.size() > comparisons.size() + 1;
  int status = is_left_out ? kExitFailure : kExitDone;
  const bool all_refused = std::ranges::all_of(comparisons, &Comparison::refused);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const bool is_row = !arguments.against.empty() && comparisons[i].refused && !all_refused;
    if (!is_row) status = std::max(status, status_of(comparisons[i], gates[i]));
    for (const Analysis* side : {&comparisons[i].base, &comparisons[i].candidate}) {
      status = status_after(*side->reading, status);
    }
  }
  return status;
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

// What both sides read, which makes them no two builds.
void set_shared_files(const SideOfCommand& base, const SideOfCommand& candidate,
                      CompareOptions& options) {
  options.shared_files = in_both(base.files, candidate.files);
  // No file stands twice in a list, so that equal lengths are equal sets.
  options.same_files = !base.files.empty() && base.files.size() == options.shared_files.size() &&
                       base.files.size() == candidate.files.size();
}

// Each side with the one before it, or with the first. A side is compared before the next one is
// read, so that of many variants one at a time is held as it was read. A variant that cannot be
// read is left out.
bool compare_sides(const CompareArguments& arguments, const AnalyzeOptions& how,
                   CompareOptions options, StageTimes& times,
                   std::vector<Comparison>& comparisons) {
  const auto read = [&](std::size_t i, SideOfCommand& side) {
    const char* const which = i == 0                       ? "base"
                              : !arguments.against.empty() ? "variant"
                              : i == 1                     ? "candidate"
                                                           : "next";
    return read_side(arguments.sides[i], which, arguments.output, how, side, times);
  };
  SideOfCommand base;
  if (!read(0, base)) return false;
  for (std::size_t i = 1; i < arguments.sides.size(); ++i) {
    SideOfCommand side;
    if (!read(i, side)) {
      if (arguments.against.empty()) return false;
      continue;
    }
    set_shared_files(base, side, options);
    SideOfCommand next;
    if (i + 1 < arguments.sides.size()) next = arguments.against.empty() ? side : base;
    comparisons.push_back(compare(std::move(base.runs), std::move(side.runs), options));
    base = std::move(next);
  }
  return !comparisons.empty();
}

// The candidate with the last good build before it.
bool compare_with_history(const CompareArguments& arguments, const AnalyzeOptions& how,
                          CompareOptions options, StageTimes& times,
                          std::vector<Comparison>& comparisons) {
  SideOfCommand candidate;
  if (!read_side(arguments.sides[0], "candidate", arguments.output, how, candidate, times)) {
    return false;
  }
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
    const std::string which = comparisons.size() > 1 ? comparison.candidate.name + ": " : "";
    for (const std::string& reason : comparison.not_comparable) {
      const char* const how = comparison.refused ? "not comparable" : "compared by force";
      complain(fmt::format("{}{}: {}", which, how, reason));
    }
    refused = refused || comparison.refused;
    can_force = can_force && comparison.can_force;
  }
  if (!refused) return;
  complain(can_force ? "--force compares them anyway" : "--force cannot help: a side has no time");
}

Document document_of(const std::vector<Comparison>& comparisons,
                     const std::vector<GateResult>& gates, const CompareArguments& arguments) {
  const bool is_matrix = !arguments.against.empty() && comparisons.size() > 1;
  Document document = is_matrix ? matrix_of(comparisons, gates, arguments.top)
                                : build_document(comparisons, gates, arguments.top);
  for (std::size_t i = 0; i < gates.size(); ++i) {
    Document& one = document.each.empty() ? document : document.each[i];
    add_accepted(gates[i], arguments.top, one);
    if (!document.each.empty() && !is_matrix) document.comparisons[i] = one.comparisons[0];
  }
  return document;
}

}  // namespace

bool takes_sides(const CompareArguments& arguments) {
  constexpr std::size_t kMostInARow = 3;
  const std::size_t sides = arguments.sides.size();
  const bool by_history = !arguments.history.empty(), by_base = !arguments.against.empty();
  std::string problem;
  if (by_history && (sides != 1 || by_base)) {
    problem = "compare --history takes one side: the candidate";
  } else if (!by_history && !arguments.series.empty()) {
    problem = "--series is for compare --history";
  } else if (by_base && sides < 2) {
    problem = "compare --against base takes the base and at least one variant";
  } else if (!by_history && sides < 2) {
    problem = words_problem("compare");
  } else if (!by_base && sides > kMostInARow) {
    problem = fmt::format(
        "compare takes three sides at most, each compared with the one before it; --against base "
        "compares {} with {}",
        sides - 1, arguments.sides[0]);
  }
  if (problem.empty()) return true;
  complain(problem);
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
  how.whole_profiles = true;
  if (!set_rules(arguments.rules, arguments.ignore, how)) return kExitFailure;
  CompareOptions options;
  options.noise_floor = arguments.noise_floor_percent / 100;
  options.margin = arguments.gate.threshold_percent / 100;
  options.force = arguments.force;
  options.analyze = how;
  std::vector<Comparison> comparisons;
  const auto how_to = arguments.history.empty() ? compare_sides : compare_with_history;
  if (!how_to(arguments, how, options, times, comparisons)) return kExitFailure;
  std::vector<GateResult> gates;
  gates.reserve(comparisons.size());
  for (const Comparison& comparison : comparisons) {
    gates.push_back(hold(comparison, gate_options(arguments.gate, arguments.ignore), baseline));
  }
  times.end("compare");
  const int status = status_of(comparisons, gates, arguments);
  complain_refusals(comparisons);
  std::vector<BaselineEntry> gone = baseline.entries;
  for (GateResult& gate : gates) keep_gone(gate, gone);
  for (GateResult& gate : gates) gate.gone = gone;
  if (!arguments.output.quiet) name_gone(gone, arguments.gate.baseline);
  Report report;
  report.document = [&] { return document_of(comparisons, gates, arguments); };
  report.json = [&](TextStream& out) {
    write_json(comparisons, gates, TRTLENS_VERSION, out, !arguments.against.empty());
  };
  report.gate = [&] { return gate_report(comparisons, gates); };
  if (!write_report(report, arguments.output, times)) return kExitFailure;
  return status;
}

}  // namespace trtlens
