// The file of accepted findings.
#include <algorithm>
#include <utility>

#include "analyzers/gate/gate.h"

namespace trtlens {
namespace {

constexpr std::size_t kFingerprintDigits = 16;
constexpr std::size_t kMaxComplaints = 20;

bool is_fingerprint(std::string_view word) {
  return word.size() == kFingerprintDigits && std::ranges::all_of(word, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_rule(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_';
  });
}

// Up to the next blank; `text` keeps what follows.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

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
    std::string_view rest = line;
    const std::string_view print = next_word(rest);
    if (print.empty() || print[0] == '#') continue;
    const std::string_view rule = next_word(rest);
    if (!is_fingerprint(print) || !is_rule(rule)) {
      diagnostics.push_back(complaint(path, number, "16 hexadecimal digits and a rule",
                                      "'" + std::string(line.substr(0, kShown)) + "'"));
      continue;
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    baseline.entries.push_back({std::string(print), std::string(rule), std::string(rest), number});
  }
  if (number == 0) {
    diagnostics.push_back(
        complaint(path, 1, "'" + std::string(kBaselineHead) + "'", "an empty file"));
  }
  return baseline;
}

}  // namespace trtlens
