// The report on a build that was held against a contract, and the contract itself as a file.
#include "report/formats/json/contract.h"

#include <fmt/format.h>

#include <cmath>

#include "analyzers/text.h"
#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"
#include "report/formats/json/writer.h"

namespace trtlens {
namespace {

Json json_limit(const std::optional<Limits>& limits, std::optional<double> Limits::*which) {
  return limits ? json_optional((*limits).*which) : Json(nullptr);
}

Json json_explaining(const ContractResult& contract, const ClauseResult& clause) {
  if (!clause.finding) return nullptr;
  const Finding& finding = contract.build.findings.at(*clause.finding);
  return {{"rule", finding.rule}, {"title", finding.title}};
}

void write_clause(const ContractResult& contract, const ClauseResult& clause, JsonStream& out) {
  out.begin_object();
  out.members({{"clause", clause.name},
               {"state", to_string(clause.state)},
               {"expected", clause.expected},
               {"found", clause.found},
               {"at_least", json_limit(clause.limits, &Limits::at_least)},
               {"at_most", json_limit(clause.limits, &Limits::at_most)},
               {"value", json_optional(clause.value)},
               {"why", json_text(clause.why)},
               {"needs", json_text(clause.needs)},
               {"finding", json_explaining(contract, clause)}});
  out.key("layers");
  out.list(clause.layers,
           [&](std::size_t i) { out.value(contract.build.build.layers[i].name.str()); });
  out.end();
}

// A name of an input in a comment: in its line, whatever it holds.
std::string in_comment(const std::string& text) {
  constexpr std::size_t kWidth = 160;
  return without_runner_commands(elide_middle(visible(text), kWidth));
}

// One digit behind the point where it needs one; times have more.
Json rounded(double value) {
  const double whole = std::round(value);
  if (std::fabs(value - whole) < 1e-9) return static_cast<std::int64_t>(whole);
  return std::round(value * 10) / 10;
}

std::string limits_json(const Limits& limits) {
  if (limits.at_least && limits.at_least == limits.at_most) {
    return json_one_line(rounded(*limits.at_least));
  }
  std::vector<std::string> parts;
  if (limits.at_least) parts.push_back("\"at_least\": " + json_one_line(rounded(*limits.at_least)));
  if (limits.at_most) parts.push_back("\"at_most\": " + json_one_line(rounded(*limits.at_most)));
  return "{" + join(parts, ", ") + "}";
}

std::string list_json(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  parts.reserve(names.size());
  for (const std::string& name : names) parts.push_back(json_one_line(name));
  return "[" + join(parts, ", ") + "]";
}

class ContractFile {
 public:
  explicit ContractFile(const Expectation& expectation) : of_(expectation) {}

  std::string text() {
    head();
    const Contract& contract = of_.contract;
    if (contract.tensorrt) clause("tensorrt", list_json(*contract.tensorrt));
    if (contract.gpu) clause("gpu", list_json(*contract.gpu));
    if (contract.allowed_types) clause("allowed_types", list_json(*contract.allowed_types));
    if (contract.strongly_typed) {
      clause("strongly_typed", *contract.strongly_typed ? "true" : "false");
    }
    for (std::size_t k = 0; k < kKernelKinds; ++k) {
      if (contract.kernels.at(k)) kernels(static_cast<KernelKind>(k), *contract.kernels.at(k));
    }
    for (std::size_t a = 0; a < kQuantities; ++a) {
      const std::optional<Limits>& limits = contract.quantities.at(a);
      if (limits) clause(to_string(static_cast<Quantity>(a)), limits_json(*limits));
    }
    if (contract.time_per_query) time(*contract.time_per_query);
    for (const auto& [name, why] : of_.unknown) {
      out_ += "\n";
      if (&name == &of_.unknown.front().first) out_ += "\n";
      comment(fmt::format("{} is not known: {}.", name, in_comment(why)));
      out_.pop_back();
    }
    return out_ + "\n}\n";
  }

