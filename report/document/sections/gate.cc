// The section on what a baseline accepts, and the one on builds behind the first.
#include "report/document/sections/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/document/parts.h"

namespace trtlens {

void add_accepted(const GateResult& gate, int top, Document& document) {
  if (gate.accepted.empty() && gate.gone.empty()) return;
  // One line of a baseline hides every slowdown, however large: the first thing to read says so.
  if (std::any_of(gate.accepted.begin(), gate.accepted.end(),
                  [](const GateItem& item) { return item.finding->rule == kEngineRegressed; })) {
    document.verdict += "; the baseline accepts it, and would any slowdown";
  }
  Section section{"accepted", "Accepted by the baseline", {}, true};
  if (!gate.accepted.empty()) {
    Table table;
    table.title = fmt::format("{}, not counted by --fail-on",
                              count_text(gate.accepted.size(), "finding", "findings"));
    table.columns = {{"Severity", ColumnKind::label},
                     {"Finding", ColumnKind::text},
                     {"Stake", ColumnKind::number},
                     {"Rule", ColumnKind::text},
                     {"Fingerprint", ColumnKind::label, true}};
    for (const GateItem& item : gate.accepted) {
      const Finding& finding = *item.finding;
      table.rows.push_back({text_cell(to_string(finding.severity)),
                            text_cell(finding.title),
                            {ms_text(finding.stake_ms), finding.stake_ms},
                            text_cell(finding.rule),
                            text_cell(item.fingerprint)});
    }
    table.shown = top > 0 ? static_cast<std::size_t>(top) : 0;
    section.add(std::move(table));
  }
  if (!gate.gone.empty()) {
    List list{"Accepted, but no longer found: lines that the baseline can do without", {}};
    for (const BaselineEntry& entry : gate.gone) {
      list.items.push_back(fmt::format("line {}: {} [{}]", entry.line,
                                       entry.about.empty() ? entry.fingerprint : entry.about,
                                       entry.rule));
    }
    section.add(std::move(list));
  }
  document.sections.push_back(std::move(section));
}

void add_others(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                int top, Document& document) {
  if (analyses.size() < 2) return;
  const bool gated = gates.at(0).fail_on != "none";
  Table builds;
  builds.title = gated ? "Held against --fail-on " + gates.at(0).fail_on : "Analyzed, too";
  builds.columns = {{"Build", ColumnKind::name},
                    {"Outcome", ColumnKind::label},
                    {"Findings", ColumnKind::number}};
  if (gated) builds.columns.push_back({"Gate", ColumnKind::label});
  Table counted;
  counted.title = "What fails the gate in them";
  counted.columns = {{"Build", ColumnKind::name},
                     {"Severity", ColumnKind::label},
                     {"Finding", ColumnKind::text},
                     {"Stake", ColumnKind::number},
                     {"Rule", ColumnKind::text}};
  for (std::size_t i = 1; i < analyses.size(); ++i) {
    Rows::Row row{text_cell(analyses[i].name), text_cell(to_string(analyses[i].build.outcome)),
                  count_cell(gates.at(i).items.size())};
    if (gated) row.push_back(text_cell(gates.at(i).fails() ? "fails" : "passes"));
    builds.rows.push_back(std::move(row));
    for (const GateItem& item : gates.at(i).items) {
      if (!item.counts) continue;
      const Finding& finding = *item.finding;
      counted.rows.push_back({text_cell(analyses[i].name),
                              text_cell(to_string(finding.severity)),
                              text_cell(finding.title),
                              {ms_text(finding.stake_ms), finding.stake_ms},
                              text_cell(finding.rule)});
    }
  }
  builds.shown = counted.shown = top > 0 ? static_cast<std::size_t>(top) : 0;
  Section section{"other-builds", "Other builds, not in this report", {}};
  section.add(std::move(builds));
  if (!counted.rows.empty()) section.add(std::move(counted));
  document.sections.push_back(std::move(section));
}

}  // namespace trtlens
