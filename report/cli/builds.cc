// One reading at a time; folders are in folders.cc.
#include "report/cli/builds.h"

#include <fmt/format.h>

#include <utility>

#include "report/cli/output.h"
#include "report/cli/reading.h"

namespace trtlens {

GateOptions gate_options_of(const AnalyzeArguments& arguments) {
  GateOptions options = gate_options(arguments.gate, arguments.ignore);
  options.run_named = arguments.run != 0;
  return options;
}

bool can_report(const Reading& reading, const BuildsFound& found,
                const AnalyzeArguments& arguments) {
  if (!usable(reading, arguments.paths, arguments.output.quiet)) return false;
  if (overwrites_input(arguments.output, reading.inputs)) return false;
  if (found.run_not_found) {
    complain(
        fmt::format("--run {}: found {}", arguments.run,
                    count_text(static_cast<std::size_t>(reading.run_count), "run")) +
        (found.builds > 1 ? fmt::format("; --build 1 to {} picks a build", found.builds) : ""));
    return false;
  }
  if (found.build_not_found) {
    complain(
        fmt::format("--build {}: found {}", arguments.build, count_text(found.builds, "build")));
    return false;
  }
  return true;
}

std::optional<HeldBuilds> hold_read(ParseResult parsed, const AnalyzeArguments& arguments,
                                    const AnalyzeOptions& how, const Baseline& baseline) {
  const BuildsFound found{parsed.builds.size(), parsed.run_not_found, parsed.build_not_found};
  if (!can_report(parsed, found, arguments)) return std::nullopt;
  HeldBuilds held;
  held.analyses = analyze_all(std::move(parsed), how);  // gates point into them
  std::vector<BaselineEntry> gone = baseline.entries;
  for (const Analysis& analysis : held.analyses) {
    held.gates.push_back(hold(analysis, gate_options_of(arguments), baseline));
    held.fails = held.fails || held.gates.back().fails();
    keep_gone(held.gates.back(), gone);
  }
  held.gates.front().gone = std::move(gone);
  return held;
}

}  // namespace trtlens
