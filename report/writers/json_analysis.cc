#include "report/json_writer.h"
#include "report/writers/json_parts.h"

namespace trtlens {
namespace {

Json json_runs(const Analysis& analysis) {
  Json runs = Json::array();
  for (const Run& run : analysis.runs) {
    runs.push_back(
        {{"n", run.n},
         {"producer", run.producer},
         {"command", json_text(run.command)},
         {"outcome", to_string(run.outcome)},
         {"file",
          run.file < analysis.inputs.size() ? Json(analysis.inputs[run.file].path) : Json()},
         {"first_line", run.first_line},
         {"last_line", run.last_line}});
  }
  return runs;
}

Json json_evidence(const Evidence& evidence) {
  Json json = Json::object();
  if (!evidence.file.empty()) json["file"] = evidence.file;
  if (evidence.line != 0) json["line"] = evidence.line;
  if (!evidence.text.empty()) json["text"] = evidence.text;
  if (!evidence.note.empty()) json["note"] = evidence.note;
  if (!evidence.layer.empty()) json["layer"] = evidence.layer;
  if (!evidence.metric.empty()) {
    json["metric"] = evidence.metric;
    json["value"] = json_optional(evidence.value);
  }
  return json;
}

}  // namespace

Json json_tool(const std::string& version) {
  return {{"name", "trtlens"}, {"version", version}};
}

Json json_inputs(const Analysis& analysis) {
  Json inputs = Json::array();
  for (const Input& input : analysis.inputs) {
    Json json = {{"path", input.path},
                 {"kind", to_string(input.kind)},
                 {"bytes", input.bytes},
                 {"lines", input.lines}};
    if (input.runs.size() == 1) json["run"] = input.runs[0];
    if (input.runs.size() > 1) json["run"] = input.runs;
    if (!input.why.empty()) json["why"] = input.why;
    inputs.push_back(std::move(json));
  }
  return inputs;
}

Json json_findings(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    Json gain = nullptr;
    if (finding.gain) {
      gain = {{"low", finding.gain->low_ms},
              {"high", finding.gain->high_ms},
              {"basis", finding.gain->basis}};
    }
    Json evidence = Json::array();
    for (const Evidence& e : finding.evidence) evidence.push_back(json_evidence(e));
    list.push_back({{"rule", finding.rule},
                    {"category", finding.category},
                    {"severity", to_string(finding.severity)},
                    {"confidence", to_string(finding.confidence)},
                    {"stake_ms", json_optional(finding.stake_ms)},
                    {"gain_ms", gain},
                    {"title", finding.title},
                    {"why", finding.why},
                    {"evidence", evidence},
                    {"remedies", finding.remedies},
                    {"next_check", json_text(finding.next_check)},
                    {"sources", finding.sources},
                    {"layers", finding.layers}});
  }
  return list;
}

Json json_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  static constexpr const char* kSeverities[] = {"note", "warning", "error"};
  Json list = Json::array();
  for (const Diagnostic& d : diagnostics) {
    list.push_back({{"id", d.id},
                    {"severity", kSeverities[static_cast<int>(d.severity)]},
                    {"file", json_text(d.file)},
                    {"line", d.line},
                    {"column", d.column},
                    {"message", "expected " + d.expected + ", found " + d.found}});
  }
  return list;
}

std::string json_of(const Analysis& analysis, const std::string& version) {
  Json root = {{"schema_version", 1},
               {"tool", json_tool(version)},
               {"inputs", json_inputs(analysis)},
               {"runs", json_runs(analysis)},
               {"run", analysis.build.runs},
               {"build", json_build(analysis)},
               {"other_builds", analysis.other_builds},
               {"findings", json_findings(analysis.findings)},
               {"diagnostics", json_diagnostics(analysis.diagnostics)}};
  std::string text = json_dump(root);
  put_tactic_records(analysis, text);
  return text;
}

}  // namespace trtlens
