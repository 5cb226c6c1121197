// What a build tells of the things that clauses are about, the clauses that are no number of it,
// and why they are broken.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/compare/runs/side.h"
#include "analyzers/contract/contract.h"

namespace trtlens {

// A number between `least` and `most`, which are equal where the inputs tell it all.
struct Measured {
  bool is_known = false;
  double least = 0, most = 0;
  std::vector<std::size_t> layers;  // that it counts
  std::string why;                  // it is not known, or not all of it
  std::string needs;                // the input that would tell
};
[[nodiscard]] Measured quantity_of(const Analysis& analysis, Quantity quantity);

// Kernels of a kind by the label of what they compute in.
struct TypedKernels {
  bool is_known = false;
  std::map<std::string, std::vector<std::size_t>> by_type;
  std::vector<std::size_t> untyped;  // of the kind, and the inputs do not tell their type
  std::vector<std::size_t> hiding;   // regions and plugins: what runs inside is not known
  std::string why, needs;

  [[nodiscard]] std::size_t typed() const;
};
[[nodiscard]] TypedKernels typed_kernels(const Analysis& analysis, KernelKind kind);

// "2 regions and plugins hide what runs inside".
[[nodiscard]] std::string hiding_text(std::size_t number);
inline constexpr const char* kNeedsLayers =
    "the layers with their types: --exportLayerInfo=layers.json --profilingVerbosity=detailed";
inline constexpr const char* kNeedsProfile =
    "the time of each layer: --exportProfile=profile.json --separateProfileRun";
inline constexpr const char* kNeedsLog = "the log of the build: trtexec --verbose > build.log";
inline constexpr const char* kNeedsTimes =
    "the time of the queries: --exportTimes=times.json, or the log of a timed run";
inline constexpr const char* kNeedsNothing =
    "no file of trtexec tells it: look at the time and the size, or build without the fusion";

// "20 to 22", "at most 3 %".
[[nodiscard]] std::string limits_text(const Limits& limits, const char* unit);
[[nodiscard]] std::string quantity_text(double value, const char* unit);
[[nodiscard]] const char* unit_of(Quantity quantity);  // "", " %", " MiB"

// The builds that a contract is written from, or that are held against one, are repetitions of one
// engine, of which none may be left out without a word. Why they are not of one engine, those
// without a time included; "" when they are. What failed is not asked.
[[nodiscard]] std::string why_refused(const Side& side);
// Of builds that failed or whose log stops: the clause that none may; none: all are good.
[[nodiscard]] std::optional<ClauseResult> outcome_clause(const Side& side);
// The time of a query against that of the good build, by the statistics of compare: its verdict on
// the contract's runs and these.
[[nodiscard]] ClauseResult time_clause(const Contract& contract, const ContractTime& good,
                                       const std::vector<const Analysis*>& runs);
// Fills in `why` and the finding of the broken clauses.
void explain(const Contract& contract, ContractResult& result);

}  // namespace trtlens
