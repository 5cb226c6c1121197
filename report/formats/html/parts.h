// Pieces of the HTML report. All strings of the Document go through escape_html() or
// json_in_html().
#pragma once

#include <string>
#include <string_view>

#include "report/document/document.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// What hatches the kinds that have no colour of their own; report.css names them.
[[nodiscard]] std::string html_patterns();
// A small coloured square for a precision; nothing for other words.
[[nodiscard]] std::string html_swatch(std::string_view label);
// A sentence of ours: what stands between backticks becomes code.
[[nodiscard]] std::string html_prose(std::string_view text);
// To be copied.
[[nodiscard]] std::string html_commands(const std::vector<std::string>& commands);
// Why a build failed, what to do, how to check it, and the lines that say so.
void html_failure(const ScreenFailure& failure, TextStream& out);
// Stacked bar with its legend.
[[nodiscard]] std::string html_parts_bar(const std::vector<Part>& parts);
void html_quote(const Quote& quote, TextStream& out);
[[nodiscard]] std::string html_table(const Table& table, std::size_t most_rows);
// The table as data for the page's script, with a static table for readers without script.
void html_interactive_table(const Table& table, std::size_t id, TextStream& out);
[[nodiscard]] std::string html_finding(const FindingCard& card, bool open);
// What stands before the sections: the cause of a failure, or speed, execution order, what can be
// gained and the findings; below them, the place for what the reader selects.
void html_first_screen(const Document& document, TextStream& out);
// Layers in the order of execution, as wide as their time of `whole_ms`; nothing without a time.
[[nodiscard]] std::string html_strip(const std::vector<StripPart>& strip, double whole_ms);
// A trace in the height of a line of text.
[[nodiscard]] std::string html_spark(const Chart& chart);
[[nodiscard]] std::string html_strip_legend(const std::vector<KindShare>& kinds);
// Strips of both sides and the way from one to the other; `suffix`: of their names in the page.
void html_comparison_view(const ComparisonView& screen, std::string_view suffix, TextStream& out);
// What a reader of a comparison must know before any number, and what explains the numbers.
void html_comparison_notes(const ComparisonScreen& screen, TextStream& out);
void html_comparison_reasons(const ComparisonScreen& screen, std::string_view suffix,
                             TextStream& out);
// Of several comparisons a line for each.
void html_comparison_lines(const std::vector<ComparisonScreen>& comparisons, TextStream& out);
// The engine as data for the page's script, and the layers of the rows of a comparison's tables.
void html_engine(std::string_view name, const EngineView& view, TextStream& out);
void html_groups(const ComparisonView& screen, std::string_view suffix, TextStream& out);
// Where drawings find the rows of their pieces.
[[nodiscard]] std::string html_table_name(const std::string& name);
void html_drawing(const Drawing& drawing, TextStream& out);
// `svg` empty: a list of bars, or the sentence alone. `number`: of the chart in the page.
[[nodiscard]] std::string html_chart(const Chart& chart, const std::string& svg,
                                     std::size_t number);
// The points of a trace as data for the page's script.
void html_series(const Chart& chart, std::size_t number, TextStream& out);
// "sha256-…" with the digest in base64, as a source of a Content-Security-Policy.
[[nodiscard]] std::string csp_hash(std::string_view text);

}  // namespace trtlens
