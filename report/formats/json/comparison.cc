// The report on a Comparison; several are a list.
#include <array>

#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

Json json_settle(const Settle& settle) {
  return {{"runs", json_optional(settle.runs)},
          {"obstacle", settle.obstacle.empty() ? Json(nullptr) : json_text(settle.obstacle)},
          {"commands", {json_text(settle.commands[0]), json_text(settle.commands[1])}}};
}

Json json_left_out(const EngineVerdict& engine) {
  Json list = Json::array();
  for (const std::size_t side : {0U, 1U}) {
    for (const LeftOutRun& run : engine.left_out.at(side)) {
      list.push_back({{"side", side == 0 ? "base" : "candidate"},
                      {"name", json_text(run.name)},
                      {"why", json_text(run.why)}});
    }
  }
  return list;
}

Json json_engine(const EngineVerdict& engine) {
  return {{"metric", engine.metric},
          {"base", json_optional(engine.base_ms)},
          {"candidate", json_optional(engine.candidate_ms)},
          {"delta", json_optional(engine.delta_ms)},
          {"ratio", json_optional(engine.ratio)},
          {"ci95", json_optional(engine.ci95)},
          {"p_value", json_optional(engine.p_value)},
          {"n", engine.queries},
          {"runs", engine.runs},
          {"runs_left_out", {engine.left_out[0].size(), engine.left_out[1].size()}},
          {"left_out", json_left_out(engine)},
          {"margin", engine.margin},
          {"noise_floor", engine.noise_floor},
          {"noise_floor_from", engine.noise_floor_from},
          {"scatter", json_optional(engine.scatter)},
          {"method", json_text(engine.method)},
          {"reason", engine.reason.empty() ? Json(nullptr) : json_text(engine.reason)},
          {"notes", engine.notes},
          {"verdict", to_string(engine.verdict)},
          {"settle", engine.settle ? json_settle(*engine.settle) : Json(nullptr)},
          {"confirm", engine.confirm ? json_settle(*engine.confirm) : Json(nullptr)}};
}

void write_names(const Analysis& analysis, const std::vector<std::size_t>& layers,
                 JsonStream& out) {
  out.list(layers, [&](std::size_t i) { out.value(analysis.build.layers[i].name.str()); });
}

void write_groups(const Comparison& c, JsonStream& out) {
  const std::array times = {c.base.build.has_profile, c.candidate.build.has_profile};
  out.list(c.groups, [&](const LayerGroup& group) {
    out.begin_object();
    out.key("base_layers");
    write_names(c.base, group.base, out);
    out.key("candidate_layers");
    write_names(c.candidate, group.candidate, out);
    out.members({{"how", group.how},
                 {"confidence", group.confidence},
                 {"base_ms", times[0] ? Json(group.base_ms) : Json(nullptr)},
                 {"candidate_ms", times[1] ? Json(group.candidate_ms) : Json(nullptr)},
                 {"delta_ms", times[0] && times[1] ? Json(group.delta_ms) : Json(nullptr)},
                 {"precision", {json_text(group.precision[0]), json_text(group.precision[1])}},
                 {"verdict", to_string(group.verdict)},
                 {"p_value", json_optional(group.p_value)},
                 {"why", group.why_texts()}});
    out.end();
  });
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

void write_side(const Analysis& side, JsonStream& out) {
  out.begin_object();
  out.key("build");
  write_facts(kBuildFacts, side, side, out);
  out.member("inputs", json_inputs(side));
  out.end();
}

void write_comparison(const Comparison& c, const std::string& version, const GateResult& gate,
                      JsonStream& out) {
  std::vector<Diagnostic> diagnostics = c.base.reading->diagnostics;
  diagnostics.insert(diagnostics.end(), c.candidate.reading->diagnostics.begin(),
                     c.candidate.reading->diagnostics.end());
  out.begin_object();
  out.members({{"schema_version", 1}, {"tool", json_tool(version)}});
  out.key("base");
  write_side(c.base, out);
  out.key("candidate");
  write_side(c.candidate, out);
  out.members({{"comparable", c.comparable},
               {"not_comparable", c.not_comparable},
               {"forced", !c.comparable && !c.refused},
               {"same_files", c.same_files},
               {"differences", json_differences(c.differences)},
               {"engine", json_engine(c.engine)}});
  out.key("groups");
  write_groups(c, out);
  out.member("cause", json_text(c.cause));
  // Without a profile no kernel has a time: not known, and not none.
  const bool known[] = {c.base.build.has_profile, c.candidate.build.has_profile};
  const auto share = [](bool is_known, double value) {
    return is_known ? Json(value) : Json(nullptr);
  };
  const auto counts = [&](const std::array<std::size_t, 2>& of) {
    return Json::array({known[0] ? Json(of[0]) : Json(nullptr), known[1] ? Json(of[1]) : nullptr});
  };
  out.member("summary", {{"aligned_share_base", share(known[0], c.aligned_share_base)},
                         {"aligned_share_candidate", share(known[1], c.aligned_share_candidate)},
                         {"launches", counts(c.launches)},
                         {"reformats", counts(c.reformats)},
                         {"qdq_kernels", counts(c.qdq_kernels)},
                         {"profiled_runs", c.profiled_runs}});
  out.key("findings");
  write_findings(reported_findings(c, &gate), out);
  out.key("gate");
  write_gate(gate, {}, out);
  out.key("diagnostics");
  write_diagnostics(diagnostics, out);
  out.end();
}

}  // namespace

void write_json(const std::vector<Comparison>& comparisons, const std::vector<GateResult>& gates,
                const std::string& version, TextStream& stream, bool is_list) {
  JsonStream out(stream);
  if (comparisons.size() == 1 && !is_list) {
    return write_comparison(comparisons[0], version, gates.at(0), out);
  }
  std::size_t i = 0;
  out.list(comparisons,
           [&](const Comparison& c) { write_comparison(c, version, gates.at(i++), out); });
}

}  // namespace trtlens
