// Memory while building and running; engine sizes; timing caches. Closed source, 7.x to 10.16.
// Units: MiB where printed, else bytes (from 10.11 on with " bytes").
#include <utility>

#include "parsers/log/grammar/line_kind.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// "164", "-4" or "+157".
std::int64_t mib(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  constexpr std::int64_t kLimit = std::int64_t{1} << 40;  // more is no size of a memory
  const std::int64_t count = whole_number(text).value_or(0);
  return count > -kLimit && count < kLimit ? count * kMiB : 0;
}

// Far beyond any of TensorRT's.
constexpr std::size_t kMaxPhaseBytes = 1024;

// A step for every engine and context that is made: no log has as many.
void add_step(RunBuilder& b, MemoryStep step) {
  constexpr std::size_t kMaxSteps = 20000;
  if (b.build.memory.steps.size() < kMaxSteps) {
    b.build.memory.steps.push_back(std::move(step));
  } else {
    ++b.rows_left_out;
  }
}

void on_change(RunBuilder& b, const Match& m) {
  MemoryStep step;
  step.phase = m[0].substr(0, kMaxPhaseBytes);
  step.cpu_delta_bytes = mib(m[1]);
  step.gpu_delta_bytes = mib(m[2]);
  step.cpu_now_bytes = mib(m[3]);
  step.gpu_now_bytes = mib(m[4]);
  step.pos = m.pos;
  add_step(b, std::move(step));
  // 8.2 to 9.x
  if (m[0] == "TensorRT-managed allocation in building engine") b.phase = BuildPhase::built;
}

void on_snapshot(RunBuilder& b, const Match& m) {
  MemoryStep step;
  step.phase = m[0].substr(0, kMaxPhaseBytes);
  step.cpu_now_bytes = mib(m[1]);
  step.gpu_now_bytes = mib(m[2]);
  step.pos = m.pos;
  add_step(b, std::move(step));
}

void on_peak(RunBuilder& b, const Match& m) {
  b.build.memory.peak_cpu_bytes = mib(m[0]);
  b.build.memory.peak_gpu_bytes = mib(m[1]);
  b.phase = BuildPhase::built;
}

void on_total(RunBuilder& b, const Match& m) {
  // ≤ 8.4 prints a meaningless activation total at [V] before the allocation.
  if (m.line->severity == LogSeverity::verbose && m[0] == "Activation") return;
  const auto bytes = whole_number(m[1]);
  Memory& memory = b.build.memory;
  if (m[0] == "Host Persistent") memory.host_persistent_bytes = bytes;
  if (m[0] == "Device Persistent") memory.device_persistent_bytes = bytes;
  if (m[0] == "Scratch") memory.scratch_bytes = bytes;
  if (m[0] == "Activation") memory.activation_bytes = bytes;
  if (m[0] == "Weights") memory.weights_bytes = bytes;
}

void on_layer_memory(RunBuilder& b, const Match& m) {
  LayerMemory memory;
  memory.layer = m[0];
  memory.host_persistent_bytes = whole_number(m[1]).value_or(0);
  memory.device_persistent_bytes = whole_number(m[2]).value_or(0);
  if (!m[3].empty()) memory.scratch_bytes = whole_number(m[3]);
  b.layer_memory(std::move(memory));
}

void on_timing_cache(RunBuilder& b, const Match& m) {
  const auto entries = count_of(m[0]), hits = count_of(m[1]);
  if (!entries || !hits) return;
  // A log of several builders has one line each.
  b.build.timing_cache_entries = entries;
  b.build.timing_cache_hits = hits;
}

void on_loaded(RunBuilder& b, const Match& m) {
  // Rounded down to MiB: the exact size of `Created engine with size` stays when it is known.
  Memory& memory = b.build.memory;
  if (memory.engine_bytes || memory.engine_in_mib) return;
  memory.engine_in_mib = true;
  if (const std::int64_t bytes = mib(m[0]); bytes > 0) memory.engine_bytes = bytes;
}

void on_generated(RunBuilder& b, const Match& m) {
  b.build_stage("engine generation", m[0]);
  b.passes.completed();
}

void on_deserialized(RunBuilder& b, const Match& m) {
  b.build_stage("library deserialize", m[0], 1e6);
}

// A loaded engine has no "Total … Persistent Memory" of a builder: these say the same of it.
void on_runner_memory(RunBuilder& b, const Match& m) {
  Memory& memory = b.build.memory;
  std::optional<std::int64_t>& slot =
      m[0] == "host" ? memory.host_persistent_bytes : memory.device_persistent_bytes;
  if (!slot && !m[1].empty()) slot = whole_number(m[2]);
}

