// What a gate counts: the findings of a build; of a comparison also what became slower; of a
// contract the clauses that are not held. Those that a baseline accepts stand apart and are not
// counted. It changes nothing that it looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/compare/comparison.h"
#include "analyzers/contract/contract.h"
#include "analyzers/finding.h"
#include "parsers/model/diagnostic.h"

namespace trtlens {

// Rules that look at two builds: their findings are made here, not by analyze().
inline constexpr const char* kEngineRegressed = "engine-regressed";
inline constexpr const char* kEngineCannotTell = "engine-cannot-tell";
inline constexpr const char* kLayersRegressed = "layers-regressed";
inline constexpr const char* kNotComparable = "not-comparable";
// Of a log with several runs: one that is not in the report failed.
inline constexpr const char* kOtherRunFailed = "other-run-failed";
// Of a clause of a contract.
inline constexpr const char* kContractBroken = "contract-broken";
inline constexpr const char* kContractUndecidable = "contract-undecidable";
[[nodiscard]] bool is_gate_rule(std::string_view id);

// One accepted finding, a line of the file.
struct BaselineEntry {
  std::string fingerprint, rule;
  std::string about;  // for people
  std::uint64_t line = 0;
};
struct Baseline {
  std::vector<BaselineEntry> entries;
};
inline constexpr std::size_t kMaxBaselineBytes = std::size_t{1} << 24;
inline constexpr const char* kBaselineHead = "# trtlens baseline 1";

// Lines `FINGERPRINT RULE ABOUT…` below kBaselineHead; `#` begins a comment. `path` stands in the
// diagnostics; any of these makes the baseline unfit.
[[nodiscard]] Baseline parse_baseline(std::string_view text, const std::string& path,
                                      std::vector<Diagnostic>& diagnostics);

struct GateOptions {
  // none; a severity: findings of at least that; of a comparison also regression (of the engine)
  // and cannot-tell (that or a regression); of a contract broken and cannot-tell (either).
  std::string fail_on = "none";
  // What costs less is not counted. Of a build: stake as a share of profile time, where it is
  // known; of a comparison: shift of the engine or of a group of layers, as a share of its base.
  double threshold = 0;
  std::vector<std::string> ignore;  // as AnalyzeOptions::ignore, for the rules above
  bool run_named = false;           // --run: the other runs of the log do not count
};

struct GateItem {
  const Finding* finding = nullptr;  // of what is held, or of GateResult::regressions
  std::string fingerprint;
  bool counts = false;  // reaches fail_on
};

// Moved, never copied: its items point into it.
struct GateResult {
  GateResult() = default;
  GateResult(GateResult&&) noexcept = default;
  GateResult& operator=(GateResult&&) noexcept = default;
  GateResult(const GateResult&) = delete;
  GateResult& operator=(const GateResult&) = delete;
  ~GateResult() = default;

  std::string fail_on = "none";
  std::vector<GateItem> items;      // in the order of every report
  std::vector<GateItem> accepted;   // by the baseline
  std::vector<BaselineEntry> gone;  // accepted, but no longer found
  std::list<Finding> regressions;   // of items and accepted; where they are does not change

  [[nodiscard]] bool fails() const;
};

// The same for the same hazard at the same place, whatever its time, its line or its wording: 16
// hexadecimal digits over the rule, the kind of place, and the names of layers or tensors. A
// finding on many layers is about the engine: which of them its rule names shifts from run to run.
[[nodiscard]] std::string fingerprint_of(const Finding& finding);

// What is held must outlive the gate.
[[nodiscard]] GateResult hold(const Analysis& analysis, const GateOptions& options,
                              const Baseline& baseline);
[[nodiscard]] GateResult hold(const Comparison& comparison, const GateOptions& options,
                              const Baseline& baseline);
[[nodiscard]] GateResult hold(const ContractResult& contract, const GateOptions& options,
                              const Baseline& baseline);

// The findings to report, in their order: without a gate all, else those that it neither accepts
// nor ignores.
[[nodiscard]] std::vector<const Finding*> reported_findings(const Analysis& analysis,
                                                            const GateResult* gate);
[[nodiscard]] std::vector<const Finding*> reported_findings(const Comparison& comparison,
                                                            const GateResult* gate);

}  // namespace trtlens
