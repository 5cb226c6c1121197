// The table of builds, and what fails the gate in them.
#include "report/document/sections/builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
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

// What all names begin with: a folder and its slash, or a log of several runs and its comma.
std::string common_folder(const std::vector<Analysis>& analyses) {
  std::string common = analyses.front().name;
  for (const Analysis& analysis : analyses) {
    const auto differ = std::ranges::mismatch(common, analysis.name);
    common.erase(differ.in1, common.end());
  }
  if (const std::size_t run = common.find(", run "); run != std::string::npos) {
    return common.substr(0, run + 2);
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

// All that a row says; the rule, too. `filter`: in small letters.
bool says(const BuildRow& row, const std::string& filter) {
  if (filter.empty()) return true;
  const Finding* const finding = first_finding(row);
  std::string all = finding == nullptr ? std::string() : finding->rule;
  for (const Cell& cell : row_of(row, 0, false)) all += "\n" + cell.text;
  return lower_case(std::move(all)).find(filter) != std::string::npos;
}

int outcome_rank(const Analysis& analysis) {
  static constexpr std::array kOrder = {Outcome::failed, Outcome::truncated, Outcome::unknown};
  return static_cast<int>(std::ranges::find(kOrder, analysis.build.outcome) - kOrder.begin());
}

int severity_rank(const BuildRow& row) {
  const Finding* const finding = first_finding(row);
  return finding == nullptr ? 1 : -static_cast<int>(finding->severity);
}

// By severity, then by what it costs.
std::pair<int, double> finding_rank(const BuildRow& row) {
  const Finding* const finding = first_finding(row);
  const double stake_ms = finding == nullptr ? 0 : finding->stake_ms.value_or(0);
  return {severity_rank(row), -stake_ms};
}

bool is_cut(const std::vector<std::size_t>& rows, const BuildOrder& order) {
  return order.shown > 0 && rows.size() > order.shown;
}

// One more timing of an engine, a tuner's trial, or far back in a long log.
std::size_t runs_not_listed(const std::vector<Analysis>& analyses) {
  const std::shared_ptr<const Reading>& reading = analyses.front().reading;
  if (!reading) return 0;
  const auto listed = std::ranges::count_if(reading->runs, &Run::is_build);
  return static_cast<std::size_t>(reading->run_count - listed);
}

Table table_of_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                      const BuildOrder& order, const std::vector<std::size_t>& rows) {
  Table table;
  table.columns = {{"#", ColumnKind::number},        {"Build", ColumnKind::name},
                   {"Outcome", ColumnKind::label},   {"ms/query", ColumnKind::number},
                   {"Precision", ColumnKind::label}, {"First finding", ColumnKind::text}};
  constexpr std::size_t kWrapped = 7;  // so few may take more lines than one each
  table.columns.back().cut = rows.size() > kWrapped;
  const bool gated = is_gated(gates);
  if (gated) table.columns.push_back({"Gate", ColumnKind::label});
  const std::size_t folder = common_folder(analyses).size();
  for (const std::size_t i : rows) {
    Rows::Row row = row_of({&analyses[i], &gates.at(i)}, folder, gated);
    if (order.page) row[1].page = order.page(analyses[i]);
    table.rows.push_back(std::move(row));
  }
  table.interactive = true;
  table.shown = order.shown;
  table.whole_in_files = true;
  if (rows.size() < analyses.size()) {
    table.note =
        fmt::format("{} of {} builds say '{}'. ", rows.size(), analyses.size(), order.filter);
  }
  table.note +=
      "ms/query: median GPU compute time. Precision: the one with most profile time, or most "
      "layers "
      "without a profile. -: not known. --build N reports on build N.";
  if (const std::size_t more = runs_not_listed(analyses); more > 0) {
    table.note +=
        fmt::format(" {}: --run N reports one.",
                    more == 1 ? "1 more run of these logs is not listed"
                              : fmt::format("{} more runs of these logs are not listed", more));
  }
  table.all_by = "--top 0";
  return table;
}

// What to do first; commands stand in the report on one build.
std::string first_action(const Finding& finding, const Analysis& analysis) {
  const Steps steps = steps_of(finding);
  const bool is_command = finding.confidence == Confidence::guessed && !steps.commands.empty();
  if (is_command)
    return fmt::format("Run the check that --build {} prints.", analysis.build_number);
  if (steps.actions.empty()) return fmt::format("See --build {}.", analysis.build_number);
  std::string action = steps.actions.front();
  std::erase(action, '`');  // a cell has no commands
  return action;
}

// Of builds in their order: "1-3, 7 and 12 more".
std::string numbers_text(const std::vector<std::size_t>& builds) {
  constexpr std::size_t kRanges = 3;
  std::string text;
  std::size_t ranges = 0, named = 0;
  while (named < builds.size() && ranges < kRanges) {
    std::size_t last = named;
    while (last + 1 < builds.size() && builds[last + 1] == builds[last] + 1) ++last;
    text += (ranges++ == 0 ? "" : ", ") + std::to_string(builds[named]);
    if (last > named) text += (last == named + 1 ? ", " : "-") + std::to_string(builds[last]);
    named = last + 1;
  }
  return named == builds.size() ? text : text + fmt::format(" and {} more", builds.size() - named);
}

// What to do about the first findings of the builds in `rows`: the worst first, of equals those
// that most builds have.
Table table_of_findings(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                        const BuildOrder& order, const std::vector<std::size_t>& rows) {
  struct Common {
    const Finding* first = nullptr;
    const Analysis* analysis = nullptr;
    std::vector<std::size_t> builds;
  };
  std::map<std::string, Common> by_rule;
  for (const std::size_t i : rows) {
    const Finding* const finding = first_finding({&analyses[i], &gates.at(i)});
    if (finding == nullptr) continue;
    Common& common = by_rule[finding->rule];
    if (common.first == nullptr || finding->severity > common.first->severity) {
      common.first = finding;
      common.analysis = &analyses[i];
    }
    common.builds.push_back(static_cast<std::size_t>(analyses[i].build_number));
  }
  std::vector<Common> all;
  for (auto& [rule, common] : by_rule) {
    std::ranges::sort(common.builds);
    all.push_back(std::move(common));
  }
  std::ranges::sort(all, std::ranges::greater(), [](const Common& common) {
    return std::make_tuple(common.first->severity, common.builds.size(),
                           common.first->stake_ms.value_or(0), -common.analysis->build_number);
  });
  Table table;
  table.title = "What to do first";
  table.columns = {{"Builds", ColumnKind::label},
                   {"Severity", ColumnKind::label},
                   {"Rule", ColumnKind::text},
                   {"First action", ColumnKind::text}};
  for (const Common& common : all) {
    table.rows.push_back({{numbers_text(common.builds), static_cast<double>(common.builds.front())},
                          text_cell(to_string(common.first->severity)),
                          text_cell(common.first->rule),
                          text_cell(first_action(*common.first, *common.analysis))});
  }
  const bool few = rows.size() <= 12;  // both tables stand on one screen
  table.shown = order.shown == 0 ? 0 : few ? 8 : 5;
  table.all_by = "--top 0";
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

Section builds_section(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                       const BuildOrder& order) {
  Section section{"builds", "Builds", {}};
  const std::vector<std::size_t> rows = rows_of(analyses, gates, order);
  if (rows.empty()) {
    section.add(Paragraph{fmt::format("No build says '{}'.", order.filter)});
  } else {
    section.add(table_of_builds(analyses, gates, order, rows));
  }
  Table findings = table_of_findings(analyses, gates, order, rows);
  if (!findings.rows.empty()) section.add(std::move(findings));
  Table failures = table_of_failures(analyses, gates);
  if (!failures.rows.empty()) section.add(std::move(failures));
  return section;
}

// An outline has shares of its layers, and no layers.
bool is_build(const Analysis& analysis) {
  return !analysis.build.runs.empty() || !analysis.build.layers.empty() ||
         !analysis.by_precision.empty();
}

// Of the builds that passed.
std::size_t with_major_finding(const std::vector<Analysis>& analyses,
                               const std::vector<GateResult>& gates) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    const auto is_major = [](const Finding* finding) {
      return finding->severity >= Severity::major;
    };
    const bool passed = analyses[i].build.outcome == Outcome::passed;
    const auto findings = reported_findings(analyses[i], &gates.at(i));
    count += passed && std::ranges::any_of(findings, is_major) ? 1 : 0;
  }
  return count;
}

