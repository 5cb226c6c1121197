// One screen of a comparison, or of several: a line for each first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/formats/text/screen.h"
#include "report/formats/text/strip.h"

namespace trtlens {
namespace {

constexpr std::size_t kLabel = 11;

// How much of each part is shown.
struct Amounts {
  std::size_t notes = 3, differs = 4, strip_rows = 2, reasons = 5, findings = 4, advice = 2,
              shifts = 6, commands = 2, steps = 3, quotes = 1, why = 1;
  bool brief = false;  // no strips, no pointers
};

// What gives way first: each as small as this, in this order, until the lines fit.
using Amount = std::pair<std::size_t Amounts::*, std::size_t>;
constexpr std::array<Amount, 19> kGivesWay = {{{&Amounts::shifts, 4},
                                               {&Amounts::findings, 3},
                                               {&Amounts::strip_rows, 1},
                                               {&Amounts::commands, 0},
                                               {&Amounts::reasons, 3},
                                               {&Amounts::shifts, 3},
                                               {&Amounts::notes, 2},
                                               {&Amounts::differs, 3},
                                               {&Amounts::findings, 2},
                                               {&Amounts::shifts, 2},
                                               {&Amounts::differs, 2},
                                               {&Amounts::advice, 1},
                                               {&Amounts::reasons, 2},
                                               {&Amounts::steps, 1},
                                               {&Amounts::quotes, 0},
                                               {&Amounts::why, 0},
                                               {&Amounts::differs, 1},
                                               {&Amounts::strip_rows, 0},
                                               {&Amounts::shifts, 0}}};

// "0.190 → 0.236 ms"
std::string both_texts(const ScreenFigure& figure) {
  constexpr std::string_view kUnit = " ms";
  const bool is_ms = figure.base.ends_with(kUnit) && figure.candidate.ends_with(kUnit);
  return (is_ms ? figure.base.substr(0, figure.base.size() - kUnit.size()) : figure.base) + " → " +
         figure.candidate;
}

std::string blanks(std::size_t width, const std::string& behind) {
  const std::size_t used = display_width(behind);
  return std::string(width > used ? width - used : 0, ' ');
}

// A line that says "and 1 more" could be that one.
std::size_t shown_of(std::size_t all, std::size_t most) {
  return all == most + 1 ? all : std::min(all, most);
}

struct SideStrip {
  std::string label;
  const std::vector<StripPart>* parts = nullptr;
};

// One above the other. A cell is as long on all sides: the slowest one's row is the longest.
// `rows`: 1: modules below the last one alone.
void side_strips(const std::vector<SideStrip>& sides, std::size_t rows, std::size_t width,
                 const Ink& ink, TextStream& out) {
  double longest = 0;
  std::size_t labels = kLabel;
  std::vector<const std::vector<StripPart>*> all;
  for (const SideStrip& side : sides) {
    longest = std::max(longest, sum_ms(*side.parts));
    labels = std::max(labels, display_width(side.label) + 2);
    all.push_back(side.parts);
  }
  if (longest <= 0 || rows == 0) return;
  const std::size_t most = width - labels;
  const std::string head =
      fmt::format("Execution order, one cell = {}:", us_text(longest / static_cast<double>(most)));
  out += "\n";
  for (const std::string& line : strip_legend(head, all, width)) out += line + "\n";
  for (const SideStrip& side : sides) {
    const double share = sum_ms(*side.parts) / longest;
    const auto cells = static_cast<std::size_t>(std::lround(share * static_cast<double>(most)));
    if (cells == 0) continue;
    const StripRows row = strip_rows(*side.parts, cells);
    out += side.label + blanks(labels, side.label) + row.letters + "\n";
    const bool has_modules = !row.modules.empty() && (rows > 1 || &side == &sides.back());
    if (has_modules) out += std::string(labels, ' ') + ink.dim(row.modules) + "\n";
  }
}

// The sides of several comparisons, each once; none unless all have a profile.
std::vector<SideStrip> strips_of_all(const Document& document, std::size_t width) {
  std::vector<SideStrip> sides;
  const auto add = [&](const std::string& name, const std::vector<StripPart>& parts) {
    constexpr std::size_t kLeastLabel = 9;
    sides.push_back({elide_middle(printable(name), std::max(width / 4, kLeastLabel)), &parts});
  };
  for (std::size_t i = 0; i < document.each.size(); ++i) {
    const std::optional<ComparisonView>& view = document.each[i].comparison;
    if (!view) return {};
    if (i == 0) add(document.comparisons[i].base, view->strips[0]);
    add(document.comparisons[i].candidate, view->strips[1]);
  }
  return sides;
}

class ComparisonPage {
 public:
  ComparisonPage(const ComparisonScreen& screen, const ComparisonView* view, std::size_t width,
                 const Ink& ink, TextStream& out)
      : screen_(screen), view_(view), width_(width), ink_(ink), out_(out) {}

