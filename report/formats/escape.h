// Strings of the input made harmless, a function for each format: docs/escaping.md says what acts
// where, and what becomes of it. All of them call visible() first.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "report/formats/text_stream.h"

namespace trtlens {

// Valid UTF-8 without control, bidirectional and invisible characters: those become \x1b or \u202e,
// invalid bytes \xff. A line feed is a control character here. `keep_newlines` keeps it.
[[nodiscard]] std::string visible(std::string_view text, bool keep_newlines = false);
// A JSON text with the same characters of its strings written as \u202e, and the first "#" of what
// a runner obeys as \u0023: equal when parsed.
[[nodiscard]] std::string visible_json(std::string_view json);

// A path as the reference of a URI, in which nothing ends a link.
[[nodiscard]] std::string percent_encoded(std::string_view path);

// Where in a line a command begins that runners look for at its beginning, behind blanks or not:
// "::error::" (GitHub), "--- " (Buildkite folds what follows). npos: none.
[[nodiscard]] std::size_t command_at_start(std::string_view line);
// Lines without what runners obey on the output of a job: "::" and "--- " at the beginning of a
// line, behind blanks or not, become "\x3a:" and "\x2d-- "; "##[" and "##vso[", wherever they
// stand, "\x23#[" and "\x23#vso[".
[[nodiscard]] std::string without_runner_commands(std::string_view lines);
// visible(), and the second kind of them written out: what RunnerSafeLines leaves as wide as it is,
// but for the beginning of a line.
[[nodiscard]] std::string printable(std::string_view text);
// without_runner_commands() for what is written piece by piece.
class RunnerSafeLines {
 public:
  explicit RunnerSafeLines(TextStream& out);
  [[nodiscard]] TextStream& stream() { return stream_; }
  void finish();

 private:
  TextStream& out_;
  std::string line_;  // not whole yet
  TextStream stream_;
};

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
// For Markdown prose: no markup, link, mention, reference or command of a bot. _inline: in a table
// cell, or behind other words, where no block begins.
[[nodiscard]] std::string escape_markdown(std::string_view text);
[[nodiscard]] std::string escape_markdown_inline(std::string_view text);
// For text inside an HTML element of a Markdown document, such as <summary>.
[[nodiscard]] std::string escape_markdown_html(std::string_view text);
// A Markdown code span. `in_table`: | is escaped as a table needs it.
[[nodiscard]] std::string markdown_code(std::string_view text, bool in_table);
// For a value of JUnit's XML, or a line of one; its writer escapes the markup. Runners read it,
// too.
[[nodiscard]] std::string escape_junit(std::string_view text);
// For message strings of SARIF, which may hold links.
[[nodiscard]] std::string escape_sarif(std::string_view text);
// For the message of a GitHub workflow command, and for its properties.
[[nodiscard]] std::string escape_github(const std::vector<std::string>& lines);
[[nodiscard]] std::string escape_github_property(std::string_view text);

// A sentence of a rule in pieces: what stands between two backticks is code.
struct Span {
  std::string_view text;
  bool is_code = false;
};
[[nodiscard]] std::vector<Span> spans_of(std::string_view sentence);

// Every character as one of ASCII, so that columns stay: "·" as "-", "…" as "~", "×" as "x", bars
// as
// "#", others as "?".
[[nodiscard]] std::string as_ascii(std::string_view text);

// Lines of at most `most_bytes` and "…": combining characters take bytes and no columns, so that a
// line of 100 columns may have any length.
[[nodiscard]] std::string short_lines(std::string_view lines, std::size_t most_bytes = 400);

// Columns that visible text takes on a terminal.
[[nodiscard]] std::size_t display_width(std::string_view text);
// Bytes of the longest beginning that takes at most `width` columns.
[[nodiscard]] std::size_t fitting_bytes(std::string_view text, std::size_t width);
// The same as visible() where it fits, else cut behind a word: "The GPU quantizes …".
[[nodiscard]] std::string end_elided(std::string_view text, std::size_t width);
// Middle of visible text replaced by "…" so that it takes at most `width` columns.
[[nodiscard]] std::string elide_middle(std::string_view text, std::size_t width);

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace trtlens
