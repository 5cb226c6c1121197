// The file of accepted findings.
#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "analyzers/gate/gate.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxComplaints = 20;

Diagnostic complaint(const std::string& path, std::uint64_t line, std::string expected,
                     std::string found) {
  return {"baseline-malformed", DiagnosticSeverity::error, path, line, 1,
          std::move(expected),  std::move(found)};
}

}  // namespace

Baseline parse_baseline(std::string_view text, const std::string& path,
                        std::vector<Diagnostic>& diagnostics) {
  constexpr std::size_t kShown = 80;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  Baseline baseline;
  const std::size_t before = diagnostics.size();
  std::uint64_t number = 0;
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {  // of an editor
    text.remove_prefix(kByteOrderMark.size());
  }
  while (!text.empty() && diagnostics.size() < before + kMaxComplaints) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number;
    if (number == 1 && line.substr(0, line.find_last_not_of(" \t") + 1) != kBaselineHead) {
      diagnostics.push_back(complaint(path, 1, "'" + std::string(kBaselineHead) + "'",
                                      "'" + std::string(line.substr(0, kShown)) + "'"));
      return baseline;
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    static const re2::RE2 form(R"([ \t]*([0-9a-f]{16})[ \t]+([\w.-]+)(?:[ \t]+(.*))?)",
                               re2::RE2::Latin1);
    BaselineEntry entry;
    if (!re2::RE2::FullMatch(line, form, &entry.fingerprint, &entry.rule, &entry.about)) {
      diagnostics.push_back(complaint(path, number, "16 hexadecimal digits and a rule",
                                      "'" + std::string(line.substr(0, kShown)) + "'"));
      continue;
    }
    entry.line = number;
    baseline.entries.push_back(std::move(entry));
  }
  if (number == 0) {
    diagnostics.push_back(
        complaint(path, 1, "'" + std::string(kBaselineHead) + "'", "an empty file"));
  }
  return baseline;
}

}  // namespace trtlens
