// Pieces of the JSON report that both kinds use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "report/escape.h"

namespace trtlens {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json json_tool(const std::string& version);
[[nodiscard]] Json json_inputs(const Analysis& analysis);
[[nodiscard]] Json json_coverage(const Coverage& coverage);
[[nodiscard]] Json json_build(const Analysis& analysis);
// Key of the list that put_tactic_records() fills.
inline constexpr const char* kTacticRecordsKey = "records";
// The records of --keep-tactics, one a line, in place of the empty list of that key in `json`. As
// text: a log has millions of them, and a tree of JSON values takes ten times the memory.
void put_tactic_records(const Analysis& analysis, std::string& json);
[[nodiscard]] Json json_layers(const Analysis& analysis);
[[nodiscard]] Json json_findings(const std::vector<Finding>& findings);
[[nodiscard]] Json json_diagnostics(const std::vector<Diagnostic>& diagnostics);

// null when nothing is known.
template <typename T>
[[nodiscard]] Json json_optional(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
[[nodiscard]] inline Json json_text(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}
// Names are bytes of the input: what is no UTF-8 becomes U+FFFD, what a terminal would obey is
// escaped.
[[nodiscard]] inline std::string json_dump(const Json& json) {
  return visible_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace trtlens
