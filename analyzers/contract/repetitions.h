// The builds that a contract is written from, or that are held against one: repetitions of one
// engine, of which none may be left out without a word.
#pragma once

#include <optional>
#include <string>

#include "analyzers/compare/runs/side.h"
#include "analyzers/contract/contract.h"

namespace trtlens {

// Why these builds are not of one engine, those without a time included; "" when they are. What
// failed is not asked.
[[nodiscard]] std::string why_refused(const Side& side);

// Of builds that failed or whose log stops: the clause that none may; none: all are good.
[[nodiscard]] std::optional<ClauseResult> outcome_clause(const Side& side);

}  // namespace trtlens