  void write(const Amounts& amounts) {
    head();
    failures(amounts);
    because();
    figures();
    body(amounts);
  }

  // Below the table of several, which has the figures.
  void write_below(const Amounts& amounts) {
    out_ += "\n";
    head();
    failures(amounts);
    because();
    if (!screen_.at_odds.empty()) out_ += hanging("  ", screen_.at_odds, width_);
    body(amounts);
  }

 private:
  void body(const Amounts& amounts) {
    notes(amounts.notes);
    differs(amounts.differs);
    memory();
    strips(amounts.strip_rows);
    reasons(amounts.reasons);
    findings(amounts);
    shifts(amounts.shifts);
    next(amounts.commands);
  }

  void labelled(std::string_view label, const std::string& text) {
    out_ +=
        hanging(std::string(label) + blanks(kLabel, std::string(label)), printable(text), width_);
  }

  void head() {
    const std::string names = printable(screen_.base) + " → " + printable(screen_.candidate);
    const std::string word = ink_.tone(screen_.tone, screen_.word);
    if (screen_.word.size() + 2 + display_width(names) <= width_) {
      out_ += word + "  " + ink_.bold(names) + "\n";
      return;
    }
    out_ += word + "\n";
    for (const auto& [label, name] :
         {std::pair{"Base", &screen_.base}, std::pair{"Candidate", &screen_.candidate}}) {
      labelled(label, elide_middle(printable(*name), width_ - kLabel));
    }
  }

  void failures(const Amounts& amounts) {
    for (const ScreenFailure& failure : screen_.failures) {
      out_ += "\n";
      for (const std::string& line : wrap(printable(failure.side), width_)) {
        out_ += ink_.bold(line) + "\n";
      }
      ScreenFailure shown = failure;
      if (amounts.quotes == 0) shown.quotes.clear();
      if (amounts.why == 0) shown.why.clear();
      text_failure(shown, amounts.steps, width_, ink_, out_);
    }
  }

  void because() {
    if (screen_.because.empty()) return;
    out_ += "\n";
    for (const std::string& reason : screen_.because)
      out_ += hanging("  ", printable(reason), width_);
  }

  void figures() {
    std::size_t names = 0, values = 0, changes = 0;
    for (const ScreenFigure& figure : screen_.figures) {
      if (figure.is_count) continue;
      names = std::max(names, display_width(figure.name));
      values = std::max(values, display_width(both_texts(figure)));
      changes = std::max(changes, display_width(figure.change));
    }
    bool is_first = true;
    for (const ScreenFigure& figure : screen_.figures) {
      if (figure.is_count) continue;
      const std::string both = both_texts(figure);
      std::string line = "  " + figure.name + blanks(names, figure.name) + "  " +
                         blanks(values, both) + both + "  " + blanks(changes, figure.change) +
                         figure.change;
      const std::string& note = figure.note;
      const bool fits = display_width(line) + 3 + display_width(note) <= width_;
      if (is_first) out_ += "\n";
      // The verdict is about this one.
      const std::string shown = is_first ? ink_.bold(line) : line;
      out_ += shown;
      if (fits && !note.empty()) out_ += "   " + note;
      out_ += "\n";
      if (!fits) out_ += hanging("    ", note, width_);
      is_first = false;
    }
    if (screen_.at_odds.empty()) return;
    for (const std::string& line : wrap(screen_.at_odds, width_ - 2)) out_ += "  " + line + "\n";
  }

