// The findings of a report as a baseline that accepts them.
#include <fmt/format.h>

#include <set>

#include "report/formats/escape.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kTitleWidth = 160;

void write_baseline(const GateReport& report, const std::string& /*version*/, TextStream& out) {
  out += std::string(kBaselineHead) + "\n";
  out +=
      "# Accepted findings of trtlens " + report.command +
      ": fingerprint, rule, and what it was about.\n# Lines may be removed, and comments added.\n";
  std::set<std::string> once;
  for (const GateEntry& entry : report.entries) {
    if (!once.insert(entry.fingerprint).second) continue;
    out +=
        without_runner_commands(fmt::format("{} {} {}\n", entry.fingerprint, entry.finding->rule,
                                            elide_middle(visible(title_of(entry)), kTitleWidth)));
  }
}

}  // namespace

const Writer writer_baseline{"baseline", "baseline", nullptr, write_baseline};

}  // namespace trtlens
