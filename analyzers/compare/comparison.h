// Two builds side by side. One run a side says little (see docs): only a shift beyond a stated
// noise floor is a verdict.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

enum class Verdict : std::uint8_t { cannot_tell, no_change, improved, regressed };
[[nodiscard]] const char* to_string(Verdict verdict);

struct Difference {
  std::string what;  // option, gpu, version, clock, default
  std::string name;
  std::optional<std::string> base, candidate;  // none: not there, or not known
  bool matters = true;
};

struct EngineVerdict {
  std::string metric = "gpu_compute_ms";
  std::optional<double> base_ms, candidate_ms, delta_ms, ratio;  // ratio: candidate / base
  std::array<std::uint64_t, 2> queries{};
  std::array<std::uint32_t, 2> runs{};
  double noise_floor = 0.05;  // share of the base
  std::string noise_floor_from = "assumed";
  std::string method;
  Verdict verdict = Verdict::cannot_tell;
};

// Layers of both sides that do the same work: m:n across fusions. Groups partition both sides.
struct LayerGroup {
  std::vector<std::size_t> base, candidate;  // indices into the builds' layers
  std::string how;                           // onnx, name, only_base, only_candidate
  double confidence = 0;
  double base_ms = 0, candidate_ms = 0, delta_ms = 0;
  std::array<std::string, 2> precision;  // of the arithmetic in it; "" when there is none
  Verdict verdict = Verdict::cannot_tell;
  std::vector<std::string> why;
};

struct Comparison {
  Analysis base, candidate;  // of the first run of each side
  bool comparable = true;
  std::vector<std::string> not_comparable;  // reasons, when it is not
  std::vector<Difference> differences;
  EngineVerdict engine;
  std::vector<LayerGroup> groups;                              // largest shift first
  double aligned_share_base = 0, aligned_share_candidate = 0;  // of profile time
  std::array<std::size_t, 2> launches{}, reformats{};          // kernels with a time
  std::vector<Finding> findings;
};

struct CompareOptions {
  double noise_floor = 0.05;
  bool force = false;  // give a verdict although the sides are not comparable
};

// Each side: one analysis a run; several are repetitions of the same build.
[[nodiscard]] Comparison compare(std::vector<Analysis> base, std::vector<Analysis> candidate,
                                 const CompareOptions& options);

// The layers of both sides in groups, without verdicts.
[[nodiscard]] std::vector<LayerGroup> align(const Analysis& base, const Analysis& candidate);
[[nodiscard]] std::vector<Difference> differences_of(const Build& base, const Build& candidate);

}  // namespace trtlens
