// The builds of a command, each held against the gate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzers/gate/gate.h"
#include "parsers/parse.h"
#include "report/cli/commands.h"
#include "report/cli/pages.h"
#include "report/cli/timing.h"

namespace trtlens {

// A report is on the first build; a gate looks at all of them, and so do the formats of gates.
struct HeldBuilds {
  std::vector<Analysis> analyses;  // the first whole
  std::vector<GateResult> gates;   // as many; the first has the entries that no build met
  bool fails = false;
};

// --run is about one run: the others of its log do not count.
[[nodiscard]] GateOptions gate_options_of(const AnalyzeArguments& arguments);

struct BuildsFound {
  std::size_t builds = 0;
  bool run_not_found = false, build_not_found = false;  // of --run and --build
};
// Whether there is something to report; says what is wrong.
[[nodiscard]] bool can_report(const Reading& reading, const BuildsFound& found,
                              const AnalyzeArguments& arguments);

// What joined of one reading. Empty: there is nothing to report, and why was said.
[[nodiscard]] std::optional<HeldBuilds> hold_read(ParseResult parsed,
                                                  const AnalyzeArguments& arguments,
                                                  const AnalyzeOptions& how,
                                                  const Baseline& baseline);

// Whether all paths are folders, whose builds can be read one by one.
[[nodiscard]] bool are_folders(const std::vector<std::string>& paths);

// Reads and analyzes the builds of folders side by side. Of all but the one to report, outlines
// are kept; `pages` gets each whole.
[[nodiscard]] std::optional<HeldBuilds> hold_folders(const AnalyzeArguments& arguments,
                                                     const AnalyzeOptions& how,
                                                     const Baseline& baseline, BuildPages& pages,
                                                     StageTimes& times);

// Either, and the pages that are asked for. `tee_error`: errno of what --tee could not pass on.
[[nodiscard]] std::optional<HeldBuilds> hold_all(const AnalyzeArguments& arguments,
                                                 const AnalyzeOptions& how,
                                                 const Baseline& baseline, StageTimes& times,
                                                 int& tee_error);

}  // namespace trtlens
