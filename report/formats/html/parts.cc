// Tables, cards and charts as markup.
#include "report/formats/html/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzers/gate/sha256.h"
#include "report/charts/chart_script.h"
#include "report/charts/palette.h"
#include "report/formats/escape.h"
#include "report/formats/html/packed.h"

namespace trtlens {
namespace {

constexpr std::size_t kPrintedRows = 12;  // also in report.css

// SVG attributes, not style attributes: the Content-Security-Policy forbids those.
std::string share_bar(double share, std::string_view css) {
  return fmt::format("<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"{:.2f}%\"{}/></svg>",
                     std::clamp(share, 0.0, 1.0) * 100,
                     css.empty() ? "" : fmt::format(" class=\"{}\"", css));
}

// Only what a browser may open safely becomes a link.
bool is_web_address(std::string_view text) {
  const bool scheme = text.substr(0, 8) == "https://" || text.substr(0, 7) == "http://";
  return scheme && std::all_of(text.begin(), text.end(), [](char c) {
           return c > ' ' && c < '\x7f' && c != '"' && c != '<' && c != '>' && c != '\\';
         });
}

bool is_yes_no(const Column& column) {
  return column.title == "Matters" || column.title == "Removable";
}

std::string text_html(const Cell& cell) {
  const std::string text = escape_html(cell.text);
  return cell.page.empty() ? text : "<a href=\"" + escape_html(cell.page) + "\">" + text + "</a>";
}

const char* cell_class(const Column& column, const Cell& cell) {
  switch (column.kind) {
    case ColumnKind::number:
    case ColumnKind::delta:
      return "num";
    case ColumnKind::share:
      return "num share";
    case ColumnKind::label:
      return is_yes_no(column) && cell.text == "yes" ? "label yes" : "label";
    case ColumnKind::precision:
      return "label";
    case ColumnKind::name:
      return "name";
    case ColumnKind::text:
      break;
  }
  return "";
}

std::string cell_html(const Column& column, const Cell& cell) {
  const std::string css = cell_class(column, cell);
  std::string text = text_html(cell);
  if (column.kind == ColumnKind::precision) text = html_swatch(cell.text) + text;
  if (column.kind == ColumnKind::share) {
    text = (cell.value ? share_bar(*cell.value, "") : "") + text;
  }
  return fmt::format("<td{}>{}</td>", css.empty() ? "" : " class=\"" + css + "\"", text);
}

const char* head_class(const Column& column) {
  return is_number(column.kind) ? " class=\"num\"" : "";
}

// What a wider table would have columns for; a grid shows it of the row that is selected.
std::string extras_of(const Table& table, const std::vector<Cell>& row) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size() && !table.interactive; ++c) {
    if (!table.columns[c].extra || row[c].text.empty()) continue;
    out += fmt::format("<div class=\"sub\"><b>{}</b> {}</div>", escape_html(table.columns[c].title),
                       escape_html(row[c].text));
  }
  return out;
}

// Details stand under the text of the row's header cell.
std::string row_header(const Table& table, const std::vector<Cell>& row, std::size_t header) {
  const bool precision = table.columns[header].kind == ColumnKind::precision;
  const bool label = precision || table.columns[header].kind == ColumnKind::label;
  const bool name = table.columns[header].kind == ColumnKind::name;
  const char* css = name ? " class=\"name\"" : label ? " class=\"label\"" : "";
  const std::string extras = extras_of(table, row);
  const std::string text = text_html(row[header]);
  std::string out = fmt::format(
      "<th scope=\"row\"{}>{}{}", css, precision ? html_swatch(row[header].text) : std::string(),
      extras.empty()
          ? text
          : "<details class=\"whole\"><summary>" + text + "</summary>" + extras + "</details>");
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].detail || table.columns[c].extra || row[c].text.empty()) continue;
    out += fmt::format("<div class=\"sub\"><b>{}</b> {}</div>", escape_html(table.columns[c].title),
                       escape_html(row[c].text));
  }
  return out + "</th>";
}

// The column that says what the row is about: the first, or the first prose or name after a rank.
std::size_t header_column(const Table& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ColumnKind kind = table.columns[c].kind;
    const bool words = kind == ColumnKind::name || kind == ColumnKind::text;
    if (words || (c == 0 && (kind == ColumnKind::label || kind == ColumnKind::precision))) return c;
  }
  return 0;
}

