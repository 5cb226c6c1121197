// Entries of one build or comparison, and of several as one gate.
#include "report/formats/gates/gate_report.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "analyzers/text.h"
#include "report/document/comparison/comparison.h"
#include "report/document/contract/contract.h"
#include "report/document/document.h"
#include "report/document/parts.h"
#include "report/document/paths.h"
#include "report/document/sections/builds.h"

namespace trtlens {
namespace {

// What a card of the report says below its title.
std::vector<std::string> lines_of(const Finding& finding) {
  std::vector<std::string> lines;
  if (!finding.why.empty()) lines.push_back(finding.why);
  const Steps steps = steps_of(finding);
  std::size_t n = 0;
  for (const std::string& action : steps.actions) {
    lines.push_back(fmt::format("{}. {}", ++n, action));
  }
  if (!steps.check.empty()) lines.push_back("Check: " + steps.check);
  for (const std::string& command : steps.commands) lines.push_back("Command: " + command);
  lines.push_back(fmt::format("[{}, {}, {}]", finding.rule, to_string(finding.severity),
                              to_string(finding.confidence)));
  return lines;
}

GateEntry entry_of(const GateItem& item, EntryState state) {
  GateEntry entry;
  entry.finding = item.finding;
  entry.fingerprint = item.fingerprint;
  entry.state = state;
  if (!item.finding->layers.empty()) entry.subject = item.finding->layers[0].str();
  entry.lines = lines_of(*item.finding);
  for (const Evidence& evidence : item.finding->evidence) {
    if (evidence.file.empty()) continue;
    entry.file = evidence.file.str();
    entry.line = evidence.line;
    break;
  }
  return entry;
}

void add_entries(const GateResult& gate, GateReport& report) {
  report.fail_on = gate.fail_on;
  report.fails = gate.fails();
  for (const GateItem& item : gate.items) {
    EntryState state = item.counts ? EntryState::fails : EntryState::passes;
    if (item.finding->rule == kNotComparable) {
      state = EntryState::error;
      report.fails = true;
    }
    report.entries.push_back(entry_of(item, state));
  }
  for (const GateItem& item : gate.accepted) {
    report.entries.push_back(entry_of(item, EntryState::accepted));
  }
}

void add_inputs(const Analysis& analysis, GateReport& report) {
  for (const Input& input : analysis.reading->inputs) report.inputs.push_back(input.path);
}

// Of the runs that the build was made of; else of the files that it is named by.
std::string first_input_of(const Analysis& analysis) {
  const Reading& reading = *analysis.reading;
  for (const Run& run : reading.runs) {
    const std::vector<int>& own = analysis.build.runs;
    if (!own.empty() && run.n == own.front()) return reading.inputs[run.file].path;
  }
  const std::string& name = analysis.name;
  for (const Input& input : reading.inputs) {
    const bool names_it = name == input.path || name.starts_with(input.path + ",");
    if (names_it || input.path.starts_with(name + "/")) return input.path;
  }
  return reading.inputs.empty() ? std::string() : reading.inputs.front().path;
}

template <typename Of>
GateReport report_of_one(const char* command, const Of& of, const GateResult& gate) {
  GateReport report;
  report.command = command;
  const Heading heading = heading_of(of);
  report.title = heading.title;
  report.verdict = heading.verdict;
  add_entries(gate, report);
  return report;
}

void add_report(GateReport one, GateReport& all) {
  all.title += "; " + one.title;
  all.verdict += ". " + one.verdict;
  all.fails = all.fails || one.fails;
  std::move(one.entries.begin(), one.entries.end(), std::back_inserter(all.entries));
}

GateReport joined(std::vector<GateReport> reports) {
  GateReport all = std::move(reports.at(0));
  for (std::size_t i = 1; i < reports.size(); ++i) add_report(std::move(reports[i]), all);
  return all;
}

}  // namespace

std::string file_of(const GateEntry& entry, const GateReport& report) {
  if (!entry.file.empty()) return entry.file;
  return entry.input.empty() && !report.inputs.empty() ? report.inputs[0] : entry.input;
}

std::string title_of(const GateEntry& entry) {
  return entry.build.empty() ? entry.finding->title : entry.build + ": " + entry.finding->title;
}

std::string headline_of(const GateEntry& entry) {
  const std::optional<double>& stake_ms = entry.finding->stake_ms;
  return title_of(entry) + (stake_ms ? ": " + ms_text(*stake_ms) + " at stake" : std::string());
}

GateReport gate_report(const std::vector<Analysis>& analyses,
                       const std::vector<GateResult>& gates) {
  std::vector<const Analysis*> all_builds;
  all_builds.reserve(analyses.size());
  for (const Analysis& analysis : analyses) all_builds.push_back(&analysis);
  const std::vector<ShortPath> paths = short_paths(all_builds);
  std::vector<GateReport> reports;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    reports.push_back(report_of_one("analyze", analyses[i], gates.at(i)));
    const bool alone = analyses.size() == 1;
    const std::string input = first_input_of(analyses[i]);
    for (GateEntry& entry : reports[i].entries) {
      entry.input = input;
      if (!alone) entry.build = with_short_paths(analyses[i].name, paths);
    }
  }
  GateReport all = joined(std::move(reports));
  constexpr std::size_t kNamed = 5;  // more are counted
  if (analyses.size() > kNamed) {
    all.title = count_text(analyses.size(), "build", "builds");
    all.verdict = outcomes_of(analyses);
  }
  add_inputs(analyses[0], all);  // which are those of all builds
  return all;
}

GateReport gate_report(const std::vector<Comparison>& comparisons,
                       const std::vector<GateResult>& gates) {
  std::vector<GateReport> reports;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    reports.push_back(report_of_one("compare", comparisons[i], gates.at(i)));
    GateReport& one = reports[i];
    const std::vector<Input>& inputs = comparisons[i].base.reading->inputs;
    for (GateEntry& entry : one.entries) entry.input = inputs.empty() ? "" : inputs.front().path;
    if (comparisons.size() == 1) continue;
    for (GateEntry& entry : one.entries) entry.build = one.title;
    one.verdict = fmt::format("{}: {}", i + 1, one.verdict);
  }
  GateReport all = joined(std::move(reports));
  add_inputs(comparisons[0].base, all);
  for (const Comparison& comparison : comparisons) add_inputs(comparison.candidate, all);
  return all;
}

GateReport gate_report(const ContractResult& contract, const GateResult& gate) {
  GateReport report = report_of_one("check", contract, gate);
  const std::string input = first_input_of(contract.build);
  for (GateEntry& entry : report.entries) {
    entry.input = input;
    entry.subject = entry.finding->evidence.at(0).metric.str();  // the clause
  }
  add_inputs(contract.build, report);
  return report;
}

}  // namespace trtlens
