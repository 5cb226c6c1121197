// What the history keeps of a build: facts as columns, and what a comparison needs besides. Made of
// an Analysis, and turned back into one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/compare/comparison.h"

namespace trtlens {

// A layer without its times: the same in every build that has it. Names as reports print them.
struct LayerRecord {
  std::string name, kind, operation, role, precision, tactic;
  std::vector<std::string> onnx_nodes;
  std::string details;  // JSON: tensors and what else tells two layers apart
};

struct PrecisionRecord {
  std::string precision;
  std::int64_t layers = 0;
  std::optional<double> ms, share;  // none: no layer has a time
};

struct BuildRecord {
  // What reports would call the build, and what it belongs to: only builds of one series are held
  // against each other.
  std::string name, series, model;
  std::string logged_at;  // by the stamps of its log, as written there; "" where they have no date
  std::string outcome, tensorrt, producer, gpu, allowed, command;
  RunSpeed speed;
  std::optional<double> throughput_qps, latency_ms, build_s;
  std::optional<std::int64_t> engine_bytes, device_bytes;
  std::string details;  // JSON: options, inputs and outputs, settings of the timing
  std::vector<Run> runs;
  std::vector<PrecisionRecord> precisions;
  std::vector<LayerRecord> layers;
  std::vector<std::optional<LayerTime>> times;  // parallel to layers
  std::vector<Finding> findings;                // their facts; no evidence
};

// The enumerator of that name; `last` is the last of them.
template <typename Enum>
[[nodiscard]] std::optional<Enum> enumerator(const std::string& name, Enum last) {
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) {
    if (name == to_string(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// `series`: "" takes what the inputs say.
[[nodiscard]] BuildRecord record_of(const Analysis& analysis, const std::string& series);
// Of a record that may be anybody's: what does not fit is left out.
[[nodiscard]] Analysis analysis_of(const BuildRecord& record);

}  // namespace trtlens
