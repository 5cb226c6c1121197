// One self-contained HTML file: no network, no inline handlers, a strict Content-Security-Policy.
#include <fmt/format.h>

#include <string_view>

#include "parsers/input/embedded.h"
#include "report/charts/gnuplot.h"
#include "report/formats/escape.h"
#include "report/formats/html/parts.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kFindingsOpen = 3;
constexpr std::size_t kMostRows = 300;  // of a static table; it scrolls in its own box

std::string embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_web()) {
    if (file.name == name) return file.text();
  }
  return {};
}

std::vector<const Chart*> charts_of(const Document& document) {
  std::vector<const Chart*> charts;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const Chart* chart = std::get_if<Chart>(&block)) charts.push_back(chart);
    }
  }
  return charts;
}

class HtmlReport {
 public:
  HtmlReport(const Document& document, const WriterOptions& options, TextStream& out)
      : document_(document), options_(options), out_(out) {
    if (options.plots) images_ = draw_charts(charts_of(document));
  }

  void write() {
    const std::string css = embedded_file("report.css");
    const std::string js = embedded_file("report.js");
    head(css, js);
    header();
    out_ += "<main>\n";
    headline();
    navigation();
    for (const Section& section : document_.sections) {
      out_ += fmt::format("<section id=\"{}\" aria-labelledby=\"h-{}\">\n<h2 id=\"h-{}\">{}</h2>\n",
                          escape_html(section.id), escape_html(section.id), escape_html(section.id),
                          escape_html(section.title));
      if (section.collapsed) out_ += "<details><summary>Show</summary>\n";
      blocks(section.blocks);
      if (section.collapsed) out_ += "</details>\n";
      out_ += "</section>\n";
    }
    out_ += "</main>\n<footer>trtlens";
    if (!options_.version.empty()) out_ += " " + escape_html(options_.version);
    out_ += "</footer>\n<script>";
    out_ += js;
    out_ += "</script>\n</body>\n</html>\n";
  }

 private:
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
  }

  void header() {
    out_ += "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n<header>\n<h1>" +
            escape_html(document_.title) +
            fmt::format(
                "</h1><span class=\"verdict tone-{}\">{}"
                "</span>\n<p class=\"identity\">",
                to_string(document_.verdict_tone), escape_html(document_.verdict));
    for (const std::string& part : document_.identity) {
      out_ += "<span>" + escape_html(part) + "</span>";
    }
    out_ += "</p>\n</header>\n";
  }

  void headline() {
    out_ += "<div class=\"tiles\">\n";
    for (const Tile& tile : document_.tiles) put(tile);
    out_ += "</div>\n<div class=\"headline\">\n";
    blocks(document_.headline);
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
      const bool is_chart = std::holds_alternative<Chart>(block);
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
    title(list.title);
    out_ += "<ul class=\"items\">";
    for (const std::string& item : list.items) out_ += "<li>" + escape_html(item) + "</li>";
    out_ += "</ul>\n";
  }

  void put(const Facts& facts) {
    title(facts.title);
    out_ += "<dl class=\"facts\">";
    for (const Fact& fact : facts.facts) {
      out_ += "<dt>" + escape_html(fact.label) + "</dt><dd>" + escape_html(fact.value) + "</dd>";
    }
    out_ += "</dl>\n";
  }

  void put(const Quote& quote) {
    out_ += "<figure class=\"quote\">";
    if (!quote.place.empty()) {
      out_ += "<figcaption>" + escape_html(quote.place) + "</figcaption>";
    }
    out_ += "<pre tabindex=\"0\">";
    for (const std::string& line : quote.lines) out_ += escape_html(line) + "\n";
    out_ += "</pre></figure>\n";
  }

  void put(const Table& table) {
    if (table.interactive && !table.rows.empty()) {
      title(table.title);
      html_interactive_table(table, ++grids_, out_);
    } else {
      out_ += html_table(table, kMostRows);
    }
  }

  void put(const FindingCard& card) { out_ += html_finding(card, ++findings_ <= kFindingsOpen); }

  void put(const Chart& chart) {
    const bool drawn = charts_ < images_.svgs.size();
    out_ += html_chart(chart, drawn ? images_.svgs[charts_] : "");
    ++charts_;
  }

  const Document& document_;
  const WriterOptions& options_;
  TextStream& out_;
  ChartImages images_;
  std::size_t grids_ = 0, findings_ = 0, charts_ = 0;
};

void write_html(const Document& document, const WriterOptions& options, TextStream& out) {
  HtmlReport(document, options, out).write();
}

}  // namespace

const Writer writer_html{"html", "html", write_html};

}  // namespace trtlens
