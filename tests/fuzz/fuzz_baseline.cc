// Any bytes as a --baseline file: entries and diagnostics at places in the file, and what was
// understood says the same when it is written down again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/gate/gate.h"
#include "tests/fuzz/check.h"

namespace trtlens {
namespace {

constexpr const char* kPath = "x.baseline";
constexpr std::string_view kBlanks = " \t";

void check_entries(const Baseline& baseline, std::uint64_t lines) {
  std::uint64_t line = 1;  // the head
  for (const BaselineEntry& entry : baseline.entries) {
    FUZZ_CHECK(entry.line > line && entry.line <= lines);
    line = entry.line;
    FUZZ_CHECK(entry.fingerprint.size() == 16);
    FUZZ_CHECK(entry.fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos);
    FUZZ_CHECK(!entry.rule.empty() && entry.rule.find_first_of(" \t\n") == std::string::npos);
    FUZZ_CHECK(entry.about.find('\n') == std::string::npos);
    FUZZ_CHECK(entry.about.empty() || kBlanks.find(entry.about[0]) == std::string_view::npos);
  }
}

void check_diagnostics(const std::vector<Diagnostic>& diagnostics, const Baseline& baseline,
                       std::uint64_t lines) {
  std::uint64_t line = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    FUZZ_CHECK(diagnostic.line > line && diagnostic.line <= std::max<std::uint64_t>(lines, 1));
    line = diagnostic.line;
    FUZZ_CHECK(diagnostic.column == 1 && diagnostic.file == kPath);
    FUZZ_CHECK(diagnostic.severity == DiagnosticSeverity::error);
    FUZZ_CHECK(!diagnostic.id.empty() && !diagnostic.expected.empty());
    FUZZ_CHECK(!diagnostic.found.empty() && diagnostic.found.size() <= 100);
    for (const BaselineEntry& entry : baseline.entries) FUZZ_CHECK(entry.line != line);
  }
  // A file without the head says nothing at all.
  FUZZ_CHECK(diagnostics.empty() || diagnostics[0].line > 1 || baseline.entries.empty());
}

std::string written(const Baseline& baseline) {
  std::string text = std::string("\xef\xbb\xbf") + kBaselineHead + "\r\n";
  for (const BaselineEntry& entry : baseline.entries) {
    text += entry.fingerprint + '\t' + entry.rule + ' ' + entry.about + "\r\n";
  }
  return text;
}

void check(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  const Baseline baseline = parse_baseline(text, kPath, diagnostics);
  const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  const std::uint64_t lines = feeds + (!text.empty() && text.back() != '\n' ? 1 : 0);
  check_entries(baseline, lines);
  check_diagnostics(diagnostics, baseline, lines);

  std::vector<Diagnostic> none;
  const Baseline again = parse_baseline(written(baseline), kPath, none);
  FUZZ_CHECK(none.empty());
  FUZZ_CHECK(again.entries.size() == baseline.entries.size());
  for (std::size_t i = 0; i < baseline.entries.size(); ++i) {
    FUZZ_CHECK(again.entries[i].fingerprint == baseline.entries[i].fingerprint);
    FUZZ_CHECK(again.entries[i].rule == baseline.entries[i].rule);
    FUZZ_CHECK(again.entries[i].about == baseline.entries[i].about);
    FUZZ_CHECK(again.entries[i].line == i + 2);
  }
}

}  // namespace
}  // namespace trtlens

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trtlens::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
