// The time of a query against that of the good build.
#pragma once

#include <vector>

#include "analyzers/contract/contract.h"

namespace trtlens {

// By the statistics of compare: its verdict on the contract's runs and these.
[[nodiscard]] ClauseResult time_clause(const Contract& contract, const ContractTime& good,
                                       const std::vector<const Analysis*>& runs);

}  // namespace trtlens
