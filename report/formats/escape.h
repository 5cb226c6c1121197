// Strings of the input made harmless for an output format. All of them call visible() first.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace trtlens {

// Valid UTF-8 without control, bidirectional and invisible characters: those become \x1b or \u202e,
// invalid bytes \xff. A line feed is a control character here. `keep_newlines` keeps it.
[[nodiscard]] std::string visible(std::string_view text, bool keep_newlines = false);
// A JSON text with the same characters of its strings written as \u202e, and the first of "##[" as
// \u0023: equal when parsed.
[[nodiscard]] std::string visible_json(std::string_view json);

// Lines without what a runner of GitHub or Azure obeys on the output of a job: "::" at the
// beginning of a line, behind blanks or not, becomes "\x3a:"; "##[", wherever it stands, "\x23#[".
[[nodiscard]] std::string without_runner_commands(std::string_view lines);

// A character, and what stands in its place.
struct Replacement {
  char of;
  std::string_view with;
};
[[nodiscard]] std::string replaced(std::string_view text, std::initializer_list<Replacement> by);

// For HTML text and double-quoted attributes.
[[nodiscard]] std::string escape_html(std::string_view text);
// For JSON inside <script type="application/json">: with quotes; < > & are \u003c and so on.
[[nodiscard]] std::string json_in_html(std::string_view text);
// For GitHub-flavoured Markdown prose and table cells; also stops @mentions and #references.
[[nodiscard]] std::string escape_markdown(std::string_view text);
// A Markdown code span. `in_table`: | is escaped as a table needs it.
[[nodiscard]] std::string markdown_code(std::string_view text, bool in_table);

// Columns that visible text takes on a terminal.
[[nodiscard]] std::size_t display_width(std::string_view text);
// Bytes of the longest beginning that takes at most `width` columns.
[[nodiscard]] std::size_t fitting_bytes(std::string_view text, std::size_t width);
// Middle of visible text replaced by "…" so that it takes at most `width` columns.
[[nodiscard]] std::string elide_middle(std::string_view text, std::size_t width);

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace trtlens
