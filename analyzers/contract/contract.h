// The engine contract: what a good build is, written from one, and a build held against it. A
// clause says what may be; what stands in no clause is not asked. docs/contract.md is its manual.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/model/diagnostic.h"

namespace trtlens {

inline constexpr int kContractVersion = 1;
inline constexpr std::size_t kMaxContractBytes = std::size_t{1} << 20;

// Of a number; none: any.
struct Limits {
  std::optional<double> at_least, at_most;
};

// Kernels that have a choice of precision, by what they compute in.
enum class KernelKind : std::uint8_t { convolutions, gemms, attention };
inline constexpr std::size_t kKernelKinds = 3;
[[nodiscard]] const char* to_string(KernelKind kind);

struct TypeLimits {
  std::vector<std::pair<std::string, Limits>> types;  // "FP16"
  std::optional<Limits> other;                        // of all types without a line, together
};

// What is one number of a build. MiB, percent of profile time, kernels.
enum class Quantity : std::uint8_t {
  fp32_time_percent,
  reformats,
  reformat_time_percent,
  qdq_kernels,
  qdq_time_percent,
  engine_mib,
  activation_mib,
  device_mib
};
inline constexpr std::size_t kQuantities = 8;
[[nodiscard]] const char* to_string(Quantity quantity);

// A run of the good build, by the figures that compare knows.
struct ContractRun {
  std::optional<double> p10_ms, median_ms, profile_ms;
  double error_percent = 0;  // standard error of its figure from inside the run
};
struct ContractTime {
  std::vector<ContractRun> runs;
  double margin_percent = 2, noise_floor_percent = 5;
  std::string shapes;  // of the inputs, and the batch: "32x3x224x224"; "" when not known
};

struct Contract {
  std::optional<std::vector<std::string>> tensorrt, gpu, allowed_types;
  std::optional<bool> strongly_typed;
  std::array<std::optional<TypeLimits>, kKernelKinds> kernels;
  std::array<std::optional<Limits>, kQuantities> quantities;
  std::optional<ContractTime> time_per_query;
};

// JSON with comments. `path` stands in the diagnostics; any of these makes the contract unfit.
[[nodiscard]] Contract parse_contract(std::string_view text, const std::string& path,
                                      std::vector<Diagnostic>& diagnostics);

// A contract with what its comments say.
struct Expectation {
  Contract contract;
  std::vector<std::string> builds;  // that it was written from
  // By the name of the clause: how much the good builds had, or why it is not known.
  std::vector<std::pair<std::string, std::string>> seen, unknown;
  std::string refused;  // why these builds make no contract; "" when they do
};
// Several builds are repetitions of one.
[[nodiscard]] Expectation expect(std::vector<Analysis> builds);

enum class ClauseState : std::uint8_t { held, undecidable, broken };
[[nodiscard]] const char* to_string(ClauseState state);

struct ClauseResult {
  std::string name;  // "gemms.FP16"
  ClauseState state = ClauseState::held;
  std::string expected, found;  // "20 to 22", "0"
  std::optional<Limits> limits;
  std::optional<double> value;         // of a clause with limits, where it is known
  std::vector<std::size_t> layers;     // of the build, those in question: slowest first
  std::string why;                     // the cause, or what cannot be told
  std::string needs;                   // of an undecidable one: what would decide
  std::optional<std::size_t> finding;  // of Analysis::findings, that explains it
};

struct ContractResult {
  Analysis build;        // with the layers' times of all runs that count
  std::string contract;  // path of the file
  std::size_t runs = 1;
  std::vector<ClauseResult> clauses;  // in the order of the file's format
  std::string refused;                // why these builds are not held; "" when they are

  [[nodiscard]] ClauseState state() const;
  [[nodiscard]] std::size_t count(ClauseState state) const;
};
// Several builds are repetitions of one.
[[nodiscard]] ContractResult check_contract(std::vector<Analysis> builds, const Contract& contract,
                                            const std::string& path, const AnalyzeOptions& options);

// What the comments of a contract and its manual say of a clause, by its name.
struct ClauseText {
  const char *name, *meaning, *loosen;
};
[[nodiscard]] const ClauseText& clause_text(std::string_view name);

}  // namespace trtlens
