// The id and the words of every kind of repair.
#include "parsers/json/repairs.h"

#include <utility>

namespace trtlens::json_detail {
namespace {

struct RepairText {
  const char* id;
  DiagnosticSeverity severity;
  const char* expected;
};

// In the order of Repair.
constexpr std::array<RepairText, kRepairCount> kTexts{{
    {"json-encoding", DiagnosticSeverity::note, "UTF-8 without a byte order mark"},
    {"json-nul-tail", DiagnosticSeverity::note, "the end of the file after the last bracket"},
    {"json-nan", DiagnosticSeverity::note, "a finite number"},
    {"json-control-byte", DiagnosticSeverity::note, "an escape in a string"},
    {"json-invalid-utf8", DiagnosticSeverity::note, "UTF-8 in a string"},
    {"json-unescaped-quote", DiagnosticSeverity::warning, "`\\\"` inside a string"},
    {"json-unescaped-backslash", DiagnosticSeverity::warning, "`\\\\` inside a string"},
    {"json-trailing-comma", DiagnosticSeverity::note, "a value after the comma"},
    {"json-unexpected", DiagnosticSeverity::warning, "valid JSON"},
    {"json-damaged", DiagnosticSeverity::error, "valid JSON"},
    {"json-depth", DiagnosticSeverity::error, "fewer nested brackets"},
    {"json-truncated", DiagnosticSeverity::warning, "the rest of the document"},
    {"json-trailing-text", DiagnosticSeverity::warning, "the end of the file"},
}};

}  // namespace

std::string excerpt(std::string_view found) {
  constexpr std::size_t kMaxBytes = 60;
  std::string out;
  for (char c : found.substr(0, kMaxBytes)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return out;
}

void Repairs::note(Repair kind, std::size_t offset, std::string_view found) {
  Entry& entry = entries_[static_cast<std::size_t>(kind)];
  if (entry.count == 0) {
    LineCounter lines = lines_;  // repairs of different kinds do not come in order
    entry.pos = lines.at(offset);
    entry.found = excerpt(found);
  }
  ++entry.count;
}

void Repairs::damaged(std::size_t offset, std::string_view expected, std::string_view found,
                      std::size_t records) {
  note(Repair::damaged, offset, found);
  Entry& entry = entries_[static_cast<std::size_t>(Repair::damaged)];
  entry.expected = expected;
  entry.found += "; the rest of the document is not read, " + std::to_string(records) +
                 (records == 1 ? " record" : " records") + " before it kept";
}

void Repairs::report(const std::string& path, std::vector<Diagnostic>& diagnostics) const {
  for (std::size_t i = 0; i < kRepairCount; ++i) {
    const Entry& entry = entries_[i];
    if (entry.count == 0) continue;
    const RepairText& text = kTexts[i];
    std::string found = entry.found;
    if (entry.count > 1) found += " (" + std::to_string(entry.count) + " times)";
    diagnostics.push_back({text.id, text.severity, path, entry.pos.line, entry.pos.column,
                           entry.expected.empty() ? text.expected : entry.expected,
                           std::move(found)});
  }
}

}  // namespace trtlens::json_detail
