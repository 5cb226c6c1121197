// What the log says of memory: TensorRT's allocators, the engine, its layers. Bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsers/model/diagnostic.h"

namespace trtlens {

struct MemoryStep {
  std::string phase;
  std::int64_t cpu_delta_bytes = 0, gpu_delta_bytes = 0;
  std::optional<std::int64_t> cpu_now_bytes, gpu_now_bytes;
  SourcePos pos;
};

// "Layer: X Host Persistent: 1664 Device Persistent: 5120 Scratch Memory: 0"
struct LayerMemory {
  std::string layer;
  std::int64_t host_persistent_bytes = 0, device_persistent_bytes = 0;
  std::optional<std::int64_t> scratch_bytes;
};

// "Tactic: 0x… skipped. Scratch requested: 524800, available: 104857"
struct WorkspaceRefused {
  std::int64_t tactics = 0;                      // skipped for what they asked for
  std::int64_t least_bytes = 0, most_bytes = 0;  // asked for by one of them
  std::int64_t available_bytes = 0;              // at the last of them
};

struct Memory {
  std::optional<std::int64_t> engine_bytes;
  // The log prints the engine's size in whole MiB, rounded down; without engine_bytes it is
  // below 1.
  bool engine_in_mib = false;
  std::optional<std::int64_t> weights_bytes, activation_bytes, scratch_bytes;
  std::optional<std::int64_t> host_persistent_bytes, device_persistent_bytes;
  std::optional<std::int64_t> peak_cpu_bytes,
      peak_gpu_bytes;  // of TensorRT's allocators, while building
  std::optional<std::int64_t> context_bytes;
  std::optional<std::int64_t> peak_process_cpu_bytes;  // building and serialization
  std::optional<WorkspaceRefused> workspace_refused;
  std::vector<MemoryStep> steps;
  std::vector<LayerMemory> layers;
};

}  // namespace trtlens
