// The first screen of a build: what a reader needs before anything else, without script.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/formats/escape.h"
#include "report/formats/html/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kListedFindings = 8;  // the rest is one link

std::string labelled(const char* label, const std::string& text) {
  return text.empty() ? ""
                      : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", label, escape_html(text));
}

class FirstScreen {
 public:
  FirstScreen(const Document& document, TextStream& out)
      : document_(document), screen_(*document.screen), cards_(cards_of(document)), out_(out) {
    strip_ = strip_parts();
  }

  void write() {
    out_ += "<div class=\"first\">\n";
    for (const Paragraph* said : warnings_of(document_)) toned(*said);
    if (is_failure()) html_failure(failure_of(document_), out_);
    figures();
    strip();
    ladder();
    if (is_failure() && cards_.size() < 2 && !document_.engine) {
      out_ += "</div>\n";
      return;
    }
    out_ += "<div class=\"pair\">\n";
    findings();
    out_ +=
        "<aside id=\"panel\" tabindex=\"-1\" aria-label=\"What is selected\" hidden></aside>\n"
        "</div>\n</div>\n";
  }

 private:
  [[nodiscard]] bool is_failure() const { return screen_.cause_first; }

  void toned(const Paragraph& said) {
    out_ +=
        fmt::format("<p class=\"tone-{}\">{}</p>\n", to_string(said.tone), escape_html(said.text));
  }

  void figures() {
    if (is_failure() && screen_.speed.empty() && screen_.strip.empty()) return;
    out_ += "<div class=\"figures\">\n<div>";
    const Tile& speed = document_.tiles.at(0);
    out_ += fmt::format("<p class=\"speed\"><b>{}</b> {}</p>",
                        screen_.speed.empty() ? "Speed unknown" : escape_html(speed.value),
                        escape_html(speed.unit));
    std::string line = spark();  // stands at the right of the first line
    for (const std::string& more : screen_.more_speed) {
      line += "<span>" + escape_html(more) + "</span>";
    }
    if (!line.empty()) out_ += "<p class=\"line\">" + line + "</p>";
    out_ += "</div>\n<div>";
    precision();
    out_ += "</div>\n</div>\n";
  }

  // The times of the queries, small; the large chart is a click away.
  [[nodiscard]] std::string spark() const {
    for (const Chart* chart : charts_of(document_)) {
      if (chart->kind == ChartKind::trace) {
        return "<a class=\"spark\" href=\"#time\">" + html_spark(*chart) + "</a>";
      }
    }
    return "";
  }

  void precision() {
    const Tile& precision = document_.tiles.at(1);
    if (strip_.empty()) out_ += html_parts_bar(precision.parts);
    std::string facts;
    if (precision.parts.empty()) {
      facts += labelled("Precision", precision.value + ": " + precision.unit);
    }
    facts += labelled("FP32 fallbacks", screen_.fallbacks);
    facts += labelled("Scales", screen_.scales);
    std::string also;
    for (const std::string& item : screen_.also) also += (also.empty() ? "" : ", ") + item;
    facts += labelled("Also", also);
    if (!facts.empty()) out_ += "<dl class=\"marks\">" + facts + "</dl>";
  }

  // Without a profile a layer is as wide as another, where the kinds of the layers tell something
  // and there is room for all.
  [[nodiscard]] std::vector<StripPart> strip_parts() const {
    if (!screen_.strip.empty() || !document_.engine) return screen_.strip;
    constexpr std::size_t kMostParts = 2000;
    const EngineView view = document_.engine();
    if (view.kind.size() > kMostParts) return {};
    std::vector<StripPart> parts;
    bool tells = false;
    for (std::size_t i = 0; i < view.kind.size(); ++i) {
      parts.push_back({1, view.kind[i], ""});
      tells = tells || view.kind[i] != "unknown";
    }
    return tells ? parts : std::vector<StripPart>();
  }

