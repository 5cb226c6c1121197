// What a build tells of the things that clauses are about.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

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

}  // namespace trtlens
