// The table of builds, and what fails the gate in them.
#include "report/document/sections/builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

std::string finding_of(const BuildRow& row) {
  const Finding* const finding = first_finding(row);
  return finding == nullptr ? "no finding"
                            : fmt::format("{}: {}", to_string(finding->severity), finding->title);
}

bool is_gated(const std::vector<GateResult>& gates) {
  return gates.at(0).fail_on != "none";
}

// With its slash; "" where they have none in common, or one of the names is all of it.
std::string common_folder(const std::vector<Analysis>& analyses) {
  std::string common = analyses.front().name;
  for (const Analysis& analysis : analyses) {
    const auto differ = std::ranges::mismatch(common, analysis.name);
    common.erase(differ.in1, common.end());
  }
  return common.substr(0, common.rfind('/') + 1);
}

Rows::Row row_of(const BuildRow& row, std::size_t folder, bool gated) {
  const Analysis& of = *row.analysis;
  const std::shared_ptr<const Context> context = make_context(of, 0, row.gate);
  const std::optional<double> ms = context->gpu_compute_ms;
  const std::string precision = precision_tile(*context).value;
  Rows::Row cells{
      {std::to_string(of.build_number), of.build_number},
      text_cell(of.name.substr(folder)),
      text_cell(to_string(of.build.outcome)),
      {ms ? ms_number(*ms) : "-", ms},
      text_cell(precision == "unknown" ? "-" : precision.substr(0, precision.find(','))),
      text_cell(finding_of(row))};
  if (gated) cells.push_back(text_cell(row.gate->fails() ? "fails" : "passes"));
  return cells;
}

Table table_of_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates) {
  Table table;
  table.columns = {{"#", ColumnKind::number},        {"Build", ColumnKind::name},
                   {"Outcome", ColumnKind::label},   {"ms/query", ColumnKind::number},
                   {"Precision", ColumnKind::label}, {"First finding", ColumnKind::text}};
  table.columns.back().cut = true;
  const bool gated = is_gated(gates);
  if (gated) table.columns.push_back({"Gate", ColumnKind::label});
  const std::size_t folder = common_folder(analyses).size();
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    table.rows.push_back(row_of({&analyses[i], &gates.at(i)}, folder, gated));
  }
  table.interactive = true;
  table.note =
      "Query: median of GPU compute time. Precision: the one with most of the profile, or of the "
      "layers. -: not known. One build: --build N.";
  return table;
}

// Empty where nothing does.
Table table_of_failures(const std::vector<Analysis>& analyses,
                        const std::vector<GateResult>& gates) {
  Table table;
  table.title = "What fails --fail-on " + gates.at(0).fail_on;
  table.columns = {{"Build", ColumnKind::name},
                   {"Severity", ColumnKind::label},
                   {"Finding", ColumnKind::text},
                   {"Stake", ColumnKind::number},
                   {"Rule", ColumnKind::text}};
  const std::size_t folder = common_folder(analyses).size();
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    for (const GateItem& item : gates.at(i).items) {
      if (!item.counts) continue;
      const Finding& finding = *item.finding;
      table.rows.push_back({text_cell(analyses[i].name.substr(folder)),
                            text_cell(to_string(finding.severity)),
                            text_cell(finding.title),
                            {ms_text(finding.stake_ms), finding.stake_ms},
                            text_cell(finding.rule)});
    }
  }
  return table;
}

Section builds_section(const std::vector<Analysis>& analyses,
                       const std::vector<GateResult>& gates) {
  Section section{"builds", "Builds", {}};
  section.add(table_of_builds(analyses, gates));
  Table failures = table_of_failures(analyses, gates);
  if (!failures.rows.empty()) section.add(std::move(failures));
  return section;
}

bool is_build(const Analysis& analysis) {
  return !analysis.build.runs.empty() || !analysis.build.layers.empty();
}

}  // namespace

std::string outcomes_of(const std::vector<Analysis>& analyses) {
  std::map<std::string, std::size_t> counts;
  for (const Analysis& analysis : analyses) ++counts[to_string(analysis.build.outcome)];
  std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const auto& outcome) { return outcome.second; });
  std::string text;
  for (const auto& [outcome, count] : all) {
    const std::string word = outcome == "unknown" ? "of unknown outcome" : outcome;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  }
  return text;
}

bool are_builds(const std::vector<Analysis>& analyses) {
  return std::ranges::count_if(analyses, is_build) > 1;
}

Document overview_of(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates) {
  const bool any_failed = std::ranges::any_of(
      analyses, [](const Analysis& analysis) { return analysis.build.outcome == Outcome::failed; });
  Document document;
  const std::string folder = common_folder(analyses);
  document.title = fmt::format("{} builds", analyses.size());
  if (!folder.empty() && folder != "./") document.identity.push_back("in " + folder);
  document.verdict = outcomes_of(analyses);
  document.verdict_tone = any_failed ? Tone::fatal : Tone::good;
  std::vector<const Analysis*> sides;
  sides.reserve(analyses.size());
  for (const Analysis& analysis : analyses) sides.push_back(&analysis);
  document.short_paths = short_paths(sides);
  document.sections.push_back(builds_section(analyses, gates));
  return document;
}

void add_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                Document& document) {
  if (analyses.size() < 2) return;
  document.sections.push_back(builds_section(analyses, gates));
}

}  // namespace trtlens