  void notes(std::size_t most) {
    if (screen_.notes.empty() || most == 0) return;
    out_ += "\n";
    for (std::size_t i = 0; i < std::min(most, screen_.notes.size()); ++i) {
      labelled(i == 0 ? "Note" : "", screen_.notes[i]);
    }
    if (screen_.notes.size() > most) {
      labelled("", fmt::format("and {} more: --section engine", screen_.notes.size() - most));
    }
  }

  void differs(std::size_t most) {
    out_ += "\n";
    const std::vector<ScreenDifference>& all = screen_.differs;
    const std::string unknown = screen_.unknown_build;
    if (all.empty()) {
      labelled("Differs", unknown.empty() ? "nothing that the inputs show" : unknown);
      return;
    }
    std::size_t names = 0;
    const std::size_t shown = shown_of(all.size(), most);
    for (std::size_t i = 0; i < shown; ++i) {
      names = std::max(names, display_width(printable(all[i].name)));
    }
    names = std::min(names, width_ / 3);
    const std::size_t room = width_ - kLabel - names - 2;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string name = elide_middle(printable(all[i].name), names);
      const std::string base = printable(all[i].base), candidate = printable(all[i].candidate);
      const bool fits = display_width(base) + display_width(candidate) + 3 <= room;
      const std::size_t half = (room - 3) / 2;
      const std::string label = i == 0 ? "Differs" : "";
      out_ += fmt::format("{}{}{}{}  {} → {}\n", label, blanks(kLabel, label), name,
                          blanks(names, name), fits ? base : elide_middle(base, half),
                          fits ? candidate : elide_middle(candidate, half));
    }
    if (all.size() > shown) {
      labelled("", fmt::format("and {} more: --section differences", all.size() - shown));
    }
    if (!unknown.empty()) labelled("", unknown);
  }

  void memory() {
    std::vector<std::string> parts;
    for (const ScreenFigure& figure : screen_.memory) {
      parts.push_back(
          fmt::format("{} {} → {}, {}", figure.name, figure.base, figure.candidate, figure.change));
    }
    if (!parts.empty()) labelled("Memory", join(parts, "; "));
  }

  void strips(std::size_t rows) {
    if (view_ == nullptr || screen_.figures.empty()) return;
    const auto& [base, candidate] = view_->strips;
    side_strips({{"base", &base}, {"candidate", &candidate}}, rows, width_, ink_, out_);
  }

  void reasons(std::size_t most) {
    if (screen_.reasons.empty() || most == 0) return;
    out_ += "\n" + ink_.bold("Reasons") + ink_.dim("  ms of the profile sum") + "\n";
    for (std::size_t i = 0; i < std::min(most, screen_.reasons.size()); ++i) {
      const ScreenReason& reason = screen_.reasons[i];
      out_ += hanging(fmt::format("{:>9}  ", reason.shift), reason.text, width_);
    }
  }

