// A contract as a file, and the JSON report on a build that was held against one.
#pragma once

#include <string>

#include "analyzers/contract/contract.h"
#include "analyzers/gate/gate.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// JSON with comments, to be read and edited: what parse_contract() reads.
[[nodiscard]] std::string contract_text(const Expectation& expectation);

void write_json(const ContractResult& contract, const GateResult& gate, const std::string& version,
                TextStream& out);

}  // namespace trtlens
