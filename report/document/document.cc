// The order of the sections, and what they all need of an Analysis.
#include "report/document/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "analyzers/gate/gate.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"

namespace trtlens {

ComparisonScreen::ComparisonScreen() = default;
ComparisonScreen::ComparisonScreen(const ComparisonScreen& other) = default;
ComparisonScreen::ComparisonScreen(ComparisonScreen&& other) noexcept = default;
ComparisonScreen& ComparisonScreen::operator=(const ComparisonScreen& other) = default;
ComparisonScreen& ComparisonScreen::operator=(ComparisonScreen&& other) noexcept = default;
ComparisonScreen::~ComparisonScreen() = default;

Document::Document() = default;
Document::Document(const Document& other) = default;
Document::Document(Document&& other) noexcept = default;
Document& Document::operator=(const Document& other) = default;
Document& Document::operator=(Document&& other) noexcept = default;
Document::~Document() = default;

std::shared_ptr<const Context> make_context(const Analysis& analysis, int top,
                                            const GateResult* gate) {
  const auto made = std::make_shared<Context>(analysis);
  Context& context = *made;
  context.findings = reported_findings(analysis, gate);
  if (gate != nullptr) context.accepted = gate->accepted.size();
  context.top = top > 0 ? static_cast<std::size_t>(top) : 0;
  const Build& build = analysis.build;
  if (build.profile_sum_ms > 0) context.profile_ms = build.profile_sum_ms;
  if (const std::optional<QueryTime> query = query_time(analysis)) {
    context.gpu_compute_ms = query->ms;
    context.gpu_compute_what = query->statistic;
  }
  const Performance& timed = build.performance;
  context.is_pasted = build.has_log && build.is_excerpt() && build.layers.empty() &&
                      !context.gpu_compute_ms && !timed.latency && !timed.throughput_qps &&
                      interrupted_input(analysis) == nullptr;
  context.explains_notes =
      context.is_pasted && std::ranges::all_of(context.findings, [](const Finding* finding) {
        return finding->severity == Severity::info;
      });
  context.by_time.resize(build.layers.size());
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    context.by_time[i] = i;
  }
  std::stable_sort(
      context.by_time.begin(), context.by_time.end(), [&](std::size_t a, std::size_t b) {
        return layer_ms(build.layers[a]).value_or(-1) > layer_ms(build.layers[b]).value_or(-1);
      });
  return made;
}

Rows Rows::made_by(std::size_t rows, std::size_t columns, MakeCell make) {
  Rows made;
  made.make_ = std::move(make);
  made.made_rows_ = rows;
  made.made_columns_ = columns;
  return made;
}

Cell Rows::cell(std::size_t row, std::size_t column) const {
  return row < made_rows_ ? make_(row, column) : rows_[row - made_rows_][column];
}

void Rows::erase_column(std::size_t column) {
  for (Row& row : rows_) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
}

Rows::Row Rows::operator[](std::size_t row) const {
  if (row >= made_rows_) return rows_[row - made_rows_];
  Row out;
  out.reserve(made_columns_);
  for (std::size_t c = 0; c < made_columns_; ++c) out.push_back(make_(row, c));
  return out;
}

const std::vector<std::string>& section_ids() {
  static const std::vector<std::string> ids = {
      "findings",  "account",   "time",          "layers",    "modules", "roofline",
      "precision", "reformats", "tactics",       "placement", "tuning",  "build-time",
      "memory",    "build",     "configuration", "input",     "builds",  "accepted"};
  return ids;
}

std::vector<TitledSection> all_sections(const Document& document) {
  constexpr std::size_t kNameWidth = 40;
  std::vector<TitledSection> all;
  for (const Section& section : document.sections) all.push_back({section.title, &section});
  for (std::size_t i = 0; i < document.each.size(); ++i) {
    const Document& one = document.each[i];
    std::string number = std::to_string(i + 1);
    // Three sides are named above all sections, variants in a table far away.
    if (document.comparisons.empty()) {
      number += " " + elide_middle(one.comparisons.front().candidate, kNameWidth);
    }
    for (const Section& section : one.sections) {
      all.push_back({number + ": " + section.title, &section});
    }
  }
  return all;
}

std::vector<std::string> section_ids_of(const Document& document) {
  std::vector<std::string> ids;
  for (const TitledSection& one : all_sections(document)) {
    if (std::ranges::find(ids, one.section->id) == ids.end()) ids.push_back(one.section->id);
  }
  return ids;
}

std::vector<const Chart*> charts_of(const Document& document) {
  std::vector<const Chart*> charts;
  for (const TitledSection& of : all_sections(document)) {
    for (const Chart* chart : blocks_of<Chart>(of.section->blocks)) charts.push_back(chart);
  }
  return charts;
}

std::vector<const FindingCard*> cards_of(const Document& document) {
  for (const Section& section : document.sections) {
    if (section.id == "findings") return blocks_of<FindingCard>(section.blocks);
  }
  return {};
}

std::string speed_of(const Screen& screen) {
  if (!screen.speed.empty()) return screen.speed;
  return screen.more_speed.empty() ? "No timing in these inputs" : "Time per query unknown";
}

ScreenFailure failure_of(const Document& document) {
  ScreenFailure failure;
  const std::vector<const FindingCard*> all = cards_of(document);
  if (!all.empty()) {
    const FindingCard& card = *all.front();
    failure.title = card.title;
    failure.why = card.why;
    failure.tone = card.severity;
    failure.steps = card.steps;
    failure.next_check = card.next_check;
    failure.commands = card.commands;
  }
  for (const Quote* quote : blocks_of<Quote>(document.headline)) {
    failure.quotes.emplace_back(quote->place, quote->lines);
  }
  return failure;
}

std::string place_beside_title(const FindingCard& card) {
  return card.title.find(card.where) == std::string::npos ? card.where : "";
}

std::vector<const Paragraph*> warnings_of(const Document& document) {
  std::vector<const Paragraph*> said = blocks_of<Paragraph>(document.headline);
  std::erase_if(said, [](const Paragraph* one) { return one->tone == Tone::plain; });
  return said;
}

std::vector<Paragraph> nothing_found(const Document& document) {
  constexpr std::size_t kProblem = 2, kAction = 3;  // of the tiles
  std::vector<Paragraph> said;
  for (const std::size_t tile : {kProblem, kAction}) {
    const Tile& one = document.tiles.at(tile);
    if (one.value == "Nothing") continue;
    const char* const between = one.unit.starts_with("but ") ? ", " : ": ";
    said.push_back({one.value + (one.unit.empty() ? "" : between + one.unit), one.tone});
  }
  return said;
}

Document build_document(const Analysis& analysis, int top, const GateResult* gate) {
  const std::shared_ptr<const Context> made = make_context(analysis, top, gate);
  const Context& context = *made;
  Document document;
  static_cast<Heading&>(document) = heading_of(analysis);
  document.short_paths = short_paths({&analysis});
  add_headline(context, document);
  document.screen = screen_of(context, document);
  for (MakeSection* const make :
       {findings_section, account_section, time_section, layer_section, module_section,
        roofline_section, precision_section, reformat_section, tactic_section, placement_section,
        tuning_section, build_time_section, memory_section, build_section, configuration_section,
        input_section}) {
    Section section = make(context);
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  if (!analysis.build.layers.empty()) {
    document.engine = [made] { return engine_view(*made); };
  }
  return document;
}

}  // namespace trtlens
