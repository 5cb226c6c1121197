// Annotations of GitHub Actions: workflow commands on standard output. GitHub shows ten of a kind
// and step.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/formats/escape.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kShown = 10;

bool is_bad(const GateEntry& entry) {
  return entry.state == EntryState::fails || entry.state == EntryState::error;
}

const char* kind_of(const GateEntry& entry) {
  if (is_bad(entry)) return "error";
  return entry.finding->severity >= Severity::moderate ? "warning" : "notice";
}

// What fails the gate first, then by severity; the order of the report within.
std::vector<const GateEntry*> worst(const GateReport& report) {
  std::vector<const GateEntry*> all;
  for (const GateEntry& entry : report.entries) {
    if (entry.state != EntryState::accepted) all.push_back(&entry);
  }
  std::stable_sort(all.begin(), all.end(), [](const GateEntry* a, const GateEntry* b) {
    if (is_bad(*a) != is_bad(*b)) return is_bad(*a);
    return a->finding->severity > b->finding->severity;
  });
  return all;
}

void write_github(const GateReport& report, const std::string& /*version*/, TextStream& out) {
  const std::vector<const GateEntry*> all = worst(report);
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    const GateEntry& entry = *all[i];
    std::string properties;
    if (!entry.file.empty() && entry.file != "-") {
      properties = "file=" + escape_github_property(entry.file) + ",";
      if (entry.line > 0) properties += fmt::format("line={},", entry.line);
    }
    out += fmt::format("::{} {}title={}::{}\n", kind_of(entry), properties,
                       escape_github_property("trtlens: " + title_of(entry)),
                       escape_github(entry.lines));
  }
  if (all.size() > kShown) {
    out += fmt::format("trtlens: {} more in the report\n", all.size() - kShown);
  }
  if (all.empty()) {
    out += report.entries.empty() ? std::string("trtlens: no finding\n")
                                  : fmt::format("trtlens: no finding beside {} accepted ones\n",
                                                report.entries.size());
  }
}

}  // namespace

const Writer writer_github{"github", "", nullptr, write_github};

}  // namespace trtlens
