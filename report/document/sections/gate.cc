// The section on what a baseline accepts.
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
    if (!document.comparisons.empty()) {
      std::vector<std::string>& notes = document.comparisons[0].notes;
      notes.insert(notes.begin(), "The baseline accepts this slowdown, and would accept any.");
    }
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

}  // namespace trtlens