  void findings(const Amounts& amounts) {
    const std::size_t shown = shown_of(screen_.findings.size(), amounts.findings);
    if (shown == 0) return;
    out_ += "\n";
    for (std::size_t i = 0; i < shown; ++i) {
      const ScreenFinding& finding = screen_.findings[i];
      const std::string label = finding.word + blanks(kLabel, finding.word);
      const std::string title = printable(finding.title);
      std::vector<std::string> lines = wrap(title, width_ - kLabel);
      std::vector<std::string> with_rule = wrap(title + " [" + finding.rule + "]", width_ - kLabel);
      // On a narrow terminal the rule has no line of its own.
      if (width_ >= kBriefWidth || with_rule.size() == lines.size()) lines = std::move(with_rule);
      for (std::size_t l = 0; l < lines.size(); ++l) {
        out_ +=
            ink_.tone(finding.tone, (l == 0 ? label : std::string(kLabel, ' ')) + lines[l]) + "\n";
      }
      if (i >= amounts.advice || finding.action.empty()) continue;
      out_ += hanging("    do     ", printable(finding.action), width_);
      out_ += command_lines("           ", finding.commands, width_);
    }
    if (screen_.findings.size() > shown) {
      labelled("", fmt::format("and {} more: --section findings", screen_.findings.size() - shown));
    }
  }

  void shifts(std::size_t most) {
    constexpr std::size_t kNoiseShown = 3;
    const std::size_t shown =
        std::min({most, screen_.shifts.size(), screen_.has_changed ? most : kNoiseShown});
    if (shown == 0) return;
    constexpr std::size_t kRoomForWhy = 90, kRoomForPrecision = 70;
    Table table;
    table.columns = {
        {screen_.has_changed ? "Changed layers, ms" : "Largest shifts, ms", ColumnKind::name},
        {"base", ColumnKind::number},
        {"candidate", ColumnKind::number},
        {"shift", ColumnKind::delta}};
    if (width_ >= kRoomForPrecision) table.columns.push_back({"precision", ColumnKind::label});
    if (width_ >= kRoomForWhy) {
      Column why{"why", ColumnKind::text};
      why.cut = true;
      table.columns.push_back(why);
    }
    for (std::size_t i = 0; i < shown; ++i) {
      const ScreenShift& shift = screen_.shifts[i];
      std::vector<Cell> row = {
          {shift.layer, {}}, {shift.base, {}}, {shift.candidate, {}}, {shift.shift, {}}};
      if (width_ >= kRoomForPrecision) row.push_back({shift.precision, {}});
      if (width_ >= kRoomForWhy) row.push_back({shift.why, {}});
      table.rows.push_back(std::move(row));
    }
    out_ += "\n";
    text_table(table, width_, ink_, out_);
    const std::size_t more = screen_.more_shifts + screen_.shifts.size() - shown;
    if (more == 0) return;
    const bool one_sided = std::ranges::any_of(screen_.shifts, [](const ScreenShift& shift) {
      return shift.base == "–" || shift.candidate == "–";
    });
    out_ += ink_.dim(fmt::format("and {} more: --section groups{}", more,
                                 one_sided ? ",unmatched" : "")) +
            "\n";
  }

  void next(std::size_t most_commands) {
    if (screen_.next.empty()) return;
    const bool runs = most_commands > 0 && !screen_.commands.empty();
    std::string text = screen_.next;
    if (!runs && text.ends_with(':')) text.back() = '.';
    out_ += "\n";
    labelled("Next", text);
    for (std::size_t i = 0; runs && i < screen_.commands.size(); ++i) {
      const auto& [side, command] = screen_.commands[i];
      if (screen_.commands.size() > 1) labelled("", side + ":");
      out_ += command_lines(blanks(kLabel, ""), {command}, width_);
    }
  }

