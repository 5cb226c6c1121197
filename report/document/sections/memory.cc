// The section on memory: what the engine holds, and what grew while it was built.
#include <fmt/format.h>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::int64_t kSmallBytes = std::int64_t{100}
                                     << 10;  // a layer with less is not worth a row

std::optional<Table> step_table(const Context& context) {
  const std::vector<MemoryStep>& steps = context.build.memory.steps;
  if (steps.empty()) return std::nullopt;
  Table table =
      table_of(context, kMemoryStepFacts, pointers_to(steps),
               {"step", "gpu_change_bytes", "cpu_change_bytes", "gpu_bytes", "cpu_bytes"});
  table.title = "Memory, step by step";
  table.name = "steps";
  table.shown = context.rows_shown(10);
  table.note =
      "GPU and CPU now: of the device and the process; of TensorRT's allocators where "
      "the step is an allocation that TensorRT manages.";
  return table;
}

std::optional<Table> layer_memory_table(const Context& context) {
  std::vector<const LayerMemory*> layers;
  for (const std::size_t i : context.analysis.memory.layers) {
    const LayerMemory& layer = context.build.memory.layers[i];
    if (layer.device_persistent_bytes + layer.scratch_bytes.value_or(0) < kSmallBytes) break;
    layers.push_back(&layer);
  }
  if (layers.empty()) return std::nullopt;
  Table table = table_of(
      context, kLayerMemoryFacts, layers,
      {label_column<LayerMemory>(&LayerMemory::layer), "scratch_bytes", "device_persistent_bytes",
       "host_persistent_bytes", name_column<LayerMemory>(&LayerMemory::layer)});
  table.title = "Layers that hold device memory, most first";
  table.shown = context.rows_shown(10);
  table.note = "Layers run one after another: scratch memory is shared, the largest one counts.";
  return table;
}

// What is largest of what the engine holds, and which step of the build took most.
std::string dominance_sentence(const Context& context) {
  const Memory& memory = context.build.memory;
  struct Part {
    const char* name;
    const std::optional<std::int64_t>& bytes;
  };
  const std::vector<Part> parts = {{"weights", memory.weights_bytes},
                                   {"activations", memory.activation_bytes},
                                   {"persistent device memory", memory.device_persistent_bytes}};
  const Part* largest = nullptr;
  std::size_t known = 0;
  for (const Part& part : parts) {
    if (!part.bytes || *part.bytes <= 0) continue;
    ++known;
    if (largest == nullptr || *part.bytes > *largest->bytes) largest = &part;
  }
  std::string text;
  if (largest != nullptr && known > 1) {
    text = fmt::format("Most of what the log names on the device while the engine runs: {}, {}.",
                       largest->name, bytes_text(*largest->bytes));
  }
  const MemoryLedger& ledger = context.analysis.memory;
  if (!ledger.steps_by_growth.empty()) {
    const MemoryStep& step = memory.steps[ledger.steps_by_growth[0]];
    text += fmt::format(
        "{}The device's used memory rose most in the step {}: by {}, other processes included.",
        text.empty() ? "" : " ", step.phase, bytes_text(step.gpu_delta_bytes));
  }
  return text;
}

}  // namespace

Section memory_section(const Context& context) {
  Section section{"memory", "Memory", {}};
  const Memory& memory = context.build.memory;
  const std::string text = dominance_sentence(context);
  section.say(text);
  FactList sizes("Sizes", "sizes");
  if (!memory.engine_in_mib) {
    add_facts(context, kMemoryFacts, memory, {"engine_bytes"}, sizes);
  } else if (!memory.engine_bytes) {
    sizes.add("Engine", "below 1 MiB");
  } else {
    sizes.add("Engine", fmt::format("{} MiB", *memory.engine_bytes >> 20U));
  }
  add_facts(context, kMemoryFacts, memory,
            {"weights_bytes", "activation_bytes", "scratch_bytes", "host_persistent_bytes",
             "device_persistent_bytes", "device_bytes", "context_bytes", "peak_cpu_bytes",
             "peak_gpu_bytes", "peak_process_cpu_bytes"},
            sizes);
  if (!sizes.facts().facts.empty()) section.add(sizes_drawing(context, sizes.facts()));
  sizes.add_to(section);
  section.add(layer_memory_table(context));
  for (Drawing& drawing : step_drawings(context)) section.add(std::move(drawing));
  section.add(step_table(context));
  return section;
}

}  // namespace trtlens