  void strip() {
    const double whole = sum_ms(strip_);
    if (whole <= 0) return;
    out_ += "<figure class=\"strip\" id=\"strip\">\n<figcaption><b>Execution order</b>" +
            std::string(screen_.strip.empty() ? "<span>no profile: all layers are equally wide; "
                                                "shares of their number:</span>"
                                              : "") +
            html_strip_legend(screen_.strip.empty() ? kinds_of(strip_) : screen_.kinds) +
            "<span class=\"marked\" hidden></span></figcaption>\n" + html_strip(strip_, whole) +
            "</figure>\n";
  }

  void ladder() {
    if (screen_.ladder.empty()) return;
    const double most_ms = screen_.ladder.front().high_ms;
    const bool has_roof = screen_.ladder.back().label == "roof";
    out_ += fmt::format(
        "<table class=\"ladder\"><caption>{} now{}after findings{}</caption><tbody>",
        screen_.ladder_is_query ? "Time per query" : "Profile time", has_roof ? ", " : " and ",
        has_roof ? ", and at the roof<span> (" + escape_html(screen_.roof) + ")</span>" : "");
    for (const LadderBar& bar : screen_.ladder) {
      const double low = 100 * bar.low_ms / most_ms;
      const std::string label = escape_html(bar.label);
      out_ += fmt::format(
          "<tr><th scope=\"row\">{}</th><td><svg aria-hidden=\"true\"><rect width=\"{:.1f}%\" "
          "height=\"100%\" class=\"sure\"/><rect x=\"{:.1f}%\" width=\"{:.1f}%\" height=\"100%\" "
          "class=\"range\"/></svg></td><td class=\"num\">{}</td></tr>",
          bar.finding == 0 ? label
                           : fmt::format("<a href=\"#finding-{0}\" data-finding=\"{0}\" "
                                         "title=\"{1}\">after {0}: {1}</a>",
                                         bar.finding, label),
          low, low, 100 * bar.high_ms / most_ms - low, escape_html(bar.text));
    }
    out_ += "</tbody></table>\n";
  }

  // Without the cause of a failure, which stands above.
  void findings() {
    const std::size_t first = is_failure() && !cards_.empty() ? 1 : 0;
    out_ += fmt::format("<div class=\"list\">\n<h2>{}{}</h2>\n",
                        first == 0 ? "Findings" : "Other findings",
                        screen_.strip.empty() ? "" : ", with their cost in the profile");
    if (cards_.empty()) {
      for (const Paragraph& said : nothing_found(document_)) toned(said);
    }
    out_ += "<ol>";
    for (std::size_t i = first; i < std::min(cards_.size(), kListedFindings); ++i) {
      const FindingCard& card = *cards_[i];
      out_ += fmt::format(
          "<li class=\"tone-{0}\"><a href=\"#finding-{1}\" data-finding=\"{1}\"><span "
          "class=\"badge\">{0}</span> <span class=\"what\">{2}</span> <span "
          "class=\"stake\">{3}</span></a></li>",
          to_string(card.severity), card.number, escape_html(card.title),
          escape_html(card.stake_short.empty() && !card.gain_short.empty()
                          ? "gain " + card.gain_short
                          : card.stake_short));
    }
    out_ += "</ol>\n";
    std::string rest;
    if (screen_.findings > kListedFindings) {
      rest = fmt::format("{} more", screen_.findings - kListedFindings);
    }
    if (!screen_.notes.empty()) {
      rest += fmt::format("{}{} {}", rest.empty() ? "" : ", ", screen_.notes.size(),
                          screen_.notes.size() == 1 ? "note" : "notes");
    }
    if (!rest.empty()) {
      out_ += fmt::format("<p><a href=\"#{}\">{}</a></p>\n",
                          screen_.findings > kListedFindings ? "findings" : "notes", rest);
    }
    out_ += "</div>\n";
  }

  const Document& document_;
  const Screen& screen_;
  std::vector<const FindingCard*> cards_;
  std::vector<StripPart> strip_;
  TextStream& out_;
};

}  // namespace

void html_first_screen(const Document& document, TextStream& out) {
  FirstScreen(document, out).write();
}

}  // namespace trtlens
