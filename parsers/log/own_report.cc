// Knows a report by its first words, in each of its formats.
#include "parsers/log/own_report.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <cstddef>
#include <string>
#include <vector>

namespace trtlens {
namespace {

constexpr std::size_t kHead = 4096;

}  // namespace

bool is_own_report(std::string_view first_bytes) {
  // Of a build, a contract or a comparison: the first words of a report.
  static const std::string verdict =
      "(?:Passed|Failed|Build failed|Failed after the build|Engine not loaded|Run failed|"
      "Log stops early|Outcome unknown|Held(?: as far as the inputs tell)?|Broken|Regressed|"
      "Improved|No change|Cannot tell|Not comparable)";
  static const std::vector<std::string> forms = {
      "(?i:<(?:!doctype html|html|\\?xml|svg)\\b)",         // HTML, JUnit, charts
      "# (?:`[^\\n]*`: )?" + verdict + "(?:[,:\\n]| \\()",  // Markdown
      "# `\\d+ \\w+[^\\n]*`: \\d",                          // a table in Markdown
      "# [^\\n]* → [^\\n]*\\n",                             // several comparisons in Markdown
      "# trtlens baseline ",
      "[^\\n]+  " + verdict + "(?:[,:\\n]| \\(| · )",            // text
      "\\d+ (?:builds|trends)[^\\n]*  \\d+ ",                    // a table as text
      "[^\\n]+ → [^\\n]+\\n" + verdict + "[:\\n]",               // a comparison as text
      verdict + "[^\\n]*\\n[^\\n]+\\nTensorRT (?:\\d|unknown)",  // brief
  };
  static const re2::RE2 report(fmt::format("^(?:{})", fmt::join(forms, "|")));
  const std::string_view head = first_bytes.substr(0, kHead);
  return re2::RE2::PartialMatch(re2::StringPiece(head.data(), head.size()), report);
}

}  // namespace trtlens
