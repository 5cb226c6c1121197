// Contexts, bindings and the timed run. samples/common/sampleInference.cpp, 7.1 to 11.1.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "parsers/log/runs/run_builder.h"
#include "parsers/log/runs/tuning.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

void on_binding(RunBuilder& b, const Match& m) {
  IoTensor io;
  io.is_input = m[0] == "input" || m[0] == "Input";
  io.tensor.name = m[1];
  read_dims(m[2], io.tensor);
  io.tensor.type = data_type_of(m.str(3));
  b.io_tensor(std::move(io));
}

// Any line may look so: it is an output when values follow.
void on_output(RunBuilder& b, const Match& m) {
  constexpr std::size_t kMaxNameBytes = 1024;
  b.section = LogSection::output_tensors;
  b.printed_output.reset();
  if (m[0].size() > kMaxNameBytes) return;
  OutputValues& output = b.printed_output.emplace();
  output.tensor.name = m[0];
  read_dims(m[1], output.tensor);
  output.pos = m.pos;
}

void count_value(OutputValues& output, std::string_view text) {
  ++output.count;
  const std::string_view word = text.substr(text.front() == '-' ? 1 : 0);
  if (word == "nan") ++output.nan;
  if (word == "inf") ++output.infinite;
  const std::optional<double> value = finite_number(text);
  if (!value) return;
  output.min = std::min(output.min.value_or(*value), *value);
  output.max = std::max(output.max.value_or(*value), *value);
}