// A table of short columns is not drawn out over the page.
bool is_compact(const Table& table) {
  return std::all_of(table.columns.begin(), table.columns.end(), [](const Column& column) {
    return column.kind != ColumnKind::name && column.kind != ColumnKind::text;
  });
}

std::string steps_html(const FindingCard& card) {
  std::string out;
  if (!card.steps.empty()) {
    out += "<h4>What to do</h4><ol>";
    for (const std::string& step : card.steps) out += "<li>" + html_prose(step) + "</li>";
    out += "</ol>";
  }
  if (!card.next_check.empty() || !card.commands.empty()) out += "<h4>Next check</h4>";
  if (!card.next_check.empty()) out += "<p>" + html_prose(card.next_check) + "</p>";
  return out + html_commands(card.commands);
}

// The lines around a quoted one, with their numbers.
std::string log_window(const EvidenceLine& line) {
  if (line.around.size() < 2) return "";
  std::string lines;
  for (std::size_t i = 0; i < line.around.size(); ++i) {
    const std::uint64_t number = line.around_first + i;
    const bool is_quoted = number == line.line;
    lines += fmt::format("{}{:>7}  {}{}\n", is_quoted ? "<mark>" : "", number,
                         escape_html(line.around[i]), is_quoted ? "</mark>" : "");
  }
  return "<details class=\"window\"><summary>Lines around it</summary><pre tabindex=\"0\">" +
         lines + "</pre></details>";
}

std::string evidence_item(const EvidenceLine& line) {
  std::string out = "<li>";
  if (!line.place.empty()) {
    const std::string title = line.name.empty() ? "" : " title=\"" + escape_html(line.name) + "\"";
    out += "<span class=\"place\"" + title + ">" + escape_html(line.place) + "</span>";
  }
  if (!line.text.empty()) {
    out += line.quoted ? "<code>" + escape_html(line.text) + "</code>"
                       : " <span>" + escape_html(line.text) + "</span>";
  }
  if (!line.note.empty()) out += " <span>" + escape_html(line.note) + "</span>";
  return out + log_window(line) + "</li>";
}

std::string evidence_html(const FindingCard& card) {
  if (card.evidence.empty()) return "";
  std::string out = "<h4>Evidence</h4><ul class=\"evidence\">";
  for (const EvidenceLine& line : card.evidence) out += evidence_item(line);
  out += "</ul>";
  if (card.evidence_left_out == 0) return out;
  out += fmt::format(
      "<details class=\"window\"><summary>… and {} more</summary><ul "
      "class=\"evidence\">",
      card.evidence_left_out);
  for (const EvidenceLine& line : card.more_evidence) out += evidence_item(line);
  const std::size_t rest = card.evidence_left_out - card.more_evidence.size();
  if (rest > 0) out += fmt::format("<li>… and {} more: --top 0 has them</li>", rest);
  return out + "</ul></details>";
}

std::string sources_html(const FindingCard& card) {
  std::string out;
  for (const std::string& source : card.sources) {
    const std::string text = escape_html(source);
    out += is_web_address(source)
               ? fmt::format("<li><a rel=\"noopener noreferrer\" href=\"{0}\">{0}</a></li>", text)
               : "<li>" + text + "</li>";
  }
  return out.empty() ? "" : "<h4>Sources</h4><ul class=\"sources\">" + out + "</ul>";
}

std::string bar_list(const Chart& chart) {
  const auto longest = std::ranges::max_element(chart.bars, {}, &Bar::value);
  const double most = longest->value;
  std::string out = "<table class=\"bars\"><caption>The longest bar is " +
                    escape_html(longest->text) + "</caption><tbody>";
  std::size_t n = 0;
  for (const Bar& bar : chart.bars) {
    if (++n > kMostBars) break;
    const std::string_view css = precision_colour(bar.colour_label).css;
    out += fmt::format(
        "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"track\">{}</td>"
        "<td class=\"num\">{}</td></tr>",
        escape_html(bar.label),
        share_bar(most > 0 ? bar.value / most : 0, css.empty() ? "" : fmt::format("p-{}", css)),
        escape_html(bar.text));
  }
  return out + "</tbody></table>";
}

