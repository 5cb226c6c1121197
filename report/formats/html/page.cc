// One self-contained HTML file: no network, no inline handlers, a strict Content-Security-Policy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "parsers/input/embedded.h"
#include "report/charts/gnuplot.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/formats/html/parts.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kFindingsOpen = 3;  // without script
constexpr std::size_t kMostRows = 300;    // of a static table; it scrolls in its own box

std::string embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_web()) {
    if (file.name == name) return file.text();
  }
  return {};
}

// The scripts, one after the other in a function of their own, so that no name is global.
std::string page_script(bool has_series) {
  std::string script = "(function () {\n'use strict';\n";
  if (has_series) script += embedded_file("uPlot.iife.min.js") + embedded_file("series.js");
  for (const char* const name : {"base.js", "grid.js", "strip.js", "pieces.js", "graph.js",
                                 "panel.js", "links.js", "page.js"}) {
    script += embedded_file(name);
  }
  return script + "})();\n";
}

// Sections that are shown together. One that is not named here is shown by itself.
struct Tab {
  const char *id, *title;
  std::vector<std::string_view> sections;
};
const std::array<Tab, 10>& tabs() {
  static const std::array<Tab, 10> all = {
      {{"tab-layers", "Layers", {"layers"}},
       {"tab-groups", "Layers", {"groups", "unmatched"}},
       {"tab-findings", "Findings", {"findings", "accepted"}},
       {"tab-engine", "How fast", {"engine"}},
       {"tab-differences", "Differences", {"not-comparable", "differences"}},
       {"tab-time", "Time", {"time", "account", "modules", "roofline"}},
       {"tab-precision", "Precision", {"precision", "reformats", "placement"}},
       {"tab-tactics", "Tactics", {"tactics", "tuning"}},
       {"tab-build", "Build", {"build", "build-time", "memory", "configuration"}},
       {"tab-input", "Input", {"input", "builds"}}}};
  return all;
}

class HtmlReport {
 public:
  HtmlReport(const Document& document, const WriterOptions& options, TextStream& out)
      : document_(document), options_(options), out_(out) {
    std::vector<const Chart*> charts = charts_of(document);
    std::erase_if(charts, [](const Chart* chart) { return chart->has_view; });
    if (options.plots) images_ = draw_charts(charts);
  }

  void write() {
    const bool has_series = std::ranges::any_of(
        charts_of(document_), [](const Chart* chart) { return chart->kind == ChartKind::trace; });
    const std::string css =
        (has_series ? embedded_file("uPlot.min.css") : "") + embedded_file("report.css");
    const std::string js = page_script(has_series);
    head(css, js);
    header();
    out_ += "<main>\n";
    if (document_.screen) {
      html_first_screen(document_, out_);
      tabbed(document_);
      out_ +=
          "<p class=\"paper-foot\">On paper: the first screen, four findings in full, layers, "
          "time, "
          "and what the build spent time and memory on. The rest is in the file.</p>\n";
    } else if (!document_.each.empty()) {
      if (!document_.comparisons.empty()) html_comparison_lines(document_.comparisons, out_);
      for (const Section& section : document_.sections) put(section);
      for (std::size_t i = 0; i < document_.each.size(); ++i) fold(document_.each[i], i + 1);
    } else if (!document_.comparisons.empty()) {
      compared(document_);
    } else {
      if (!document_.tiles.empty()) {
        tiles(document_);
        said(document_);
        navigation();
      }
      for (const Section& section : document_.sections) put(section);
    }
    if (document_.engine) html_engine("engine", document_.engine(), out_);
    out_ += "</main>\n<footer>trtlens";
    if (!options_.version.empty()) out_ += " " + escape_html(options_.version);
    out_ += "</footer>\n<script>";
    out_ += js;
    out_ += "</script>\n</body>\n</html>\n";
  }

 private:
  // One of several comparisons, as a page of its own would show it.
  void fold(const Document& one, std::size_t number) {
    suffix_ = fmt::format("-{}", number);
    out_ += fmt::format(
        "<details class=\"comparison\" id=\"comparison{0}\" data-suffix=\"{0}\"{1}>\n<summary>"
        "<h2 id=\"h-comparison{0}\">{2}: {3}</h2><span class=\"verdict "
        "tone-{4}\">{5}</span></summary>\n",
        suffix_, number == 1 ? " open" : "", number, escape_html(one.title),
        to_string(one.verdict_tone), escape_html(one.comparisons.at(0).word));
    compared(one);
    out_ += "</details>\n";
    suffix_.clear();
  }

  // What it says and draws, and its sections; sides without profiles have nothing to draw.
  void compared(const Document& one) {
    const ComparisonScreen& screen = one.comparisons.at(0);
    // "Regressed: 0.5 ms to 0.6 ms (…)": the word is the badge. A failure has its own words.
    const std::size_t colon = one.verdict.find(": ");
    out_ += "<div class=\"first\">\n";
    if (colon != std::string::npos && screen.failures.empty()) {
      out_ += "<p class=\"sentence\">" +
              escape_html(sentence_start(one.verdict.substr(colon + 2))) + "</p>\n";
    }
    html_comparison_notes(screen, out_);
    tiles(one);
    if (one.comparison) html_comparison_view(*one.comparison, suffix_, out_);
    html_comparison_reasons(screen, suffix_, out_);
    out_ += "</div>\n";
    tabbed(one);
    if (!one.comparison) return;
    html_engine("base" + suffix_, one.sides[0](), out_);
    html_engine("candidate" + suffix_, one.sides[1](), out_);
    html_groups(*one.comparison, suffix_, out_);
  }

