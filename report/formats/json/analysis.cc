// The report on an Analysis: findings, gate, diagnostics, and the pieces of others in their order.
#include <algorithm>

#include "report/document/parts.h"
#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

// Of an input; null where the place is not known.
Json json_path(const Analysis& analysis, std::size_t file) {
  return file < analysis.reading->inputs.size() ? Json(analysis.reading->inputs[file].path)
                                                : Json(nullptr);
}

Json json_runs(const Analysis& analysis) {
  Json runs = Json::array();
  for (const Run& run : analysis.reading->runs) {
    runs.push_back({{"n", run.n},
                    {"producer", run.producer},
                    {"command", json_text(run.command)},
                    {"outcome", to_string(run.outcome)},
                    {"file", json_path(analysis, run.file)},
                    {"first_line", run.first_line},
                    {"last_line", run.last_line}});
  }
  return runs;
}

Json json_evidence(const Evidence& evidence) {
  Json json = Json::object();
  if (!evidence.file.empty()) json["file"] = evidence.file.str();
  if (evidence.line != 0) json["line"] = evidence.line;
  if (!evidence.text.empty()) json["text"] = evidence.text.str();
  if (!evidence.note.empty()) json["note"] = evidence.note.str();
  if (!evidence.layer.empty()) json["layer"] = evidence.layer.str();
  if (!evidence.metric.empty()) {
    json["metric"] = evidence.metric.str();
    json["value"] = json_optional(evidence.value);
  }
  return json;
}

void write_finding(const Finding& finding, const std::string& fingerprint, JsonStream& out) {
  Json gain = nullptr;
  if (finding.gain) {
    gain = {{"low", finding.gain->low_ms},
            {"high", finding.gain->high_ms},
            {"basis", finding.gain->basis}};
    gain["query"] = nullptr;
    if (const std::optional<MsRange>& query = finding.gain->query) {
      gain["query"] = {{"low", query->low_ms}, {"high", query->high_ms}};
    }
    if (const std::optional<FirstStep>& first = finding.gain->first_step) {
      gain["first_step"] = {
          {"what", first->what}, {"low", first->low_ms}, {"high", first->high_ms}};
    }
  }
  out.begin_object();
  out.members({{"rule", finding.rule},
               {"cause", finding.cause},
               {"category", finding.category},
               {"severity", to_string(finding.severity)},
               {"confidence", to_string(finding.confidence)},
               {"fingerprint", fingerprint},
               {"stake_ms", json_optional(finding.stake_ms)},
               {"gain_ms", gain},
               {"gain_unknown", json_text(finding.gain_unknown)},
               {"title", finding.title},
               {"why", finding.why}});
  out.key("evidence");
  out.list(finding.evidence, [&](const Evidence& e) { out.value(json_evidence(e)); });
  out.members({{"remedies", finding.remedies},
               {"next_check", json_text(finding.next_check)},
               {"commands", steps_of(finding).commands},
               {"sources", finding.sources}});
  out.key("layers");
  out.list(finding.layers, [&](const SharedText& name) { out.value(name.str()); });
  if (!finding.where.empty()) out.member("where", finding.where);
  out.end();
}

std::vector<std::string> counted_of(const GateResult& gate) {
  std::vector<std::string> counted;
  for (const GateItem& item : gate.items) {
    if (item.counts) counted.push_back(item.fingerprint);
  }
  return counted;
}

void write_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                  JsonStream& out) {
  out.begin_list();
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    write_facts(kBuildRowFacts, analyses[i], BuildRow{&analyses[i], &gates.at(i)}, out);
  }
  out.end();
}

void write_report(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                  const std::string& version, JsonStream& out) {
  const Analysis& analysis = analyses.at(0);
  const GateResult& gate = gates.at(0);
  std::vector<OtherGate> others;
  for (std::size_t i = 1; i < analyses.size(); ++i) {
    others.push_back({analyses[i].name, &gates.at(i)});
  }
  out.begin_object();
  out.members({{"schema_version", 1},
               {"tool", json_tool(version)},
               {"inputs", json_inputs(analysis)},
               {"runs", json_runs(analysis)},
               {"run", analysis.build.runs}});
  out.key("build");
  write_facts(kBuildFacts, analysis, analysis, out);
  out.member("other_builds", analysis.other_builds);
  out.key("builds");
  write_builds(analyses, gates, out);
  out.key("findings");
  write_findings(reported_findings(analysis, &gate), out);
  out.key("gate");
  write_gate(gate, others, out);
  out.key("diagnostics");
  write_diagnostics(analysis.reading->diagnostics, out);
  out.end();
}

}  // namespace

Json json_tool(const std::string& version) {
  return {{"name", "trtlens"}, {"version", version}};
}

Json json_inputs(const Analysis& analysis) {
  Json inputs = Json::array();
  for (const Input& input : analysis.reading->inputs) {
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

void write_findings(const std::vector<const Finding*>& findings, JsonStream& out) {
  out.list(findings,
           [&](const Finding* finding) { write_finding(*finding, fingerprint_of(*finding), out); });
}

// The findings themselves stand in "findings"; here is what the gate added, and what does not stand
// there.
void write_gate(const GateResult& gate, const std::vector<OtherGate>& others, JsonStream& out) {
  const auto write = [&](const GateItem& item) {
    write_finding(*item.finding, item.fingerprint, out);
  };
  std::vector<GateItem> regressions;
  for (const GateItem& item : gate.items) {
    if (is_gate_rule(item.finding->rule)) regressions.push_back(item);
  }
  const bool fails =
      gate.fails() || std::any_of(others.begin(), others.end(),
                                  [](const OtherGate& other) { return other.gate->fails(); });
  out.begin_object();
  out.members({{"fail_on", gate.fail_on}, {"failed", fails}, {"counted", counted_of(gate)}});
  out.key("regressions");
  out.list(regressions, write);
  out.key("accepted");
  out.list(gate.accepted, write);
  out.key("gone");
  out.list(gate.gone, [&](const BaselineEntry& entry) {
    out.value({{"fingerprint", entry.fingerprint},
               {"rule", entry.rule},
               {"about", entry.about},
               {"line", entry.line}});
  });
  if (!others.empty()) {
    out.key("others");
    out.list(others, [&](const OtherGate& other) {
      out.begin_object();
      out.members({{"build", other.build},
                   {"failed", other.gate->fails()},
                   {"counted", counted_of(*other.gate)}});
      out.key("findings");
      out.list(other.gate->items, write);
      out.key("accepted");
      out.list(other.gate->accepted, write);
      out.end();
    });
  }
  out.end();
}

void write_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonStream& out) {
  out.list(diagnostics, [&](const Diagnostic& d) {
    out.value({{"id", d.id},
               {"severity", to_string(d.severity)},
               {"file", json_text(d.file)},
               {"line", d.line},
               {"column", d.column},
               {"message", "expected " + d.expected + ", found " + d.found}});
  });
}

void write_json(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                const std::string& version, TextStream& stream) {
  JsonStream out(stream);
  write_report(analyses, gates, version, out);
}

}  // namespace trtlens