// Why, evidence, gain, what to do; without its title.
std::string finding_body_html(const FindingCard& card) {
  std::string out = "<div class=\"columns\"><div>";
  out += steps_html(card);
  if (!card.where.empty()) out += "<h4>Where</h4><p>" + escape_html(card.where) + "</p>";
  if (!card.why.empty()) out += "<h4>Why</h4><p>" + html_prose(card.why) + "</p>";
  if (!card.gain.empty())
    out +=
        "<h4>Gain (" + escape_html(card.confidence) + ")</h4><p>" + escape_html(card.gain) + "</p>";
  out += "</div><div>" + evidence_html(card) + sources_html(card);
  return out + fmt::format("<p class=\"rule\"><code>{}</code> · {} · {}</p></div></div>",
                           escape_html(card.rule), escape_html(card.category),
                           escape_html(card.confidence));
}

}  // namespace

// Word by word: a line must not break behind the dashes of an option.
std::string html_commands(const std::vector<std::string>& commands) {
  std::string out;
  for (const std::string& command : commands) {
    out += "<p class=\"command\"><code>";
    for (std::size_t at = 0; at <= command.size();) {
      const std::size_t end = std::min(command.find(' ', at), command.size());
      out +=
          (at == 0 ? "<span>" : " <span>") + escape_html(command.substr(at, end - at)) + "</span>";
      at = end + 1;
    }
    out += "</code></p>";
  }
  return out;
}

std::string html_prose(std::string_view text) {
  std::string out;
  for (const Span& span : spans_of(text)) {
    const std::string escaped = escape_html(span.text);
    out += span.is_code ? "<code>" + escaped + "</code>" : escaped;
  }
  return out;
}

std::string html_swatch(std::string_view label) {
  const std::string_view css = precision_colour(label).css;
  if (css.empty()) return "";
  return fmt::format("<i class=\"swatch p-{}\"></i>", css);
}

std::string html_parts_bar(const std::vector<Part>& parts) {
  if (parts.empty()) return "";
  std::string rects;
  std::string legend;
  std::string spoken;
  double at = 0;
  for (const Part& part : parts) {
    const std::string_view css = precision_colour(part.label).css;
    rects += fmt::format("<rect x=\"{:.2f}%\" width=\"{:.2f}%\" height=\"100%\" class=\"p-{}\"/>",
                         at * 100, part.share * 100, css.empty() ? "unknown" : css);
    at += part.share;
    spoken += (spoken.empty() ? "" : ", ") + part.name + " " + part.text;
    legend += fmt::format("<li>{}{} <b>{}</b></li>", html_swatch(part.label),
                          escape_html(part.name), escape_html(part.text));
  }
  return fmt::format(
      "<svg class=\"stack\" role=\"img\" aria-label=\"{}\">{}</svg>"
      "<ul class=\"legend\">{}</ul>",
      escape_html(spoken), rects, legend);
}

void html_quote(const Quote& quote, TextStream& out) {
  out += "<figure class=\"quote\">";
  if (!quote.place.empty()) out += "<figcaption>" + escape_html(quote.place) + "</figcaption>";
  out += "<pre tabindex=\"0\">";
  for (const std::string& line : quote.lines) out += escape_html(line) + "\n";
  out += "</pre></figure>\n";
}

void html_failure(const ScreenFailure& failure, TextStream& out) {
  out += fmt::format("<article class=\"cause tone-{}\">\n", to_string(failure.tone));
  if (!failure.side.empty()) out += "<p class=\"side\">" + escape_html(failure.side) + "</p>\n";
  out += "<h2>" +
         (failure.title.empty() ? "The run failed, and no rule explains it."
                                : escape_html(failure.title)) +
         "</h2>\n";
  if (!failure.why.empty()) out += "<p class=\"why\">" + html_prose(failure.why) + "</p>\n";
  if (!failure.steps.empty()) {
    out += "<ol>";
    for (const std::string& step : failure.steps) out += "<li>" + html_prose(step) + "</li>";
    out += "</ol>\n";
  }
  if (!failure.next_check.empty() || !failure.commands.empty()) {
    out += "<p><b>Check</b> " + html_prose(failure.next_check) + "</p>\n" +
           html_commands(failure.commands);
  }
  for (const auto& [place, lines] : failure.quotes) html_quote({place, lines}, out);
  out += "</article>\n";
}

