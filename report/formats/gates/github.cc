// Annotations of GitHub Actions: workflow commands on standard output, one for each cause. GitHub
// shows ten of a kind and step: notes that fail no gate are counted.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kShown = 10;

bool is_bad(const GateEntry& entry) {
  return entry.state == EntryState::fails || entry.state == EntryState::error;
}

const char* kind_of(const GateEntry& entry) {
  if (is_bad(entry) || entry.finding->severity == Severity::fatal) return "error";
  return entry.finding->severity >= Severity::moderate ? "warning" : "notice";
}

bool is_note(const GateEntry& entry) {
  return entry.finding->severity == Severity::info && entry.state == EntryState::passes;
}

// What fails the gate first, then by severity; the order of the report within.
std::vector<const GateEntry*> worst(const GateReport& report) {
  std::vector<const GateEntry*> all;
  for (const GateEntry& entry : report.entries) {
    if (entry.state != EntryState::accepted && !is_note(entry)) all.push_back(&entry);
  }
  std::stable_sort(all.begin(), all.end(), [](const GateEntry* a, const GateEntry* b) {
    if (is_bad(*a) != is_bad(*b)) return is_bad(*a);
    return a->finding->severity > b->finding->severity;
  });
  return all;
}

// The worst entry of a cause, and how many more it has.
struct Annotation {
  const GateEntry* entry = nullptr;
  std::size_t more = 0;
};

std::vector<Annotation> one_a_cause(const GateReport& report) {
  std::vector<Annotation> annotations;
  for (const GateEntry* entry : worst(report)) {
    const auto cause_of = [](const GateEntry& one) {
      return one.finding->cause.empty() ? one.finding->rule : one.finding->cause;
    };
    const auto same = std::ranges::find_if(annotations, [&](const Annotation& annotation) {
      return annotation.entry->build == entry->build &&
             cause_of(*annotation.entry) == cause_of(*entry);
    });
    if (same == annotations.end()) {
      annotations.push_back({entry});
    } else {
      ++same->more;
    }
  }
  return annotations;
}

std::string beside(const GateReport& report) {
  const auto accepted = std::ranges::count(report.entries, EntryState::accepted, &GateEntry::state);
  return accepted == 0 ? "" : fmt::format(" beside {} accepted ones", accepted);
}

void write_github(const GateReport& report, const std::string& /*version*/, TextStream& out) {
  const std::vector<Annotation> all = one_a_cause(report);
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    const GateEntry& entry = *all[i].entry;
    std::string properties;
    if (!entry.file.empty() && entry.file != "-") {
      properties = "file=" + escape_github_property(entry.file) + ",";
      if (entry.line > 0) properties += fmt::format("line={},", entry.line);
    }
    std::vector<std::string> lines = entry.lines;
    if (all[i].more > 0) {
      lines.push_back(fmt::format("{} more of this cause in the report", all[i].more));
    }
    out +=
        fmt::format("::{} {}title={}::{}\n", kind_of(entry), properties,
                    escape_github_property("trtlens: " + headline_of(entry)), escape_github(lines));
  }
  if (all.size() > kShown) {
    out += fmt::format("trtlens: {} more in the report\n", all.size() - kShown);
  }
  if (all.empty()) out += "trtlens: no finding" + beside(report) + "\n";
  const auto notes = static_cast<std::size_t>(std::ranges::count_if(report.entries, is_note));
  if (notes > 0) out += "trtlens: " + count_text(notes, "note") + " in the report\n";
}

}  // namespace

const Writer writer_github{"github", "", nullptr, write_github};

}  // namespace trtlens
