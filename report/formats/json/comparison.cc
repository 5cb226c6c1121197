// The report on a Comparison; several are a list.
#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

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
  FactsAsJson facts(out);
  kComparisonFacts.write(c.candidate, &c, facts);
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
