// Lines of the first screen: a heading, figures, a table of findings, a table of layers.
#include "report/formats/markdown/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/formats/markdown/words.h"

namespace trtlens {
namespace {

constexpr std::size_t kFindings = 4, kLayers = 5, kFewestLayers = 3;
constexpr std::size_t kQuoteWidth = 320;
constexpr std::size_t kLabelWidth = 72;

using Lines = std::vector<std::string>;

void add(Lines& out, Lines more) {
  std::ranges::move(more, std::back_inserter(out));
}

// With a blank line behind it.
void add_block(Lines& out, Lines block) {
  if (block.empty()) return;
  add(out, std::move(block));
  out.emplace_back();
}

// A figure keeps its unit.
std::string unbroken(std::string text) {
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at)) {
    text.replace(at, 1, "&nbsp;");
  }
  return text;
}

// Why it failed and what to do first; of one that is `alone` all of that, and the lines that say
// so.
Lines failure_lines(const MarkdownWords& words, const ScreenFailure& failure, bool alone) {
  Lines lines;
  if (!failure.side.empty()) add_block(lines, {words.prose(failure.side)});
  const std::string title =
      failure.title.empty() ? "The run failed, and no rule explains it." : failure.title;
  add_block(lines, {"**" + words.words(title) + "**"});
  if (!failure.why.empty()) add_block(lines, {words.ours(failure.why)});
  Lines steps;
  const std::size_t most = std::min<std::size_t>(failure.steps.size(), alone ? 3 : 1);
  for (std::size_t i = 0; i < most; ++i) {
    steps.push_back(fmt::format("{}. {}", i + 1, words.ours(failure.steps[i])));
  }
  if (alone && !failure.next_check.empty()) {
    steps.push_back("- Check: " + words.ours(failure.next_check));
  }
  const char* const start = failure.next_check.empty() ? "- Check: " : "  - ";
  for (std::size_t i = 0; alone && i < failure.commands.size(); ++i) {
    steps.push_back(start + words.code(failure.commands[i]));
  }
  add_block(lines, std::move(steps));
  for (std::size_t i = 0; alone && i < failure.quotes.size(); ++i) {
    const auto& [place, quoted] = failure.quotes[i];
    Lines quote;
    if (!place.empty()) quote.push_back("> " + words.code(place) + "\\");
    for (const std::string& line : quoted) {
      quote.push_back("> " + words.code(line, kQuoteWidth) + "\\");
    }
    if (quoted.empty()) continue;
    quote.back().pop_back();
    add_block(lines, std::move(quote));
  }
  lines.pop_back();
  return lines;
}

class BuildLines {
 public:
  explicit BuildLines(const Document& document)
      : document_(document), words_(document.short_paths), cards_(cards_of(document)) {}

  [[nodiscard]] Lines lines() const {
    const Screen& screen = *document_.screen;
    const bool failed = document_.screen->cause_first;
    Lines top = {heading(document_.screen->verdict)};
    if (!failed && !screen.is_pasted) speed(top);
    top.emplace_back();
    Lines said = warnings();
    if (failed) add_block(top, std::exchange(said, {}));
    add(said, failed ? failure_lines(words_, failure_of(document_), true) : answers());
    add_block(top, std::move(said));
    const Lines foot = {identity()};
    std::size_t findings = std::min(kFindings, cards_.size());
    std::size_t layers = failed ? 0 : std::min(kLayers, screen.hottest.size());
    const std::size_t first = failed ? 1 : 0;  // the cause stands above
    const auto middle = [&] {
      Lines lines;
      add_block(lines, finding_table(first, findings));
      add_block(lines, layer_table(layers));
      return lines;
    };
    while (top.size() + middle().size() + foot.size() > kMarkdownScreenLines) {
      const bool one_finding = findings <= first + 1;
      if (layers > (one_finding ? 0 : kFewestLayers)) {
        --layers;
      } else if (!one_finding) {
        --findings;
      } else {
        break;
      }
    }
    add(top, middle());
    add(top, foot);
    if (top.size() > kMarkdownScreenLines) top.resize(kMarkdownScreenLines);
    return top;
  }

 private:
  [[nodiscard]] std::string heading(const std::string& verdict) const {
    return "# " + words_.code(document_.title, kLabelWidth) + ": " + words_.words(verdict);
  }

  void speed(Lines& out) const {
    const Screen& screen = *document_.screen;
    std::string line = "**" + words_.words(speed_of(screen)) + "**";
    for (const std::string& more : screen.more_speed) line += " · " + words_.words(more);
    out.push_back(line);
  }

  // What is wrong beside all findings.
  [[nodiscard]] Lines warnings() const {
    Lines lines;
    for (const Paragraph* said : warnings_of(document_)) {
      if (lines.size() == 2) break;
      lines.push_back("- **" + words_.words(said->text) + "**");
    }
    return lines;
  }

