// Facts on memory: of the engine, its layers, the steps of the build.
#include "report/facts/facts.h"

namespace trtlens {

const FactsOf<LayerMemory> kLayerMemoryFacts{
    "layer_memory",
    {{"layer", kText, "its name", kFrom<&LayerMemory::layer>},
     {"scratch_bytes", kBytes.or_null(), "layers run one after another: the largest one counts",
      kFrom<&LayerMemory::scratch_bytes>, as_number("Scratch")},
     {"device_persistent_bytes", kBytes, "held on the GPU between queries",
      kFrom<&LayerMemory::device_persistent_bytes>, as_number("Persistent")},
     {"host_persistent_bytes", kBytes, "held on the host between queries",
      kFrom<&LayerMemory::host_persistent_bytes>, as_number("Persistent, host")}}};

const FactsOf<MemoryStep> kMemoryStepFacts{
    "memory_step",
    {{"step", kText, "as the log names it", kFrom<&MemoryStep::phase>, as_prose("Step")},
     {"gpu_change_bytes", kBytes, "below 0 where memory was freed",
      kFrom<&MemoryStep::gpu_delta_bytes>, as_number("GPU change")},
     {"cpu_change_bytes", kBytes, "below 0 where memory was freed",
      kFrom<&MemoryStep::cpu_delta_bytes>, as_number("CPU change")},
     {"gpu_bytes", kBytes.or_null(), "held after the step, by the device or TensorRT's allocators",
      kFrom<&MemoryStep::gpu_now_bytes>, as_number("GPU now")},
     {"cpu_bytes", kBytes.or_null(), "held after the step, by the process or TensorRT's allocators",
      kFrom<&MemoryStep::cpu_now_bytes>, as_number("CPU now")},
     {"line", kCount, "of the log", [](const MemoryStep& step) { return step.pos.line; }}}};

namespace {

// The layers of the ledger.
std::vector<const LayerMemory*> layers_by_memory(const Analysis& a, const Memory& memory) {
  std::vector<const LayerMemory*> layers;
  for (const std::size_t i : a.memory.layers) layers.push_back(&memory.layers[i]);
  return layers;
}

}  // namespace

const FactsOf<Memory> kMemoryFacts{
    "memory",
    {{"engine_bytes", kBytes.or_null(),
      "rounded down to MiB where only TensorRT's own line says it; null below 1 MiB",
      kFrom<&Memory::engine_bytes>, as_label("Engine")},
     {"weights_bytes", kBytes.or_null(), "of the engine", kFrom<&Memory::weights_bytes>,
      as_label("Weights")},
     {"activation_bytes", kBytes.or_null(), "of the engine, scratch included",
      kFrom<&Memory::activation_bytes>, as_label("Activations")},
     {"scratch_bytes", kBytes.or_null(), "of the layer that needs most",
      kFrom<&Memory::scratch_bytes>, as_label("Scratch")},
     {"host_persistent_bytes", kBytes.or_null(), "of all layers",
      kFrom<&Memory::host_persistent_bytes>, as_label("Persistent, host")},
     {"device_persistent_bytes", kBytes.or_null(), "of all layers",
      kFrom<&Memory::device_persistent_bytes>, as_label("Persistent, device")},
     {"device_bytes", kBytes.or_null(),
      "weights + activations + persistent; null unless all are known",
      [](const Analysis& a, const Memory&) { return a.memory.device_bytes; },
      as_label("Weights, activations and persistent, device")},
     {"context_bytes", kBytes.or_null(), "of the execution context", kFrom<&Memory::context_bytes>,
      as_label("Execution context")},
     {"peak_gpu_bytes", kBytes.or_null(), "of TensorRT's allocators, while building",
      kFrom<&Memory::peak_gpu_bytes>, as_label("Peak while building, TensorRT's allocators, GPU")},
     {"peak_cpu_bytes", kBytes.or_null(), "of TensorRT's allocators, while building",
      kFrom<&Memory::peak_cpu_bytes>, as_label("Peak while building, TensorRT's allocators, host")},
     {"peak_process_cpu_bytes", kBytes.or_null(), "while building and serializing",
      kFrom<&Memory::peak_process_cpu_bytes>, as_label("Peak while building, process, host")},
     {"layers", kLayerMemoryFacts, "that hold device memory, most first", kFrom<layers_by_memory>},
     {"steps", kMemoryStepFacts, "of the log: what they changed, what was held then",
      kFrom<&Memory::steps>}}};

}  // namespace trtlens
