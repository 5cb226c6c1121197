// The machine-readable reports: names and meanings are promises (schema_version 1).
#pragma once

#include <string>

#include "analyzers/analysis.h"
#include "analyzers/compare/comparison.h"

namespace trtlens {

[[nodiscard]] std::string json_of(const Analysis& analysis, const std::string& version);
[[nodiscard]] std::string json_of(const Comparison& comparison, const std::string& version);

}  // namespace trtlens