Tone tone_of_all(const std::vector<Analysis>& analyses, std::size_t major) {
  const auto any = [&](Outcome outcome) {
    return std::ranges::any_of(analyses,
                               [&](const Analysis& one) { return one.build.outcome == outcome; });
  };
  if (any(Outcome::failed)) return Tone::fatal;
  return major > 0 || any(Outcome::truncated) ? Tone::moderate : Tone::good;
}

}  // namespace

std::vector<std::size_t> rows_of(const std::vector<Analysis>& analyses,
                                 const std::vector<GateResult>& gates, const BuildOrder& order) {
  const std::string filter = lower_case(order.filter);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (says({&analyses[i], &gates.at(i)}, filter)) rows.push_back(i);
  }
  const auto by = [&](const auto& key) { std::ranges::stable_sort(rows, {}, key); };
  by([&](std::size_t i) { return analyses[i].build_number; });
  if (order.sort == "name") by([&](std::size_t i) { return analyses[i].name; });
  const bool worst_first = order.sort.empty() && is_cut(rows, order);
  if (worst_first) by([&](std::size_t i) { return severity_rank({&analyses[i], &gates.at(i)}); });
  if (order.sort == "outcome" || worst_first) {
    by([&](std::size_t i) { return outcome_rank(analyses[i]); });
  }
  if (order.sort == "finding") {
    by([&](std::size_t i) { return finding_rank({&analyses[i], &gates.at(i)}); });
  }
  if (order.sort == "time") {
    by([&](std::size_t i) {
      const std::optional<QueryTime> query = query_time(analyses[i]);
      return query ? query->ms : std::numeric_limits<double>::infinity();
    });
  }
  return rows;
}

