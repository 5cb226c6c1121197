// GitLab's code quality report: a list of issues, each with a place and a fingerprint of its own.
#include <fmt/format.h>

#include <map>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

const char* severity_of(Severity severity) {
  return name_of<Severity::fatal>(severity, {"info", "minor", "major", "critical", "blocker"});
}

// Markdown.
std::string markdown_of(const GateEntry& entry) {
  std::string body;
  for (const std::string& line : entry.lines) {
    body += (body.empty() ? "" : "\n\n") + escape_markdown(line);
  }
  return body;
}

void write_gitlab(const GateReport& report, const std::string& /*version*/, TextStream& stream) {
  std::map<std::string, int> used;
  JsonStream out(stream);
  out.begin_list();
  for (const GateEntry& entry : report.entries) {
    if (entry.state == EntryState::accepted) continue;
    // A place is required: what stands in no line is said of the build's first input.
    std::string path = file_of(entry, report);
    if (path.empty()) path = "unknown";
    const int n = ++used[entry.fingerprint];
    out.value(
        {{"description", visible(headline_of(entry))},
         {"check_name", entry.finding->rule},
         {"fingerprint", n > 1 ? fmt::format("{}-{}", entry.fingerprint, n) : entry.fingerprint},
         {"severity", severity_of(entry.finding->severity)},
         {"content", {{"body", markdown_of(entry)}}},
         {"location", {{"path", path}, {"lines", {{"begin", entry.line > 0 ? entry.line : 1}}}}}});
  }
  out.end();
}

}  // namespace

const Writer writer_gitlab{"gitlab", "", nullptr, write_gitlab};

}  // namespace trtlens
