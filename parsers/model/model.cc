// Small functions of the model's types.
#include <algorithm>
#include <array>
#include <cstddef>

#include "parsers/model/build.h"
#include "parsers/parse.h"

namespace trtlens {

Build::Build() = default;
Build::Build(const Build& other) = default;
Build::Build(Build&& other) noexcept = default;
Build& Build::operator=(const Build& other) = default;
Build& Build::operator=(Build&& other) noexcept = default;
Build::~Build() = default;

bool Build::knows_layers() const {
  return !layer_names_only && std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
    return !layer.inputs.empty() || !layer.outputs.empty();
  });
}

bool Build::names_trtexec() const {
  if (!command.empty() && !command_is_typed) return true;
  return std::ranges::any_of(banner,
                             [](const auto& row) { return !row.first.starts_with("ONNX/"); });
}

bool Build::engine_was_built() const {
  return engine_build_s || engine_load_s || memory.engine_bytes.value_or(0) > 0 || knows_layers();
}

const TuningIteration* Tuning::best() const {
  const TuningIteration* fastest = nullptr;
  for (const TuningIteration& one : iterations) {
    if (!best_route.empty() && one.build_route == best_route &&
        (!best_gpu_time_ms || one.gpu_time_ms == best_gpu_time_ms)) {
      return &one;
    }
    const bool failed = one.outcome == Outcome::failed || one.crashed.value_or(false) ||
                        one.accuracy_failed.value_or(false);
    if (failed || !one.time_ms()) continue;
    if (fastest == nullptr || *one.time_ms() < *fastest->time_ms()) fastest = &one;
  }
  return fastest;
}

const char* to_string(Outcome outcome) {
  constexpr std::array kNames{"unknown", "passed", "failed", "truncated"};
  return kNames[static_cast<std::size_t>(outcome)];
}

const char* to_string(InputKind kind) {
  constexpr std::array kNames{"log",    "layer_info", "profile",  "times",
                              "output", "tuner",      "metadata", "unknown"};
  return kNames[static_cast<std::size_t>(kind)];
}

DataType Autotune::first_type() const {
  const std::string_view first = format_combination;
  return data_type_of(first.substr(0, first.find('(')));
}

const char* to_string(SkipReason reason) {
  constexpr std::array kNames{"not enough scratch memory", "exception",
                              "over the time limit of the pre-run", "no finite time",
                              "skipped with a message"};
  static_assert(kNames.size() == kSkipReasons);
  return kNames[static_cast<std::size_t>(reason)];
}

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::optional<int> Gpu::sm() const {
  const std::size_t dot = compute_capability.find('.');
  if (dot == std::string::npos || dot == 0 || dot > 2 || dot + 2 != compute_capability.size()) {
    return std::nullopt;
  }
  int value = 0;
  for (const char c : compute_capability) {
    if (c == '.') continue;
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<bool> has_implicit_batch(const Build& build) {
  std::optional<bool> implicit;
  for (const Layer& layer : build.layers) {
    if (layer.parameter_type != "Convolution" || layer.kernel.empty() || layer.inputs.empty()) {
      continue;
    }
    const std::size_t rank = layer.inputs[0].dims.size();
    if (rank == layer.kernel.size() + 2) return false;
    if (rank == layer.kernel.size() + 1) implicit = true;
  }
  return implicit;
}

}  // namespace trtlens
