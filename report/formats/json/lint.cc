// The report of `lint-log`.
#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"
#include "report/formats/lint_report.h"

namespace trtlens {

std::string lint_json(const LintResult& result, const LintView& view, const std::string& version) {
  Json inputs = Json::array();
  for (const Input& input : result.inputs) {
    Json json = {{"bytes", input.bytes}, {"lines", input.lines}};
    if (view.samples) json["path"] = input.path;
    if (!input.why.empty()) json["why"] = input.why;
    inputs.push_back(std::move(json));
  }
  Json shapes = Json::array();
  for (const LineShape& s : result.shapes) {
    Json json = {{"count", s.count},
                 {"class", to_string(s.line_class)},
                 {"severity", to_string(s.severity)},
                 {"near", json_text(s.near)},
                 {"input", s.first.file + 1},
                 {"line", s.first.line},
                 {"shape", s.shape}};
    if (view.samples) json["sample"] = s.sample;
    shapes.push_back(std::move(json));
  }
  Json coverage = Json::object();
  for (const FactEntry& fact : kCoverageFacts) {
    coverage[fact.name] = json_of(fact.value(Analysis(), &result.coverage));
  }
  Json root = {{"schema_version", 1},
               {"tool", json_tool(version)},
               {"inputs", std::move(inputs)},
               {"tensorrt", result.versions},
               {"producers", result.producers},
               {"runs", result.runs},
               {"coverage", std::move(coverage)},
               {"shapes", std::move(shapes)},
               {"lines_left_out", result.lines_left_out}};
  return json_dump(root);
}

}  // namespace trtlens
