// What the formats of gates are made from (JUnit, SARIF, annotations, …): one entry for each
// finding and regression. Strings are those of the input: writers escape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"

namespace trtlens {

enum class EntryState : std::uint8_t {
  passes,    // there, but not what --fail-on asks for
  fails,     // reaches --fail-on
  accepted,  // by the baseline
  error      // nothing can be said: the sides are not comparable
};

struct GateEntry {
  const Finding* finding = nullptr;
  std::string fingerprint;
  EntryState state = EntryState::passes;
  std::string build;               // that it is of, no absolute path; "" when there is one only
  std::string subject;             // the layer that it names first; "" when none
  std::vector<std::string> lines;  // why, what to do, what to check
  std::string file;                // where it stands in an input; "" when nowhere
  std::uint64_t line = 0;
  std::string input;  // first of the build's
};

struct GateReport {
  std::string command;         // "analyze", "compare", "check"
  std::string title, verdict;  // as every report begins
  std::string fail_on;
  bool fails = false;               // exit status 1, or 3
  std::vector<GateEntry> entries;   // in the order of every report, accepted ones last
  std::vector<std::string> inputs;  // paths
};

// Where it stands; what stands in no line is said of its build's first input, else of the first of
// all. "" where there is none.
[[nodiscard]] std::string file_of(const GateEntry& entry, const GateReport& report);
// What was found, and in which of several builds.
[[nodiscard]] std::string title_of(const GateEntry& entry);
// The same with what it costs.
[[nodiscard]] std::string headline_of(const GateEntry& entry);

// Of builds or comparisons with their gates, which are as many and must outlive the report: one
// gate, which fails when any of them does.
[[nodiscard]] GateReport gate_report(const std::vector<Analysis>& analyses,
                                     const std::vector<GateResult>& gates);
[[nodiscard]] GateReport gate_report(const std::vector<Comparison>& comparisons,
                                     const std::vector<GateResult>& gates);
[[nodiscard]] GateReport gate_report(const ContractResult& contract, const GateResult& gate);

}  // namespace trtlens