  const ComparisonScreen& screen_;
  const ComparisonView* view_;
  std::size_t width_;
  const Ink& ink_;
  TextStream& out_;
};

// "noise floor 5.0 % (assumed)": whether the shift is beyond it, the verdict says. Other figures
// of the same build stand above and below: which one this is.
std::string short_note(const ScreenFigure& figure) {
  if (figure.is_profile) return "profile sum";
  for (const std::string_view start :
       {"beyond the noise floor of ", "within the noise floor of "}) {
    if (!figure.note.starts_with(start)) continue;
    return "noise floor " + figure.note.substr(start.size());
  }
  return figure.note;
}

// benchstat's table: a line for each comparison.
void overview(const Document& document, std::size_t width, const Ink& ink, TextStream& out) {
  Table table;
  table.columns = {{"", ColumnKind::label},
                   {"base → candidate", ColumnKind::name},
                   {"base", ColumnKind::number},
                   {"candidate", ColumnKind::number},
                   {"change", ColumnKind::delta}};
  constexpr std::size_t kRoomForNotes = 90;
  if (width >= kRoomForNotes) {
    Column notes{"", ColumnKind::text};
    notes.cut = true;
    table.columns.push_back(notes);
  }
  for (const ComparisonScreen& screen : document.comparisons) {
    std::vector<Cell> row = {{screen.word, {}}, {screen.title, {}}};
    if (screen.figures.empty()) {
      row.insert(row.end(), 3, {"–", {}});
      row.push_back(
          {screen.failures.empty() ? join(screen.because, " ") : screen.failures.front().title,
           {}});
    } else {
      const ScreenFigure& figure = screen.figures.front();
      row.insert(row.end(), {{figure.base, {}}, {figure.candidate, {}}, {figure.change, {}}});
      row.push_back({short_note(figure), {}});
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  text_table(table, width, ink, out);
}

void more_line(const Document& document, std::size_t width, TextStream& out) {
  std::vector<std::string> ids = section_ids_of(document);
  if (ids.empty()) return;
  if (document.comparisons.size() > 1) ids.insert(ids.begin(), "summary");
  const std::string label = "More";
  out += "\n" + hanging(label + std::string(kLabel - label.size(), ' '),
                        "--full, -o report.html, --section " + join(ids, ","), width);
}

void page(const Document& document, const Amounts& amounts, std::size_t width, const Ink& ink,
          TextStream& out) {
  const bool is_one = document.comparisons.size() == 1;
  const ComparisonView* view = document.comparison ? &*document.comparison : nullptr;
  if (!is_one) {
    overview(document, width, ink, out);
    side_strips(strips_of_all(document, width), amounts.strip_rows, width, ink, out);
  }
  for (const ComparisonScreen& screen : document.comparisons) {
    ComparisonPage one(screen, is_one ? view : nullptr, width, ink, out);
    if (is_one) {
      one.write(amounts);
      continue;
    }
    one.write_below(amounts);
  }
  if (!amounts.brief) more_line(document, width, out);  // a brief's last line says it
}

template <typename Fits>
std::string comparison_page(const Document& document, Amounts amounts, std::size_t width,
                            const Ink& ink, const Fits& fits) {
  if (document.comparisons.size() > 1) amounts.shifts = amounts.commands = 0;
  const auto draw = [&](const Amounts& now, TextStream& out) {
    page(document, now, width, ink, out);
  };
  return fitted(amounts, kGivesWay, draw, fits);
}

}  // namespace

void text_comparison_screen(const Document& document, std::size_t width, const Ink& ink,
                            TextStream& out) {
  const bool failed = std::ranges::any_of(document.comparisons, [](const ComparisonScreen& screen) {
    return !screen.failures.empty();
  });
  const std::size_t most = failed ? kMostFailureLines : kMostLines;
  out += comparison_page(document, Amounts(), width, ink, [&](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n')) <= most;
  });
}

std::string brief_comparison_screen(const Document& document, std::size_t most_bytes) {
  constexpr std::size_t kAll = 100;
  Amounts amounts;
  amounts.brief = true;
  amounts.strip_rows = 0;
  amounts.advice = amounts.steps = kAll;
  return comparison_page(document, amounts, kBriefWidth, Ink(),
                         [&](const std::string& text) { return text.size() <= most_bytes; });
}

}  // namespace trtlens
