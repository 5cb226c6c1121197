// Pieces of the JSON report that both kinds use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/gate/gate.h"
#include "report/formats/escape.h"

namespace trtlens {

using Json = nlohmann::ordered_json;
class JsonStream;

[[nodiscard]] Json json_tool(const std::string& version);
[[nodiscard]] Json json_inputs(const Analysis& analysis);
struct OtherGate {
  std::string build;
  const GateResult* gate = nullptr;
};
// `others`: of further builds, which make it fail, too.
void write_gate(const GateResult& gate, const std::vector<OtherGate>& others, JsonStream& out);
void write_findings(const std::vector<const Finding*>& findings, JsonStream& out);
void write_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonStream& out);
// The records of --keep-tactics, one a line.
void write_tactic_records(const Analysis& analysis, JsonStream& out);

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
[[nodiscard]] inline std::string json_one_line(const Json& json) {
  return visible_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace trtlens
