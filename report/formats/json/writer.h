// The machine-readable reports: names and meanings are promises (schema_version 1).
#pragma once

#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// `gates`: what --fail-on and --baseline made of each.
// The report on the first build; the others have their findings in its gate.
void write_json(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                const std::string& version, TextStream& out);
// One object; a list of them when there are several, or where there may be (`is_list`).
void write_json(const std::vector<Comparison>& comparisons, const std::vector<GateResult>& gates,
                const std::string& version, TextStream& out, bool is_list = false);

// The JSON Schemas of these reports, and of contracts.
[[nodiscard]] std::vector<std::string> schema_names();  // "analyze", "compare", "check", "contract"
// Draft 7, complete in itself; "" for any other name.
[[nodiscard]] std::string json_schema(const std::string& name);

}  // namespace trtlens
