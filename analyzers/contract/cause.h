// Why a clause is broken.
#pragma once

#include "analyzers/contract/contract.h"

namespace trtlens {

// Fills in `why` and the finding of the broken clauses.
void explain(const Contract& contract, ContractResult& result);

}  // namespace trtlens
