// Questions to the recorded trtexec command and to what it allows.
#pragma once

#include <string_view>

#include "parsers/model/build.h"

namespace trtlens {

// The run loads an engine and builds none: its flags say nothing of how the engine was built.
[[nodiscard]] bool only_loads(const CommandOptions& options);

// Whether a label is among what was allowed. False when nothing is known of that: see
// `allowed.labels`.
[[nodiscard]] bool allows(const AllowedPrecision& allowed, std::string_view label);

}  // namespace trtlens
