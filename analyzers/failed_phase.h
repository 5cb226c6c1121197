// What a failed run did not come to: building, loading or running the engine.
#pragma once

#include <cstdint>
#include <string>

#include "parsers/build.h"

namespace trtlens {

enum class FailedPhase : std::uint8_t { build, after_build, load, run };

// From all errors of the run, not the first alone. `cause`: the text of the one that is known to be
// the cause; "" when none is.
[[nodiscard]] FailedPhase failed_phase(const Build& build, const std::string& cause);

}  // namespace trtlens