std::string outcomes_of(const std::vector<Analysis>& analyses) {
  std::map<int, std::pair<std::string, std::size_t>> counts;  // the worst first
  for (const Analysis& analysis : analyses) {
    auto& [outcome, count] = counts[outcome_rank(analysis)];
    outcome = to_string(analysis.build.outcome);
    ++count;
  }
  std::string text;
  for (const auto& [rank, of] : counts) {
    const auto& [outcome, count] = of;
    const std::string word = outcome == "unknown" ? "of unknown outcome" : outcome;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  }
  return text;
}

bool are_builds(const std::vector<Analysis>& analyses) {
  return std::ranges::count_if(analyses, is_build) > 1;
}

Document overview_of(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                     const BuildOrder& order) {
  Document document;
  const std::string folder = common_folder(analyses);
  document.title = fmt::format("{} builds", analyses.size());
  const bool is_log = folder.ends_with(", ");
  if (!folder.empty() && folder != "./") {
    document.identity.push_back("in " + folder.substr(0, folder.size() - (is_log ? 2 : 0)));
  }
  document.verdict = outcomes_of(analyses);
  const std::size_t major = with_major_finding(analyses, gates);
  if (major > 0) document.verdict += fmt::format(" ({} with a major finding)", major);
  document.verdict_tone = tone_of_all(analyses, major);
  std::vector<const Analysis*> sides;
  sides.reserve(analyses.size());
  for (const Analysis& analysis : analyses) sides.push_back(&analysis);
  document.short_paths = short_paths(sides);
  document.sections.push_back(builds_section(analyses, gates, order));
  return document;
}

void add_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                Document& document) {
  if (analyses.size() < 2) return;
  document.sections.push_back(builds_section(analyses, gates, {}));
}

}  // namespace trtlens