 private:
  void head() {
    std::vector<std::string> builds;
    for (const std::string& build : of_.builds) builds.push_back(in_comment(build));
    out_ =
        "// What a good build of this engine is, written by `trtlens expect` from " +
        join(builds, ", ") + ".\n" +
        "// `trtlens check PATH --contract FILE` holds a build against it. A clause that stands\n"
        "// here is asked, one that is taken out is not. Limits are what the good build has and,\n"
        "// beside it, one kernel in twenty, two conversions or a tenth of them, 2 % of the "
        "profile's\n"
        "// time, a tenth of sizes; of several builds from the least to the most of them.\n"
        "// More: docs/contract.md.\n"
        "{\n" +
        fmt::format("  \"contract_version\": {}", kContractVersion);
  }

  void comment(const std::string& text) {
    constexpr std::size_t kWidth = 96;
    std::string line = "  //";
    for (const std::string_view word : split(text, " ")) {
      if (line.size() + 1 + word.size() > kWidth && line.size() > 4) {
        out_ += line + "\n";
        line = "  //";
      }
      line += ' ';
      line += word;
    }
    out_ += line + "\n";
  }

  // What it means, what the good build has, how to loosen it.
  void clause(const char* name, const std::string& value) {
    const ClauseText& text = clause_text(name);
    out_ += ",\n\n";
    std::string words = text.meaning;
    for (const auto& [clause, seen] : of_.seen) {
      if (clause == name) words += " The good build: " + in_comment(seen) + ".";
    }
    comment(words + " To loosen: " + text.loosen + ".");
    out_ += fmt::format("  \"{}\": {}", name, value);
  }

  void kernels(KernelKind kind, const TypeLimits& limits) {
    std::vector<std::string> rows;
    for (const auto& [type, own] : limits.types) {
      rows.push_back(fmt::format("    {}: {}", json_one_line(type), limits_json(own)));
    }
    if (limits.other) rows.push_back("    \"other\": " + limits_json(*limits.other));
    clause(to_string(kind), "{\n" + join(rows, ",\n") + "\n  }");
  }

  void time(const ContractTime& time) {
    std::vector<std::string> runs;
    for (const ContractRun& run : time.runs) {
      std::vector<std::string> parts;
      const auto add = [&](const char* name, const std::optional<double>& value) {
        if (value) parts.push_back(fmt::format("\"{}\": {:.6g}", name, *value));
      };
      add("p10_ms", run.p10_ms);
      add("median_ms", run.median_ms);
      add("profile_ms", run.profile_ms);
      if (run.error_percent > 0)
        parts.push_back(fmt::format("\"error_percent\": {:.3g}", run.error_percent));
      runs.push_back("      {" + join(parts, ", ") + "}");
    }
    std::string value = "{\n    \"runs\": [\n" + join(runs, ",\n") + "\n    ],\n";
    if (!time.shapes.empty()) value += "    \"shapes\": " + json_one_line(time.shapes) + ",\n";
    value += "    \"margin_percent\": " + json_one_line(rounded(time.margin_percent)) + ",\n";
    value += "    \"noise_floor_percent\": " + json_one_line(rounded(time.noise_floor_percent)) +
             "\n  }";
    clause("time_per_query", value);
  }

  const Expectation& of_;
  std::string out_;
};

}  // namespace

std::string contract_text(const Expectation& expectation) {
  return ContractFile(expectation).text();
}

void write_json(const ContractResult& contract, const GateResult& gate, const std::string& version,
                TextStream& stream) {
  JsonStream out(stream);
  const Analysis& build = contract.build;
  out.begin_object();
  out.members({{"schema_version", 1},
               {"tool", json_tool(version)},
               {"inputs", json_inputs(build)},
               {"contract", contract.contract},
               {"state", to_string(contract.state())},
               {"runs", contract.runs}});
  out.key("clauses");
  out.list(contract.clauses,
           [&](const ClauseResult& clause) { write_clause(contract, clause, out); });
  out.key("build");
  write_facts(kBuildFacts, build, build, out);
  out.key("gate");
  write_gate(gate, {}, out);
  out.key("diagnostics");
  write_diagnostics(build.reading->diagnostics, out);
  out.end();
}

}  // namespace trtlens
