#include "report/json_writer.h"
#include "report/writers/json_parts.h"

namespace trtlens {
namespace {

Json names_of(const Analysis& side, const std::vector<std::size_t>& layers) {
  Json names = Json::array();
  for (const std::size_t i : layers) names.push_back(side.build.layers[i].name);
  return names;
}

Json json_engine(const EngineVerdict& engine) {
  return {{"metric", engine.metric},
          {"base", json_optional(engine.base_ms)},
          {"candidate", json_optional(engine.candidate_ms)},
          {"delta", json_optional(engine.delta_ms)},
          {"ratio", json_optional(engine.ratio)},
          {"ci95", nullptr},
          {"p_value", nullptr},
          {"n", engine.queries},
          {"runs", engine.runs},
          {"noise_floor", engine.noise_floor},
          {"noise_floor_from", engine.noise_floor_from},
          {"method", json_text(engine.method)},
          {"verdict", to_string(engine.verdict)}};
}

Json json_groups(const Comparison& c) {
  Json list = Json::array();
  for (const LayerGroup& group : c.groups) {
    list.push_back({{"base_layers", names_of(c.base, group.base)},
                    {"candidate_layers", names_of(c.candidate, group.candidate)},
                    {"how", group.how},
                    {"confidence", group.confidence},
                    {"base_ms", group.base_ms},
                    {"candidate_ms", group.candidate_ms},
                    {"delta_ms", group.delta_ms},
                    {"precision", {json_text(group.precision[0]), json_text(group.precision[1])}},
                    {"verdict", to_string(group.verdict)},
                    {"why", group.why}});
  }
  return list;
}

Json json_differences(const std::vector<Difference>& differences) {
  Json list = Json::array();
  for (const Difference& d : differences) {
    list.push_back({{"what", d.what},
                    {"name", d.name},
                    {"base", json_optional(d.base)},
                    {"candidate", json_optional(d.candidate)},
                    {"matters", d.matters}});
  }
  return list;
}

Json json_side(const Analysis& side) {
  return {{"build", json_build(side)}, {"inputs", json_inputs(side)}};
}

}  // namespace

std::string json_of(const Comparison& c, const std::string& version) {
  std::vector<Diagnostic> diagnostics = c.base.diagnostics;
  diagnostics.insert(diagnostics.end(), c.candidate.diagnostics.begin(),
                     c.candidate.diagnostics.end());
  Json root = {{"schema_version", 1},
               {"tool", json_tool(version)},
               {"base", json_side(c.base)},
               {"candidate", json_side(c.candidate)},
               {"comparable", c.comparable},
               {"not_comparable", c.not_comparable},
               {"differences", json_differences(c.differences)},
               {"engine", json_engine(c.engine)},
               {"groups", json_groups(c)},
               {"summary",
                {{"aligned_share_base", c.aligned_share_base},
                 {"aligned_share_candidate", c.aligned_share_candidate},
                 {"launches", c.launches},
                 {"reformats", c.reformats}}},
               {"findings", json_findings(c.findings)},
               {"diagnostics", json_diagnostics(diagnostics)}};
  return json_dump(root);
}

}  // namespace trtlens
