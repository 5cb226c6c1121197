// Findings: complete cards for the first ones, one line each for the rest, notes at the end.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kEvidenceShown = 8, kEvidenceFolded = 60;

// The unit of a metric is the end of its name.
std::string metric_text(const std::string& metric, double value) {
  std::string name = metric;
  std::string shown;
  if (metric.ends_with("_ms")) {
    shown = ms_text(value);
    name.resize(name.size() - 3);
  } else if (metric.ends_with("_bytes")) {
    shown = bytes_text(static_cast<std::int64_t>(value));
    name.resize(name.size() - 6);
  } else if (metric.ends_with("share")) {
    shown = share_text(value);
  } else {
    shown = number_text(value);
  }
  for (char& c : name) {
    if (c == '_') c = ' ';
  }
  return name.empty() ? shown : name + " " + shown;
}

EvidenceLine evidence_line(const Context& context, const Evidence& evidence) {
  EvidenceLine line;
  if (!evidence.file.empty()) {
    line.place = place_of(evidence);
    line.file = evidence.file.str();
    line.line = evidence.line;
    line.text = join(first_lines(evidence.text, 3), " ");
    line.quoted = !line.text.empty();
    line.note = evidence.note;
    return line;
  }
  if (!evidence.layer.empty()) {
    const std::string layer = evidence.layer.str();
    line.place = label_in(context, layer);
    if (line.place != layer) line.name = layer;
  }
  line.text = evidence.note;
  if (!evidence.metric.empty() || evidence.value) {
    const std::string value = evidence.value ? metric_text(evidence.metric, *evidence.value)
                                             : evidence.metric + " unknown";
    line.text += (line.text.empty() ? "" : ", ") + value;
  }
  return line;
}

std::string stake_text(const Context& context, const Finding& finding) {
  if (!finding.stake_ms) {
    return finding.severity == Severity::fatal ? failed_words(context.analysis).stake : "unknown";
  }
  const std::optional<double> share = context.share_of(finding.stake_ms);
  std::string text = ms_text(*finding.stake_ms);
  if (share) text += fmt::format(" of profile time ({})", share_text(*share));
  return text;
}

std::string gain_with_basis(const Finding& finding) {
  if (!finding.gain && !finding.gain_unknown.empty()) return "unknown: " + finding.gain_unknown;
  if (!finding.gain) return "";
  const Gain& gain = *finding.gain;
  std::string text = gain_text(gain);
  if (gain.first_step) text += " (" + first_step_text(*gain.first_step) + ")";
  if (gain.high_ms > 0 || gain.query) text += ", estimated";
  if (!gain.basis.empty()) text += ": " + gain.basis;
  return text;
}

std::string short_stake(const Context& context, const Finding& finding) {
  if (!finding.stake_ms) return "unknown";
  const std::optional<double> share = context.share_of(finding.stake_ms);
  return ms_text(*finding.stake_ms) + (share ? fmt::format(" ({})", share_text(*share)) : "");
}

FindingCard card_of(const Context& context, const Finding& finding, std::size_t number) {
  FindingCard card;
  card.number = number;
  card.severity = tone_of(finding.severity);
  card.rule = finding.rule;
  card.category = finding.category;
  card.confidence = to_string(finding.confidence);
  card.title = finding.title;
  card.stake = stake_text(context, finding);
  if (finding.stake_ms) card.stake_short = short_stake(context, finding);
  card.gain = gain_with_basis(finding);
  if (finding.gain) {
    card.gain_short = short_gain_text(*finding.gain) + gain_left_text(context, finding);
  }
  card.where = where_text(finding);
  card.places = finding.where;
  card.places_left_out = finding.where_left_out;
  card.why = finding.why;
  for (const Evidence& evidence : finding.evidence) {
    const bool is_folded = card.evidence.size() == kEvidenceShown && context.top > 0;
    if (card.more_evidence.size() == kEvidenceFolded) break;
    (is_folded ? card.more_evidence : card.evidence).push_back(evidence_line(context, evidence));
  }
  card.evidence_left_out = finding.evidence.size() - card.evidence.size();
  Steps steps = steps_of(finding);
  card.steps = std::move(steps.actions);
  card.next_check = std::move(steps.check);
  card.commands = std::move(steps.commands);
  card.sources = finding.sources;
  return card;
}

// `shown`: findings that stand before these.
void add_rest(const Context& context, const std::vector<std::size_t>& rest, std::size_t shown,
              Section& out) {
  if (rest.empty()) return;
  Table table;
  table.title = "Further findings";
  table.name = "further-findings";
  table.columns = {{"#", ColumnKind::number},
                   {"Severity", ColumnKind::label},
                   {"Finding", ColumnKind::text},
                   {"Stake", ColumnKind::number},
                   {"Rule", ColumnKind::text}};
  for (const std::size_t i : rest) {
    const Finding& finding = *context.findings[i];
    table.rows.push_back({count_cell(++shown),
                          text_cell(to_string(finding.severity)),
                          text_cell(finding.title),
                          {short_stake(context, finding), finding.stake_ms},
                          text_cell(finding.rule)});
  }
  table.note = "--top 0 shows all of them in full; trtlens explain RULE says what a rule means.";
  out.add(std::move(table));
}

}  // namespace

Section findings_section(const Context& context) {
  Section section{"findings", "Findings", {}};
  std::vector<std::size_t> rest;
  List notes{"Notes", {}};
  std::size_t cards = 0;
  for (std::size_t i = 0; i < context.findings.size(); ++i) {
    const Finding& finding = *context.findings[i];
    if (context.is_note(finding)) {
      std::string note = finding.title;
      if (!finding.where.empty() && finding.where_left_out == 0) note += ": " + where_text(finding);
      if (finding.stake_ms) note += " — " + short_stake(context, finding);
      notes.items.push_back(fmt::format("{} [{}]", note, finding.rule));
    } else if (context.top == 0 || cards < context.top) {
      section.add(card_of(context, finding, ++cards));
    } else {
      rest.push_back(i);
    }
  }
  add_rest(context, rest, cards, section);
  section.add(ladder_table(context));
  if (!notes.items.empty()) section.add(std::move(notes));
  if (section.blocks.empty()) {
    section.say("No rule found anything to report.");
  }
  return section;
}

}  // namespace trtlens