  void head(std::string_view css, std::string_view js) {
    out_ += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n",
        csp_hash(js), csp_hash(css));
    out_ +=
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n";
    out_ += "<title>" + escape_html(document_.title) + " – trtlens</title>\n<style>";
    out_ += css;
    out_ += "</style>\n</head>\n<body>\n";
    out_ += html_patterns();
  }

  // Past the header, for the keyboard.
  [[nodiscard]] std::string skip_link() const {
    const auto link = [](const std::string& id, const char* to) {
      return "<a class=\"skip\" href=\"#" + id + "\">Skip to the " + to + "</a>";
    };
    const std::vector<Section>& sections = document_.sections;
    if (!document_.each.empty()) return link("comparison-1", "first");
    if (std::ranges::find(sections, "findings", &Section::id) != sections.end()) {
      return link("findings", "findings");
    }
    if (sections.empty()) return {};
    return link(sections.front().id, document_.contract ? "clauses"
                                     : document_.screen || !document_.comparisons.empty()
                                         ? "details"
                                         : "builds");
  }

  void header() {
    const bool has_screen = document_.screen.has_value();
    const bool is_compared = document_.comparisons.size() == 1;
    const bool is_ladder = document_.comparisons.size() > 1;
    const std::string& word = has_screen    ? document_.screen->verdict
                              : is_compared ? document_.comparisons[0].word
                                            : document_.verdict;
    const Tone tone = has_screen ? document_.screen->verdict_tone : document_.verdict_tone;
    out_ += skip_link() + "\n<header>\n";
    if (!document_.overview.empty()) {
      out_ +=
          "<a class=\"overview\" href=\"" + escape_html(document_.overview) + "\">All builds</a>\n";
    }
    out_ += "<h1>" +
            (is_ladder ? fmt::format("{} comparisons", document_.each.size())
                       : escape_html(document_.title)) +
            "</h1>";
    if (!is_ladder) {  // else each has its own
      out_ += fmt::format("<span class=\"verdict tone-{}\">{}</span>\n", to_string(tone),
                          escape_html(word));
    }
    if (!document_.identity.empty()) {
      out_ += "<details class=\"identity\"><summary>";
      for (const std::string& part : document_.identity) {
        out_ += "<span>" + escape_html(part) + "</span>";
      }
      out_ += "</summary></details>\n";
    }
    out_ += "</header>\n";
  }

  void tiles(const Document& document) {
    out_ += "<div class=\"tiles\">\n";
    for (const Tile& tile : document.tiles) put(tile);
    out_ += "</div>\n";
  }

  void said(const Document& document) {
    out_ += "<div class=\"headline\">\n";
    blocks(document.headline);
    out_ += "</div>\n";
  }

  void navigation() {
    out_ += "<nav aria-label=\"Sections\"><ul>";
    for (const Section& section : document_.sections) {
      out_ += fmt::format("<li><a href=\"#{}\">{}</a></li>", escape_html(section.id),
                          escape_html(section.title));
    }
    out_ += "</ul></nav>\n";
  }

  [[nodiscard]] static std::vector<const Section*> sections_of(const Document& document,
                                                               const Tab& tab) {
    std::vector<const Section*> sections;
    for (const std::string_view id : tab.sections) {
      const auto found = std::ranges::find(document.sections, id, &Section::id);
      if (found != document.sections.end()) sections.push_back(&*found);
    }
    return sections;
  }

  // The first tab is open; without script all are.
  void tabbed(const Document& document) {
    out_ += fmt::format("<nav class=\"tabs\" aria-label=\"Sections{}\"><ul>",
                        suffix_.empty() ? "" : " of comparison " + suffix_.substr(1));
    for (const Tab& tab : tabs()) {
      if (sections_of(document, tab).empty()) continue;
      out_ += fmt::format("<li><a href=\"#{}{}\">{}</a></li>", tab.id, suffix_, tab.title);
    }
    out_ += "</ul></nav>\n";
    for (const Tab& tab : tabs()) {
      const std::vector<const Section*> sections = sections_of(document, tab);
      if (sections.empty()) continue;
      out_ += fmt::format("<div class=\"tab\" id=\"{}{}\">\n", tab.id, suffix_);
      for (const Section* section : sections) {
        put(*section, sections.size() == 1          ? Title::of_tab
                      : section == sections.front() ? Title::shown
                                                    : Title::fold);
      }
      out_ += "</div>\n";
    }
  }

  enum class Title : std::uint8_t { shown, of_tab, fold };

  // `of_tab`: the tab has the same title; `fold`: opened by the reader.
  void put(const Section& section, Title title = Title::shown) {
    const bool folded = section.collapsed || title == Title::fold;
    const bool drawn = !blocks_of<Drawing>(section.blocks).empty();
    out_ += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"h-{0}{5}\">\n{2}<h2 id=\"h-{0}\"{3}>{1}</h2>{4}\n",
        escape_html(section.id) + suffix_, escape_html(section.title),
        !folded ? ""
        : drawn ? "<details class=\"fold\" open><summary>"
                : "<details class=\"fold\"><summary>",
        title == Title::of_tab ? " class=\"alone\"" : "", folded ? "</summary>" : "",
        suffix_.empty() ? "" : " h-comparison" + suffix_);
    if (section.id == "time") figures_said();
    blocks(section.blocks);
    if (folded) out_ += "</details>\n";
    out_ += "</section>\n";
  }

  // What the headline says of the figures stands where the time is explained.
  void figures_said() {
    for (const Paragraph* said : blocks_of<Paragraph>(document_.headline)) {
      if (document_.screen && said->tone == Tone::plain) put(*said);
    }
  }

  // A number is large; a sentence is not.
  void put(const Tile& tile) {
    const bool prose = tile.value.size() > 24;
    out_ += fmt::format("<article class=\"tile tone-{}\"><h2>{}</h2><p class=\"{}\">{}</p>",
                        to_string(tile.tone), escape_html(tile.label),
                        prose ? "value prose" : "value", escape_html(tile.value));
    if (!tile.unit.empty()) out_ += "<p class=\"unit\">" + escape_html(tile.unit) + "</p>";
    out_ += html_parts_bar(tile.parts);
    for (const std::string& line : tile.lines) {
      out_ += "<p class=\"line\">" + escape_html(line) + "</p>";
    }
    out_ += "</article>\n";
  }

  // Charts that follow each other share a grid.
  void blocks(const std::vector<Block>& all) {
    bool in_charts = false;
    bool noted = false;
    for (const Block& block : all) {
      const Chart* const chart = std::get_if<Chart>(&block);
      if (chart != nullptr && chart->has_view) continue;
      const bool is_chart = chart != nullptr;
      if (is_chart && !in_charts) {
        if (!images_.note.empty() && !noted) note(images_.note);
        noted = true;
        out_ += "<div class=\"charts\">\n";
      }
      if (!is_chart && in_charts) out_ += "</div>\n";
      in_charts = is_chart;
      std::visit([this](const auto& b) { put(b); }, block);
    }
    if (in_charts) out_ += "</div>\n";
  }

  void note(const std::string& text) {
    out_ += "<p class=\"note\">" + escape_html(text) + "</p>\n";
  }

  void title(const std::string& text) {
    if (!text.empty()) out_ += "<h3>" + escape_html(text) + "</h3>\n";
  }

  void put(const Paragraph& paragraph) {
    out_ += fmt::format("<p class=\"tone-{}\">{}</p>\n", to_string(paragraph.tone),
                        escape_html(paragraph.text));
  }

  void put(const List& list) {
    if (list.title == "Notes") {
      out_ += "<h3 id=\"notes" + suffix_ + "\">Notes</h3>\n";
    } else {
      title(list.title);
    }
    out_ += "<ul class=\"items\">";
    for (const std::string& item : list.items) out_ += "<li>" + html_prose(item) + "</li>";
    out_ += "</ul>\n";
  }

  void put(const Facts& facts) {
    title(facts.title);
    out_ += "<dl class=\"facts\"" + html_table_name(facts.name) + ">";
    for (const Fact& fact : facts.facts) {
      out_ += "<dt>" + escape_html(fact.label) + "</dt><dd>" + escape_html(fact.value) + "</dd>";
    }
    out_ += "</dl>\n";
  }

  void put(const Quote& quote) { html_quote(quote, out_); }

  void put(const Table& table) {
    if (table.interactive && !table.rows.empty()) {
      title(table.title);
      html_interactive_table(table, ++grids_, out_);
      if (!table.note.empty()) note(table.note);
    } else {
      out_ += html_table(table, kMostRows);
    }
  }

  // The cause of a failure stands on the first screen.
  void put(const FindingCard& card) {
    const bool is_cause = document_.screen && document_.screen->cause_first && findings_ == 0;
    out_ += html_finding(card, ++findings_ <= kFindingsOpen && !is_cause);
  }

  void put(const Drawing& drawing) { html_drawing(drawing, out_); }

  void put(const Chart& chart) {
    const bool drawn = charts_ < images_.pictures.size();
    out_ += html_chart(chart, drawn ? images_.pictures[charts_] : "", charts_);
    if (chart.kind == ChartKind::trace) html_series(chart, charts_, out_);
    ++charts_;
  }

  const Document& document_;
  const WriterOptions& options_;
  TextStream& out_;
  ChartImages images_;
  std::string suffix_;  // of the names of one of several comparisons
  std::size_t grids_ = 0, findings_ = 0, charts_ = 0;
};

void write_html(const Document& document, const WriterOptions& options, TextStream& out) {
  HtmlReport(document, options, out).write();
}

}  // namespace

const Writer writer_html{"html", "html", write_html};

}  // namespace trtlens
