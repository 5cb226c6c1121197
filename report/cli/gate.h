// --fail-on, --threshold and --baseline, as analyze and compare have them.
#pragma once

#include <string>
#include <vector>

#include "analyzers/gate/gate.h"

namespace trtlens {

struct GateArguments {
  std::string fail_on;
  double threshold_percent = 0;
  std::string baseline;  // a file; empty: none
};

// `ignore`: findings that a gate makes itself, to be left out.
[[nodiscard]] GateOptions gate_options(const GateArguments& arguments,
                                       const std::vector<std::string>& ignore = {});
// False after an error, which is printed. Without a file it is empty.
[[nodiscard]] bool read_baseline(const std::string& path, Baseline& baseline);
// Takes from `gate` the entries that its build does not meet; of `gone`, which begins with all
// entries, those stay that no build so far met. Builds may be many, and a baseline long.
void keep_gone(GateResult& gate, std::vector<BaselineEntry>& gone);
// Lines of the baseline that accept nothing any more, on standard error.
void name_gone(const std::vector<BaselineEntry>& gone, const std::string& path);

}  // namespace trtlens