// The section lasts until another one begins: of the one line behind a header only.
void on_output_values(RunBuilder& b, const Match& m) {
  constexpr std::size_t kMaxOutputs = 1000;
  if (!b.printed_output || b.build.outputs.size() >= kMaxOutputs) return;
  OutputValues& output = b.build.outputs.emplace_back(std::move(*b.printed_output));
  b.printed_output.reset();
  for (std::string_view rest = m[0]; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) count_value(output, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

Deserialization& deserialization(RunBuilder& b) {
  auto& one = b.build.inference.deserialization;
  return one ? *one : one.emplace();
}

void on_deserialize_total(RunBuilder& b, const Match& m) {
  Deserialization& one = deserialization(b);
  one.iterations = whole_number(m[0]);
  one.average_ms = finite_number(m[1]);
}

void on_dynamic_binding(RunBuilder& b, const Match& m) {
  IoTensor io;
  io.is_input = false;
  io.tensor.name = m[0];
  b.io_tensor(std::move(io));
}

void on_context_size(RunBuilder& b, const Match& m) {
  b.build.memory.context_bytes = bytes_of(m[0], m[1]);
}

void on_tuning_summary(RunBuilder& b, const Match& m) {
  const auto succeeded = count_of(m[0]), attempted = count_of(m[1]);
  if (!succeeded || !attempted) return;
  b.build.tuning.succeeded = succeeded;
  b.build.tuning.attempted = attempted;
}

void on_accuracy(RunBuilder& b, const Match& m) {
  std::vector<AccuracyLoss>& all = b.build.accuracy_losses;
  if (all.size() >= RunBuilder::kMaxIoTensors) {
    ++b.rows_left_out;
    return;
  }
  all.push_back({m.str(0), m.str(1), finite_number(m[2]), finite_number(m[3]), m.pos});
}

constexpr LineKind kInferenceKinds[] = {
    {"persistent-cache", "Setting persistentCacheLimit to (\\d+) bytes\\.", nullptr,
     "Setting persistentCacheLimit to 0 bytes.", "Setting persistentCacheLimit to 0", kNoise},
    {"context-size", "Created execution context with device memory size: ([0-9.e+]+) (MiB)",
     on_context_size, "Created execution context with device memory size: 1.91406 MiB",
     "Created execution context with device memory size: 1.91406", kProgress},
    {"context-size-max", Gate::infix, "evice memory",
     "(?:Maximum device memory size across all profiles|Only allocated device memory enough for "
     ".+): ([0-9.e+]+) (MiB)",
     on_context_size, "Maximum device memory size across all profiles: 1.5 MiB",
     "Device memory is insufficient to use tactic."},
    {"weight-streaming", Gate::infix, "eight streaming",
     "(?:Weight streaming (?:has been disabled|is enabled)|The weight streaming budget).*", nullptr,
     "Weight streaming has been disabled at runtime.", "Weight streaming budget", kKeep},
    {"enqueue-v3", "Using enqueueV\\d\\.", nullptr, "Using enqueueV3.", "Using enqueueV3. and more",
     kNoise},
    {"values-random", "Using (?:random values|values loaded from .+) for (?:input|output) (.*)",
     nullptr, "Using random values for input x", "Using cublas as a tactic source", kNoise},
    {"binding", "Created (input|output) binding for (.+) with dimensions (\\S*)", on_binding,
     "Created input binding for x with dimensions 1x3x48x96", "Created engine with size: 12 MiB"},
    {"binding-8.6", Gate::infix, " binding for ",
     "(Input|Output) binding for (.+) with dimensions (\\S*)(?: and type (\\w+))? is created\\.",
     on_binding, "Input binding for x with dimensions 1x1x28x28 and type fp32 is created.",
     "Input binding for x is created."},
    {"binding-dynamic", Gate::infix, " binding for ",
     "Output binding for (.+) is dynamic and will be created during execution using "
     "OutputAllocator\\.",
     on_dynamic_binding,
     "Output binding for y is dynamic and will be created during execution using "
     "OutputAllocator.",
     "Output binding for y with dimensions 1x10 is created."},
    {"graph-capture", Gate::infix, "CUDA graph",
     "(?:Capturing|Successfully captured) CUDA graph for the current execution context.*", nullptr,
     "Capturing CUDA graph for the current execution context",
     "--useCudaGraph captures a CUDA graph", kNoise},
    {"inference-start", "Starting inference(?: threads)?", nullptr, "Starting inference",
     "Starting inference soon", kNoise | kProgress},
    {"inference-skipped", Gate::prefix, "Skipped inference phase",
     "Skipped inference phase since --(buildOnly|skipInference) is added\\.", nullptr,
     "Skipped inference phase since --buildOnly is added.",
     "Skipped inference phase since --buildOnly is", kKeep | kProgress},
    // --timeDeserialize. Before 9.0 the second has no iterations and ends in "first time = 6.5.".
    {"deserialize-first", "First deserialization time = (\\S+) milliseconds",
     [](RunBuilder& b, const Match& m) { deserialization(b).first_ms = finite_number(m[0]); },
     "First deserialization time = 6.52 milliseconds", "First deserialization time = 6.52"},
    {"deserialize-total",
     "Total deserialization time = \\S+ milliseconds(?: in (\\d+) iterations)?, average time = "
     "([^ ,]+)(?: milliseconds)?, first time = .+",
     on_deserialize_total,
     "Total deserialization time = 26.4 milliseconds in 20 iterations, average time = 1.32 "
     "milliseconds, first time = 6.52 milliseconds.",
     "Total deserialization time = 26.4 milliseconds"},
    {"deserialize-bandwidth", "Deserialization Bandwidth = (\\S+) GB/s",
     [](RunBuilder& b, const Match& m) {
       deserialization(b).bandwidth_gb_per_s = finite_number(m[0]);
     },
     "Deserialization Bandwidth = 3.4 GB/s", "Deserialization Bandwidth = unknown"},
    {"deserialize-timing", "Begin deserialization (?:warmup|engine timing)\\.\\.\\.", nullptr,
     "Begin deserialization warmup...", "Begin deserialization of", kNoise},
    {"free-memory",
     "Free GPU memory = (\\S+) GiB, newly allocated GPU memory = (\\S+) GiB, total GPU memory = "
     "(\\S+) GiB",
     nullptr,
     "Free GPU memory = 10 GiB, newly allocated GPU memory = 1 GiB, total GPU memory = 11 GiB",
     "Free GPU memory = 10 GiB, newly allocated GPU memory = 1 GiB, total GPU", kNoise},
    {"profile-info", "Optimization Profile Information:", nullptr,
     "Optimization Profile Information:", "Optimization Profile Information: and more", kNoise},
    {"profile-info-row",
     "Model input (.+) \\(profile (\\d+)\\): min=(\\S+), opt=(\\S+), max=(\\S+)",
     [](RunBuilder& b, const Match& m) {
       add_profile(b.build, {m.str(0), false, shapes_of(m[1], m[2], m[3], m[4])});
     },
     "Model input x (profile 0): min=1x1x28x28, opt=4x1x28x28, max=16x1x28x28",
     "Model input x (profile 0): min=1x1x28x28, opt=4x1x28x28,", kKeep},
    {"raw-dump", "Dumping I/O Bindings to RAW Files:", nullptr,
     "Dumping I/O Bindings to RAW Files:", "Dumping I/O Bindings to RAW Files: and more", kNoise},
    {"raw-dump-row", "Writing file for (?:input|output) binding .*", nullptr,
     "Writing file for output binding y (with datatype fp32 and dimensions 1.10) to "
     "y.output.1.10.fp32.raw",
     "Writing file for output binding", kNoise},
    {"output-tensors",
     "Output Tensors:", [](RunBuilder& b, const Match&) { b.section = LogSection::output_tensors; },
     "Output Tensors:", "Output Tensors: and more", kNoise},
    // --dumpOutput: a header line "y: (1x10)", then one line of values.
    {"output-header", Gate::suffix, ")", "(.+): \\(([0-9x]*)\\)", on_output, "y: (1x10)",
     "y (1x10)"},
    {"output-values", Gate::prefix, "", "((?:-?(?:[0-9][0-9.e+-]*|inf|nan) ?)+)", on_output_values,
     "-0.0518188 0.000385761 1 2", "0.5 volts", 0, LogSection::output_tensors},
    // --dumpRefit: the layer and the role of its weights.
    {"refit-row", Gate::suffix, " Kernel", "(\\S(?:.*\\S)?) Kernel", nullptr, "conv1 Kernel",
     " Kernel", kNoise},
    {"refit-row-bias", Gate::suffix, " Bias", "(\\S(?:.*\\S)?) Bias", nullptr, "conv1 Bias",
     " Bias", kNoise},
    {"refit-row-scale", Gate::suffix, " Scale", "(\\S(?:.*\\S)?) Scale", nullptr, "bn1 Scale",
     " Scale", kNoise},
    {"refit-row-shift", Gate::suffix, " Shift", "(\\S(?:.*\\S)?) Shift", nullptr, "bn1 Shift",
     " Shift", kNoise},
    {"refit-row-constant", Gate::suffix, " Constant", "(\\S(?:.*\\S)?) Constant", nullptr,
     "gamma Constant", " Constant", kNoise},
    // 11.1, --tuneBuildRoutes.
    {"tuning-iteration", "Tuning iteration \\[(\\d+)\\]: (.*)",
     [](RunBuilder& b, const Match& m) { add_tuning_iteration(b.build.tuning, m[0], m[1], m.pos); },
     "Tuning iteration [3]: -knob=a -other=b", "Tuning iteration [last]: -a=b", kKeep | kProgress},
    {"tuning-summary", "Tuning summary: (\\d+) / (\\d+) iterations succeeded\\.", on_tuning_summary,
     "Tuning summary: 2 / 3 iterations succeeded.", "Tuning summary: 2 of 3 iterations",
     kKeep | kProgress},
    {"tuning-timeout", Gate::prefix, "Tuning timeout reached",
     "Tuning timeout reached \\(([0-9.]+)s\\); stopping early\\.",
     [](RunBuilder& b, const Match& m) { b.build.tuning.timeout_s = finite_number(m[0]); },
     "Tuning timeout reached (60s); stopping early.",
     "Tuning timeout reached (never); stopping early.", kKeep | kProgress},
    {"tuning", "Tuning (?:phase\\d: \\d+ iterations\\.|timeout reached .*|summary: .*)", nullptr,
     "Tuning phase1: 12 iterations.", "Tuning the engine", kKeep | kProgress},
    {"tuning-routes", "Expanded to (\\d+) build route configurations?",
     [](RunBuilder& b, const Match& m) {
       if (const auto routes = count_of(m[0])) b.build.tuning.routes = routes;
     },
     "Expanded to 12 build route configurations", "Expanded to 4 build route", kKeep},
    {"tuning-mixed", "Mixed search: (\\d+) positive knobs identified; entering phase 2\\.", nullptr,
     "Mixed search: 3 positive knobs identified; entering phase 2.",
     "Mixed search: 3 positive knobs identified; entering phase", kKeep},
    {"tuning-best", "Best iteration: (.*) \\(gpu_time_ms=(\\S+)\\)",
     [](RunBuilder& b, const Match& m) { add_tuning_best(b.build.tuning, m[0], m[1]); },
     "Best iteration: -match_ragged_mha=on (gpu_time_ms=0.51)", "Best iteration: -a=b",
     kKeep | kProgress},
    {"tuning-failed", "Iteration \\[(\\d+)\\] failed: (.*)",
     [](RunBuilder& b, const Match& m) { add_tuning_failure(b.build.tuning, m[0], m[1], m.pos); },
     "Iteration [3] failed: no engine", "Iteration [3] passed", kKeep},
    {"tuning-none", Gate::prefix, "No tuning iteration succeeded",
     "No tuning iteration succeeded; no engine written\\.", nullptr,
     "No tuning iteration succeeded; no engine written.", "No tuning iteration succeeded", kKeep},
    {"tuning-dry-run", "\\[(\\d+)\\]:(-\\S.*)", nullptr, "[0]:-a=b -c=d",
     "[6] creator && \"Plugin not found\"", kNoise},
    {"accuracy",
     "Accuracy loss for tensor (.+) \\((\\w+)\\): (\\S+)(?: \\[FAIL: >= threshold (\\S+)\\])?.*",
     on_accuracy, "Accuracy loss for tensor T (L2): 0.001234 [FAIL: >= threshold 0.001000]",
     "Accuracy loss for tensor T: 0.001234", kKeep},
};

}  // namespace

LineKinds kinds_of_inference() {
  return kInferenceKinds;
}

}  // namespace trtlens