std::string html_table_name(const std::string& name) {
  return name.empty() ? "" : " data-table=\"" + name + "\"";
}

std::string html_table(const Table& table, std::size_t most_rows) {
  const std::size_t rows =
      std::min(most_rows == 0 ? table.rows.size() : most_rows, table.rows.size());
  const std::size_t header = header_column(table);
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table{}{}>",
      escape_html(table.title), is_compact(table) ? " class=\"compact\"" : "",
      table.interactive ? "" : html_table_name(table.name));
  const bool has_heading =
      table.interactive && rows > 0;  // above the grid in whose place it stands
  if (!table.title.empty() && !has_heading)
    out += "<caption>" + escape_html(table.title) + "</caption>";
  out += "<thead><tr>";
  for (const Column& column : table.columns) {
    if (column.detail) continue;
    out +=
        fmt::format("<th scope=\"col\"{}>{}</th>", head_class(column), escape_html(column.title));
  }
  out += "</tr></thead><tbody>";
  for (std::size_t r = 0; r < rows; ++r) {
    const std::vector<Cell> row = table.rows[r];
    out += "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].detail) continue;
      out += c == header ? row_header(table, row, header) : cell_html(table.columns[c], row[c]);
    }
    out += "</tr>";
  }
  out += "</tbody></table></div>";
  if (rows < table.rows.size()) {
    out += fmt::format("<p class=\"note\">… and {} more.</p>", table.rows.size() - rows);
  }
  if (rows > kPrintedRows) {
    out += fmt::format("<p class=\"paper\">On paper only the first {} of {} rows.</p>",
                       kPrintedRows, table.rows.size());
  }
  if (!table.note.empty()) out += "<p class=\"note\">" + escape_html(table.note) + "</p>";
  return out;
}

std::string html_finding(const FindingCard& card, bool open) {
  const std::string stake = card.stake == "unknown" ? "stake unknown" : card.stake;
  return fmt::format(
      "<details class=\"finding tone-{0}\" id=\"finding-{1}\"{2}><summary><span class=\"badge\">"
      "{0}</span><h3>{3}</h3><span class=\"stake\">{4}</span></summary>{5}</details>\n",
      to_string(card.severity), card.number, open ? " open" : "", escape_html(card.title),
      escape_html(stake), finding_body_html(card));
}

std::string html_chart(const Chart& chart, const std::string& svg, std::size_t number) {
  const bool is_series = chart.kind == ChartKind::trace;
  const bool wide = is_series || chart.kind == ChartKind::pareto;
  std::string out =
      fmt::format("<figure class=\"chart{}\"{}><figcaption>{}</figcaption>", wide ? " wide" : "",
                  is_series ? fmt::format(" data-series=\"series-{}\"", number) : std::string(),
                  escape_html(chart.title));
  if (!svg.empty()) {
    const ChartSize size = chart_size(chart);
    out += fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><img alt=\"{0}\" "
        "width=\"{1}\" height=\"{2}\" "
        "src=\"data:image/svg+xml;base64,{3}\"></div>",
        escape_html(chart.alt), size.width, size.height, base64(svg));
  } else if (!chart.bars.empty()) {
    out += bar_list(chart);
  }
  return out + "<p class=\"note\">" + escape_html(chart.alt) + "</p></figure>\n";
}

void html_series(const Chart& chart, std::size_t number, TextStream& out) {
  const auto list = [&](const char* name, double Point::*of) {
    std::string text = fmt::format("\"{}\":[", name);
    for (std::size_t i = 0; i < chart.points.size(); ++i) {
      text += fmt::format("{}{:.7g}", i == 0 ? "" : ",", chart.points[i].*of);
    }
    return text + "]";
  };
  html_packed(
      fmt::format("series-{}", number),
      [&](TextStream& json) {
        json += "{" + list("x", &Point::x) + "," + list("y", &Point::y);
        json += fmt::format(",\"x_label\":{},\"y_label\":{}}}", json_in_html(chart.x_label),
                            json_in_html(chart.y_label));
      },
      out);
}

std::string csp_hash(std::string_view text) {
  const std::array<std::uint8_t, 32> digest = sha256(text);
  std::string bytes;
  for (const std::uint8_t byte : digest) bytes += static_cast<char>(byte);
  return "sha256-" + base64(bytes);
}

}  // namespace trtlens