constexpr LineKind kMemoryKinds[] = {
    {"memory-change",
     "\\[MemUsageChange\\] (.+): CPU ([+-]\\d+), GPU ([+-]\\d+), now: CPU (\\d+), GPU (\\d+) "
     "\\(MiB\\)",
     on_change, "[MemUsageChange] Init CUDA: CPU +157, GPU +0, now: CPU 164, GPU 619 (MiB)",
     "[MemUsageChange] Init CUDA: CPU 157, GPU 0, now: CPU 164, GPU 619 (MiB)", kProgress},
    {"memory-snapshot", "\\[MemUsageSnapshot\\] (.+): CPU (\\d+) MiB, GPU (\\d+) MiB", on_snapshot,
     "[MemUsageSnapshot] Builder begin: CPU 189 MiB, GPU 619 MiB",
     "[MemUsageSnapshot] Builder begin: CPU 189 MiB", kProgress},
    {"memory-peak", Gate::prefix, "[MemUsageStats] ",
     "\\[MemUsageStats\\] Peak memory usage of TRT CPU/GPU memory allocators: CPU (\\d+) MiB, GPU "
     "(\\d+) MiB",
     on_peak,
     "[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: CPU 6 MiB, GPU 37 MiB",
     "[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 1655 MiB",
     kProgress},
    {"memory-peak-engine", Gate::prefix, "[MemUsageStats] ",
     "\\[MemUsageStats\\] Peak memory usage during Engine building and serialization: CPU: (\\d+) "
     "MiB",
     [](RunBuilder& b, const Match& m) { b.build.memory.peak_process_cpu_bytes = mib(m[0]); },
     "[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 1655 MiB",
     "[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: CPU 6 MiB, GPU 37 MiB",
     kKeep},
    {"block-assignment",
     "\\[BlockAssignment\\] (?:Algorithm (\\w+) took (\\S+)ms to assign (\\d+) blocks to (\\d+) "
     "nodes requiring (\\d+) bytes\\.|Started assigning block shifts.*)",
     [](RunBuilder& b, const Match& m) {
       if (const auto bytes = whole_number(m[4])) b.build.memory.activation_bytes = bytes;
     },
     "[BlockAssignment] Algorithm ShiftNTopDown took 0.01442ms to assign 2 blocks to 5 nodes "
     "requiring 125440 bytes.",
     "[BlockAssignment] Algorithm X took long"},
    {"memory-total", Gate::infix, " Memory: ",
     "(?:Total|Max) (Host Persistent|Device Persistent|Scratch|Activation|Weights) Memory: "
     "(-?\\d+)(?: bytes)?",
     on_total, "Total Device Persistent Memory: 6656", "Total Host Persistent Memory: many"},
    {"layer-memory",
     "Layer: (.*?)(?: Weights: \\d+)? Host ?Persistent: (\\d+)(?: bytes)? Device ?Persistent: "
     "(\\d+)(?: bytes)?(?: Scratch Memory: (\\d+)(?: bytes)?)?",
     on_layer_memory,
     "Layer: Conv-1 + ReLU-2 Host Persistent: 1664 Device Persistent: 5120 Scratch Memory: 0",
     "Layer: Conv_0 Host Persistent: many", kDeferred | kVerbose},
    {"layer-memory-skipped",
     "Skipped printing memory information for (\\d+) layers with 0 memory size.*", nullptr,
     "Skipped printing memory information for 6 layers with 0 memory size i.e. Host Persistent + "
     "Device Persistent + Scratch Memory == 0.",
     "Skipped printing memory information for 6 layers with 0 memory", kNoise},
    {"runner-memory", Gate::infix, " memory",
     "Total per-runner (device|host)( persistent)? memory is (\\d+)", on_runner_memory,
     "Total per-runner device persistent memory is 22528", "Total per-layer memory is 7", kBare},
    {"activation-allocated",
     "Allocated (?:activation|device scratch) (?:device )?memory of size (\\d+)",
     [](RunBuilder& b, const Match& m) {  // trtexec says it from 9.0 on only
       if (!b.build.memory.context_bytes) b.build.memory.context_bytes = whole_number(m[0]);
     },
     "Allocated activation device memory of size 38535680",
     "Allocated persistent device memory of size 4608", kBare},
    {"persistent-allocated", Gate::prefix, "Allocated persistent ",
     "Allocated persistent device memory of size (\\d+)", nullptr,
     "Allocated persistent device memory of size 4608",
     "Allocated persistent device memory of size", kNoise | kBare},
    {"persistent-assigned", Gate::prefix, "Assigned persistent memory blocks",
     "Assigned persistent memory blocks for various profiles", nullptr,
     "Assigned persistent memory blocks for various profiles",
     "Assigned persistent memory blocks for various", kNoise | kBare},
    {"runner-scratch", "- Runner scratch: (\\d+) bytes", nullptr, "- Runner scratch: 2876416 bytes",
     "- Runner scratch: 2876416", kNoise | kBare},
    {"engine-loaded-size", "Loaded engine size: (\\d+) Mi?B", on_loaded,
     "Loaded engine size: 19 MiB", "Loaded engine size: 6.5 MiB", kProgress | kBare},
    {"deserialize-time", "Deserialization required (\\d+) microseconds\\.", on_deserialized,
     "Deserialization required 20104 microseconds.", "Deserialization required 1.5 seconds.",
     kProgress | kBare},
    // 7.0 and older.
    {"deserialize-time-7", "Deserialize required (\\d+) microseconds\\.", on_deserialized,
     "Deserialize required 1554865 microseconds.", "Deserialize required 1554865",
     kProgress | kBare},
    {"engine-generation-6", Gate::prefix, "Data initialization and engine generation ",
     "Data initialization and engine generation completed in (\\S+) seconds\\.", on_generated,
     "Data initialization and engine generation completed in 0.0410 seconds.",
     "Data initialization and engine generation completed in 0.0410", kProgress},
    {"engine-generation", "Engine generation completed in (\\S+) seconds\\.", on_generated,
     "Engine generation completed in 3.98 seconds.", "Engine generation completed in 3.98 sec.",
     kProgress},
    {"timing-cache-end",
     "Deleting timing cache: (\\d+) entries, (?:served )?(\\d+) hits(?: since creation\\.)?",
     on_timing_cache, "Deleting timing cache: 72 entries, served 0 hits since creation.",
     "Deleting timing cache: 72 entries"},
    // 7.x
    {"timing-cache-end-7", Gate::prefix,
     "Builder timing cache: ", "Builder timing cache: created (\\d+) entries, (\\d+) hit\\(s\\)",
     on_timing_cache, "Builder timing cache: created 115 entries, 415 hit(s)",
     "Builder timing cache: created 115 entries, 415"},
    {"timing-cache-use", Gate::infix, " timing cache in use",
     "(?:Local|Global) timing cache in use\\..*", nullptr,
     "Local timing cache in use. Profiling results in this builder pass will not be stored.",
     "No timing cache in use", kKeep},
    {"timing-cache-disabled", Gate::prefix, "Timing cache disabled", "Timing cache disabled\\..*",
     nullptr, "Timing cache disabled. Turning it on will improve builder speed.",
     "Timing cache disabled", kKeep},
    {"loaded-cache",
     "Loaded (\\d+) (?:timing cache entries|bytes of (?:compilation|code generator) cache)\\.?",
     nullptr, "Loaded 1 timing cache entries.", "Loaded engine size: 6 MiB", kNoise},
    {"serialized-cache",
     "Serialized (\\d+) (?:timing cache )?(?:bytes of code generator cache|"
     "entries|bytes of compilation cache|timing cache entries).*",
     nullptr, "Serialized 170 timing cache entries", "Serialized engine", kNoise},
    {"plan-adding", "Adding (\\d+) engine(?: weights)?\\(s\\) to plan file\\.", nullptr,
     "Adding 1 engine(s) to plan file.", "Adding reformat layer: x", kNoise},
    {"kernel-finalize", "Finalize: (.*) Set kernel index: (\\d+)(?: .*)?", nullptr,
     "Finalize: Conv_0 Set kernel index: 2", "Finalize: Conv_0", kNoise | kVerbose},
    {"kernel-count", "Kernel: (\\d+) (\\S+)", nullptr, "Kernel: 0 CASK_STATIC",
     "Kernel: CASK_STATIC", kNoise | kVerbose},
    {"generators", "Total number of (.*): (\\d+)", nullptr,
     "Total number of generated kernels selected for the engine: 3", "Total number of queries",
     kNoise},
};

}  // namespace

LineKinds kinds_of_memory() {
  return kMemoryKinds;
}

}  // namespace trtlens
