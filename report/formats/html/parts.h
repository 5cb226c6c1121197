// Pieces of the HTML report. All strings of the Document go through escape_html() or
// json_in_html().
#pragma once

#include <string>
#include <string_view>

#include "report/document/document.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// A small coloured square for a precision; nothing for other words.
[[nodiscard]] std::string html_swatch(std::string_view label);
// Stacked bar with its legend.
[[nodiscard]] std::string html_parts_bar(const std::vector<Part>& parts);
[[nodiscard]] std::string html_table(const Table& table, std::size_t most_rows);
// The table as data for report.js, with a static table for readers without script.
void html_interactive_table(const Table& table, std::size_t id, TextStream& out);
[[nodiscard]] std::string html_finding(const FindingCard& card, bool open);
// `svg` empty: a list of bars, or the sentence alone.
[[nodiscard]] std::string html_chart(const Chart& chart, const std::string& svg);
// "sha256-…" with the digest in base64, as a source of a Content-Security-Policy.
[[nodiscard]] std::string csp_hash(std::string_view text);

}  // namespace trtlens