  [[nodiscard]] Lines answers() const {
    Lines lines;
    const Screen& screen = *document_.screen;
    for (const auto& [label, text] : {std::pair{"Precision", &screen.precision},
                                      {"FP32 fallbacks", &screen.fallbacks},
                                      {"Scales", &screen.scales}}) {
      if (!text->empty()) lines.push_back(fmt::format("- **{}**: {}", label, words_.words(*text)));
    }
    if (!cards_.empty()) return lines;
    for (const Paragraph& said : nothing_found(document_)) {
      lines.push_back("- " + words_.prose(said.text));
    }
    return lines;
  }

  // Of the findings from `first` to `last`, and how many there are besides.
  [[nodiscard]] Lines finding_table(std::size_t first, std::size_t last) const {
    constexpr std::size_t kText = 160;
    Lines lines;
    if (first >= cards_.size() || first >= last) return lines;
    lines = {"| # | Severity | Finding | Cost in the profile | Gain | First action |",
             "| ---: | --- | --- | ---: | --- | --- |"};
    for (std::size_t i = first; i < last; ++i) {
      const FindingCard& card = *cards_[i];
      lines.push_back(fmt::format(
          "| {} | {} | {} | {} | {} | {} |", card.number, to_string(card.severity),
          title_and_place(card, kText), unbroken(words_.words(card.stake_short)),
          words_.words(card.gain_short),
          card.steps.empty() ? "" : words_.words(end_elided(card.steps.front(), kText))));
    }
    const std::size_t all = document_.screen->findings;
    if (all > last)
      lines.push_back(fmt::format("| | | and {} more: see Findings | | | |", all - last));
    return lines;
  }

  [[nodiscard]] std::string title_and_place(const FindingCard& card, std::size_t most) const {
    const std::string title = words_.words(end_elided(card.title, most));
    const std::string where = place_beside_title(card);
    return where.empty() ? title : title + ": " + words_.words(elide_middle(where, most));
  }

  [[nodiscard]] Lines layer_table(std::size_t shown) const {
    const Screen& screen = *document_.screen;
    Lines lines;
    if (shown == 0) return lines;
    lines = {std::string("| # | Hottest layer | Time (ms) | Share | Precision | Of roof (") +
                 kRoofWords + ") |",
             "| ---: | --- | ---: | ---: | --- | ---: |"};
    double more_ms = screen.more_ms;
    for (std::size_t i = 0; i < screen.hottest.size(); ++i) {
      const ScreenLayer& row = screen.hottest[i];
      if (i >= shown) {
        more_ms += row.ms;
        continue;
      }
      lines.push_back(fmt::format("| {} | {} | {} | {} | {} | {} |", row.layer,
                                  words_.code_cell(row.label, kLabelWidth), ms_number(row.ms),
                                  share_text(row.share), words_.words(row.kind), row.roof));
    }
    const std::size_t more = screen.more_layers + screen.hottest.size() - shown;
    if (more > 0) {
      lines.push_back(fmt::format("| | {} more | {} | | | |", more, ms_number(more_ms)));
    }
    return lines;
  }

  // What was built, in a line.
  [[nodiscard]] std::string identity() const {
    const Screen& screen = *document_.screen;
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min<std::size_t>(document_.identity.size(), 2); ++i) {
      parts.push_back(document_.identity[i]);
    }
    parts.insert(parts.end(), screen.also.begin(), screen.also.end());
    if (!screen.notes.empty()) parts.push_back(count_text(screen.notes.size(), "note", "notes"));
    if (screen.builds > 1) {
      parts.push_back(fmt::format("{} builds in these inputs (--build N)", screen.builds));
    }
    return words_.prose(join(parts, " · "));
  }

  const Document& document_;
  MarkdownWords words_;
  std::vector<const FindingCard*> cards_;
};

class ComparisonLines {
  static constexpr std::size_t kNoiseRows = 3;

 public:
  explicit ComparisonLines(const Document& document)
      : document_(document), words_(document.short_paths) {}

