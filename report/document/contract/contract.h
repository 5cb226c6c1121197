// The Document of a build that was held against a contract.
#pragma once

#include <string>
#include <vector>

#include "analyzers/contract/contract.h"
#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

[[nodiscard]] Heading heading_of(const ContractResult& contract);
// Of the sections of such a report, in its order.
[[nodiscard]] const std::vector<std::string>& contract_section_ids();
[[nodiscard]] Document build_document(const ContractResult& contract, const GateResult& gate);

}  // namespace trtlens
