// Which layers and which steps of the build hold the memory.
#include <algorithm>
#include <functional>

#include "analyzers/ledgers/ledgers.h"

namespace trtlens {

void fill_memory(Analysis& analysis) {
  const Memory& memory = analysis.build.memory;
  MemoryLedger& out = analysis.memory;
  const auto on_device = [&](std::size_t i) {
    return memory.layers[i].device_persistent_bytes + memory.layers[i].scratch_bytes.value_or(0);
  };
  for (std::size_t i = 0; i < memory.layers.size(); ++i) {
    if (on_device(i) > 0) out.layers.push_back(i);
  }
  std::ranges::stable_sort(out.layers, std::ranges::greater(), on_device);
  for (std::size_t i = 0; i < memory.steps.size(); ++i) {
    if (memory.steps[i].gpu_delta_bytes > 0) out.steps_by_growth.push_back(i);
  }
  std::ranges::stable_sort(out.steps_by_growth, std::ranges::greater(),
                           [&](std::size_t a) { return memory.steps[a].gpu_delta_bytes; });
  if (memory.weights_bytes && memory.activation_bytes && memory.device_persistent_bytes) {
    out.device_bytes =
        *memory.weights_bytes + *memory.activation_bytes + *memory.device_persistent_bytes;
  }
}

}  // namespace trtlens