  [[nodiscard]] Lines lines() const {
    const std::size_t n = document_.comparisons.size();
    Lines lines = {"# " + words_.words(n == 1 ? document_.verdict : document_.title), ""};
    for (const ComparisonScreen& screen : document_.comparisons) {
      lines.push_back(n == 1 ? words_.code(screen.title)
                             : "**" + words_.code(screen.title) +
                                   "**: " + words_.words(screen.verdict));
      lines.emplace_back();
      const std::size_t room = n == 1 ? kMarkdownScreenLines : (kMarkdownScreenLines - 2) / n;
      Lines head;
      if (n == 1) {
        add_block(head, failures(screen));
        add_block(head, figures(screen));
      }
      add_block(head, said(screen, n == 1));
      // Headings, and the table's own lines.
      const std::size_t used = (n == 1 ? 4 : 2) + head.size() + (n == 1 ? 3 : 4);
      const std::size_t most = screen.has_changed ? screen.shifts.size() : kNoiseRows;
      const std::size_t rows =
          room > used ? std::min({room - used, screen.shifts.size(), most}) : 0;
      add(lines, head);
      add_block(lines, shifts(screen, rows));
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }

 private:
  // What explains the verdict, what to do, and what else differs.
  [[nodiscard]] Lines said(const ComparisonScreen& screen, bool is_alone) const {
    constexpr std::size_t kNotes = 2, kWorst = 2, kReasons = 3;
    Lines lines;
    const auto say = [&](const std::string& label, const std::string& text) {
      if (!text.empty()) lines.push_back("- **" + label + "**: " + text);
    };
    if (is_alone) {
      for (std::size_t i = 0; i < std::min(kNotes, screen.notes.size()); ++i) {
        say("Note", words_.words(screen.notes[i]));
      }
    }
    // Without what the heading says: the failure, else the first of these.
    const std::size_t first = screen.failures.empty() ? 1 : 0;
    for (std::size_t i = first; is_alone && i < screen.because.size(); ++i) {
      lines.push_back("- " + words_.words(screen.because[i]));
    }
    if (!screen.at_odds.empty()) lines.push_back("- **" + words_.words(screen.at_odds) + "**");
    say("Reasons in the profile", reasons(screen, kReasons));
    for (std::size_t i = 0; i < std::min(kWorst, screen.findings.size()); ++i) {
      const ScreenFinding& finding = screen.findings[i];
      say(sentence_start(finding.word),
          words_.words(finding.title) +
              (finding.action.empty() ? "" : ". Do: " + words_.ours(finding.action)));
    }
    if (screen.findings.size() > kWorst) {
      lines.push_back(fmt::format("- and {}, below",
                                  count_text(screen.findings.size() - kWorst, "more finding")));
    }
    if (is_alone) say("What differs", differences(screen));
    if (is_alone && screen.failures.empty()) say("Next", next(screen));
    return lines;
  }

  [[nodiscard]] std::string reasons(const ComparisonScreen& screen, std::size_t most) const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(most, screen.reasons.size()); ++i) {
      const ScreenReason& reason = screen.reasons[i];
      texts.push_back(words_.words(reason.text) +
                      (reason.shift.empty() ? "" : " (" + unbroken(reason.shift + " ms") + ")"));
    }
    if (screen.reasons.size() > most) {
      texts.push_back(fmt::format("and {} more", screen.reasons.size() - most));
    }
    return join(texts, ", ");
  }

  [[nodiscard]] std::string differences(const ComparisonScreen& screen) const {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(kShown, screen.differs.size()); ++i) {
      const ScreenDifference& one = screen.differs[i];
      texts.push_back(words_.words(one.name + ": " + one.base + " → " + one.candidate));
    }
    if (screen.differs.size() > kShown) {
      texts.push_back(fmt::format("and {} more", screen.differs.size() - kShown));
    }
    return texts.empty() ? words_.words(screen.unknown_build) : join(texts, "; ");
  }

  // The commands stand below, in the section on speed.
  [[nodiscard]] std::string next(const ComparisonScreen& screen) const {
    std::string text = screen.next;
    if (text.ends_with(':')) text.back() = '.';
    return words_.words(text);
  }

  [[nodiscard]] Lines failures(const ComparisonScreen& screen) const {
    Lines lines;
    for (const ScreenFailure& failure : screen.failures) {
      add_block(lines, failure_lines(words_, failure, screen.failures.size() == 1));
    }
    if (!lines.empty()) lines.pop_back();
    return lines;
  }

  [[nodiscard]] Lines figures(const ComparisonScreen& screen) const {
    Lines lines;
    if (screen.figures.empty() && screen.memory.empty()) return lines;
    lines = {"| | Base | Candidate | Change |", "| --- | ---: | ---: | ---: |"};
    for (const std::vector<ScreenFigure>* figures : {&screen.figures, &screen.memory}) {
      for (const ScreenFigure& figure : *figures) {
        lines.push_back(fmt::format("| {} | {} | {} | {} |",
                                    words_.words(sentence_start(figure.name)),
                                    words_.words(figure.base), words_.words(figure.candidate),
                                    words_.words(figure.change)));
      }
    }
    return lines;
  }

  [[nodiscard]] Lines shifts(const ComparisonScreen& screen, std::size_t rows) const {
    constexpr std::size_t kText = 120;
    Lines lines;
    if (rows == 0) return lines;
    lines = {std::string(screen.has_changed ? "| Changed layer" : "| Largest shift") +
                 " | Shift (ms) | Base (ms) | Candidate (ms) | Precision | Why |",
             "| --- | ---: | ---: | ---: | --- | --- |"};
    for (std::size_t i = 0; i < rows; ++i) {
      const ScreenShift& shift = screen.shifts[i];
      lines.push_back(fmt::format(
          "| {} | {} | {} | {} | {} | {} |", words_.code_cell(shift.layer, kLabelWidth),
          words_.words(shift.shift), words_.words(shift.base), words_.words(shift.candidate),
          words_.words(shift.precision), words_.words(end_elided(shift.why, kText))));
    }
    const std::size_t more = screen.more_shifts + screen.shifts.size() - rows;
    if (more > 0) lines.push_back(fmt::format("| and {} more, below | | | | | |", more));
    return lines;
  }

  const Document& document_;
  MarkdownWords words_;
};

}  // namespace

std::vector<std::string> markdown_screen(const Document& document) {
  if (document.screen) return BuildLines(document).lines();
  if (!document.comparisons.empty()) return ComparisonLines(document).lines();
  return {};
}

}  // namespace trtlens
