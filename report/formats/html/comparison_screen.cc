// The words of a comparison's first screen, and of several the table of them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/formats/html/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kFindingsListed = 4;  // the rest is one link

std::string finding_html(const ScreenFinding& finding) {
  std::string action;
  if (!finding.action.empty()) action = "<p>Do: " + html_prose(finding.action) + "</p>";
  return fmt::format("<li><span class=\"badge tone-{}\">{}</span><div>{}{}{}</div></li>",
                     to_string(finding.tone), escape_html(finding.word), escape_html(finding.title),
                     action, html_commands(finding.commands));
}

void next(const ComparisonScreen& screen, TextStream& out) {
  if (screen.next.empty()) return;
  out += "<p><b>Next</b> " + escape_html(screen.next) + "</p>\n";
  for (const auto& [side, command] : screen.commands) {
    out += "<p>" + escape_html(sentence_start(side)) + "</p>" + html_commands({command});
  }
}

}  // namespace

void html_comparison_notes(const ComparisonScreen& screen, TextStream& out) {
  for (const ScreenFailure& failure : screen.failures) html_failure(failure, out);
  // The first stands beside the verdict.
  const std::size_t first = screen.failures.empty() ? 1 : 0;
  for (std::size_t i = first; i < screen.because.size(); ++i) {
    out += "<p>" + escape_html(screen.because[i]) + "</p>\n";
  }
  for (const std::string& note : screen.notes) {
    out += "<p class=\"tone-moderate\">" + escape_html(note) + "</p>\n";
  }
  for (const ScreenFigure& one : screen.memory) {
    out += fmt::format("<p>{}: {} → {} ({})</p>\n", sentence_start(one.name), one.base,
                       one.candidate, one.change);
  }
  if (!screen.at_odds.empty()) out += "<p><b>" + escape_html(screen.at_odds) + "</b></p>\n";
}

void html_comparison_reasons(const ComparisonScreen& screen, std::string_view suffix,
                             TextStream& out) {
  out += "<div class=\"reasons\">\n";
  for (const ScreenReason& reason : screen.reasons) {
    // Those with a time are drawn.
    if (reason.shift.empty()) out += "<p>" + escape_html(sentence_start(reason.text)) + "</p>\n";
  }
  if (!screen.findings.empty()) {
    const std::size_t shown = std::min(kFindingsListed, screen.findings.size());
    out += "<ul>";
    for (std::size_t i = 0; i < shown; ++i) out += finding_html(screen.findings[i]);
    out += "</ul>\n";
    if (shown < screen.findings.size()) {
      out += fmt::format("<p><a href=\"#findings{}\">and {} more</a></p>\n", suffix,
                         screen.findings.size() - shown);
    }
  }
  next(screen, out);
  out += "</div>\n";
}

// On a narrow screen a line is a card: its cells say what they are.
void html_comparison_lines(const std::vector<ComparisonScreen>& comparisons, TextStream& out) {
  out +=
      "<table class=\"lines\"><thead><tr><th scope=\"col\">Base</th><th "
      "scope=\"col\">Candidate</th>"
      "<th scope=\"col\" class=\"num\">Time</th><th scope=\"col\" class=\"num\">Change</th><th "
      "scope=\"col\">Verdict</th><th scope=\"col\">First reason</th></tr></thead><tbody>";
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const ComparisonScreen& one = comparisons[i];
    const ScreenFigure none;  // figures side by side would be a comparison
    const ScreenFigure& figure = one.figures.empty() ? none : one.figures[0];
    const std::string what = figure.is_profile ? " of the profile" : "";
    const std::string time =
        one.figures.empty() ? "" : figure.base + " → " + figure.candidate + what;
    const ScreenReason reason = one.reasons.empty() ? ScreenReason() : one.reasons[0];
    std::string why = reason.text + (reason.shift.empty() ? "" : ", " + reason.shift + " ms");
    if (!one.because.empty()) why = one.because[0];
    if (!one.failures.empty()) why = one.failures[0].side + ": " + one.failures[0].title;
    out += fmt::format(
        "<tr><th scope=\"row\" class=\"name\"><a href=\"#comparison-{0}\">{0}: {1}</a></th><td "
        "class=\"name\">{2}</td><td class=\"num\">{3}</td><td class=\"num\">{4}</td><td><span "
        "class=\"verdict tone-{5}\">{6}</span></td><td>{7}</td></tr>",
        i + 1, escape_html(one.base), escape_html(one.candidate), escape_html(time),
        escape_html(figure.change), to_string(one.tone), escape_html(one.word), escape_html(why));
  }
  out += "</tbody></table>\n";
}

}  // namespace trtlens
