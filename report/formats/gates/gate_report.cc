// Entries of one build or comparison, and of several as one gate.
#include "report/formats/gates/gate_report.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "report/document/comparison/comparison.h"
#include "report/document/document.h"

namespace trtlens {
namespace {

// What a card of the report says below its title.
std::string text_of_finding(const Finding& finding) {
  std::string text;
  const auto line = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  };
  line(finding.why);
  std::size_t n = 0;
  for (const std::string& remedy : finding.remedies) line(fmt::format("{}. {}", ++n, remedy));
  if (!finding.next_check.empty()) line("Check: " + finding.next_check);
  line(fmt::format("[{}, {}, {}]", finding.rule, to_string(finding.severity),
                   to_string(finding.confidence)));
  return text;
}

GateEntry entry_of(const GateItem& item, EntryState state) {
  GateEntry entry;
  entry.finding = item.finding;
  entry.fingerprint = item.fingerprint;
  entry.state = state;
  if (!item.finding->layers.empty()) entry.subject = item.finding->layers[0].str();
  entry.text = text_of_finding(*item.finding);
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

void add_report(GateReport one, GateReport& all) {
  all.title += "; " + one.title;
  all.verdict += ". " + one.verdict;
  all.fails = all.fails || one.fails;
  std::move(one.entries.begin(), one.entries.end(), std::back_inserter(all.entries));
}

}  // namespace

std::string title_of(const GateEntry& entry) {
  return entry.build.empty() ? entry.finding->title : entry.build + ": " + entry.finding->title;
}

GateReport gate_report(const Analysis& analysis, const GateResult& gate) {
  GateReport report;
  report.command = "analyze";
  const Heading heading = heading_of(analysis);
  report.title = heading.title;
  report.verdict = heading.verdict;
  add_entries(gate, report);
  add_inputs(analysis, report);
  return report;
}

GateReport gate_report(const Comparison& comparison, const GateResult& gate) {
  GateReport report;
  report.command = "compare";
  const Heading heading = heading_of(comparison);
  report.title = heading.title;
  report.verdict = heading.verdict;
  add_entries(gate, report);
  add_inputs(comparison.base, report);
  add_inputs(comparison.candidate, report);
  return report;
}

GateReport gate_report(const std::vector<Comparison>& comparisons,
                       const std::vector<GateResult>& gates) {
  GateReport all = gate_report(comparisons.at(0), gates.at(0));
  if (comparisons.size() == 1) return all;
  all.verdict = "1: " + all.verdict;
  for (GateEntry& entry : all.entries) entry.build = all.title;
  for (std::size_t i = 1; i < comparisons.size(); ++i) {
    GateReport one = gate_report(comparisons[i], gates.at(i));
    for (GateEntry& entry : one.entries) entry.build = one.title;
    one.verdict = fmt::format("{}: {}", i + 1, one.verdict);
    add_report(std::move(one), all);
    add_inputs(comparisons[i].candidate, all);
  }
  return all;
}

// All inputs are those of the first build, too.
GateReport gate_report(const std::vector<Analysis>& analyses,
                       const std::vector<GateResult>& gates) {
  GateReport all = gate_report(analyses.at(0), gates.at(0));
  if (analyses.size() == 1) return all;
  for (GateEntry& entry : all.entries) entry.build = analyses[0].name;
  for (std::size_t i = 1; i < analyses.size(); ++i) {
    GateReport one = gate_report(analyses[i], gates.at(i));
    for (GateEntry& entry : one.entries) entry.build = analyses[i].name;
    add_report(std::move(one), all);
  }
  return all;
}

const std::vector<const GateWriter*>& gate_writers() {
  static const std::vector<const GateWriter*> all = {
      &writer_baseline, &writer_github, &writer_gitlab, &writer_junit, &writer_sarif};
  return all;
}

}  // namespace trtlens
