// Texts of a Document as Markdown: escaped, and without paths of the machine that wrote the report.
#pragma once

#include <string>
#include <vector>

#include "report/document/paths.h"
#include "report/formats/escape.h"

namespace trtlens {

class MarkdownWords {
 public:
  explicit MarkdownWords(const std::vector<ShortPath>& paths) : paths_(paths) {}

  // At the beginning of a line, and behind something else.
  [[nodiscard]] std::string prose(const std::string& text) const {
    return escape_markdown(with_short_paths(text, paths_));
  }
  [[nodiscard]] std::string words(const std::string& text) const {
    return escape_markdown_inline(with_short_paths(text, paths_));
  }
  // A sentence of a rule, behind something else: what stands between backticks is code.
  [[nodiscard]] std::string ours(const std::string& text) const {
    std::string out;
    for (const Span& span : spans_of(text)) {
      out += span.is_code ? code(std::string(span.text)) : words(std::string(span.text));
    }
    return out;
  }
  [[nodiscard]] std::string code(const std::string& text, std::size_t width = kCodeWidth) const {
    return markdown_code(shown(text, width), false);
  }
  [[nodiscard]] std::string code_cell(const std::string& text, std::size_t width) const {
    return markdown_code(shown(text, width), true);
  }

 private:
  static constexpr std::size_t kCodeWidth = 4096;
  [[nodiscard]] std::string shown(const std::string& text, std::size_t width) const {
    return elide_middle(visible(with_short_paths(text, paths_)), width);
  }
  const std::vector<ShortPath>& paths_;
};

}  // namespace trtlens
