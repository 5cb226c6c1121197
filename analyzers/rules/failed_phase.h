// Whether it was the build, the load or the run that failed.
#pragma once

#include <string>
#include <string_view>

#include "analyzers/analysis.h"

namespace trtlens {

// From all errors of the run, not the first alone. `error`: the text of the one that is known to be
// the cause, `cause`: its id; "" when none is.
[[nodiscard]] FailedPhase failed_phase(const Build& build, const std::string& error,
                                       std::string_view cause = "");
// "The run failed"; null: the build itself.
[[nodiscard]] const char* what_failed(FailedPhase phase);

}  // namespace trtlens
