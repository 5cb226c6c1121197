// trtexec's own lines between the banner and the timing: plugins, parsing, building, loading.
// samples/trtexec/trtexec.cpp, sampleEngines.cpp, sampleUtils.cpp; version ranges in the rows'
// comments.
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

// trtexec prints six digits. "0 MiB" is what it prints of no engine.
void set_engine_size(RunBuilder& b, std::optional<std::int64_t> bytes) {
  b.build.memory.engine_in_mib = false;
  b.build.memory.engine_bytes = bytes == 0 ? std::nullopt : bytes;
}

void on_forced_precision(RunBuilder& b, const Match& m) {
  b.build.forced_precision.push_back({m.str(0), m.str(1), m.pos});
}

constexpr LineKind kSessionKinds[] = {
    {"parse-start", "Start parsing network model\\.?", nullptr, "Start parsing network model",
     "Start parsing network model and more", kNoise | kProgress},
    {"parse-end", "Finish(?:ed)? parsing network model\\.?", nullptr,
     "Finish parsing network model", "Finishing up", kNoise},
    {"parse-end-time", "Finished parsing network model\\. Parse time: (\\S+)",
     [](RunBuilder& b, const Match& m) { b.build_stage("parse", m[0]); },
     "Finished parsing network model. Parse time: 0.0170852",
     "Finished parsing network model. Parse time: 0.0170852 and more"},
    {"plugins-standard", "Loading standard plugins", nullptr, "Loading standard plugins",
     "Loading standard plugins and more", kNoise},
    {"plugins-library", "Loading supplied plugin library: (.+)", nullptr,
     "Loading supplied plugin library: AddScalar.so", "Loading supplied plugin library: ", kKeep},
    {"plugins-skipped", Gate::prefix, "Not loading standard plugins",
     "Not loading standard plugins since (.+)", nullptr,
     "Not loading standard plugins since --versionCompatible is specified.",
     "Not loading standard plugins", kNoise},
    // 10.14+
    {"plugins-safe", Gate::prefix, "Skipping standard plugin loading",
     "Skipping standard plugin loading due to --safe flag", nullptr,
     "Skipping standard plugin loading due to --safe flag",
     "Skipping standard plugin loading due to --safe", kNoise},
    // 10.13+
    {"plugin-safety", "Registering (\\S+) for TensorRT safety\\.", nullptr,
     "Registering nvinfer1::Relu for TensorRT safety.",
     "Registering layer: Conv__25 for ONNX node: Conv__25", kNoise},
    {"plugins-vc", "Using VC plugin library (.+)", nullptr, "Using VC plugin library libvc.so",
     "Using VC plugin library ", kNoise},
    {"plugins-serialize", "Setting plugin to serialize: (.+)", nullptr,
     "Setting plugin to serialize: a.so", "Setting plugin to serialize: ", kNoise},
    // 9.0+, `Created engine with size` before or after `Engine built in` (10.13 turned them round).
    {"engine-size", "Created engine with size: ([0-9.e+]+) (MiB)",
     [](RunBuilder& b, const Match& m) {
       const auto bytes = bytes_of(m[0], m[1]);
       b.engine_is_empty = bytes == 0;
       set_engine_size(b, bytes);
     },
     "Created engine with size: 12.5744 MiB", "Created engine with size: unknown", kProgress},
    {"kernel-cpp-size", "Created kernel CPP with size: ([0-9.e+]+) MiB", nullptr,
     "Created kernel CPP with size: 1.5 MiB", "Created kernel CPP with size: 1.5", kNoise},
    {"engine-built", "Engine built in (\\S+) sec\\.",
     [](RunBuilder& b, const Match& m) { b.build.engine_build_s = finite_number(m[0]); },
     "Engine built in 8.09138 sec.", "Engine built in 8.09138 s.", kProgress},
    {"engine-loaded", "Engine loaded in (\\S+) sec\\.",
     [](RunBuilder& b, const Match& m) { b.build.engine_load_s = finite_number(m[0]); },
     "Engine loaded in 0.0204752 sec.", "Engine loaded in 0.0204752", kProgress},
    {"engine-deserialized", Gate::infix, "ngine deserialized in ",
     "(?:SafeEngine|Engine) deserialized in (\\S+) sec\\.",
     [](RunBuilder& b, const Match& m) { b.build_stage("deserialize", m[0]); },
     "Engine deserialized in 1.75066 sec.", "Plugin engine deserialized in 1.7 sec.", kProgress},
    {"engine-refitted", "Engine refitted in (\\S+) ms\\.",
     [](RunBuilder& b, const Match& m) { b.build_stage("refit", m[0], 1000); },
     "Engine refitted in 12.5 ms.", "Engine refitted in 12.5", kProgress},
    // 10.14+
    {"refit-source", Gate::prefix, "Refitting engine from ",
     "Refitting engine from ONNX model (.+)", nullptr, "Refitting engine from ONNX model m.onnx",
     "Refitting engine from m.onnx", kNoise},
    {"refit-done", Gate::prefix, "Engine successfully refitted ",
     "Engine successfully refitted from ONNX model (.+)", nullptr,
     "Engine successfully refitted from ONNX model m.onnx", "Engine successfully refitted in 12 ms",
     kNoise},
    {"jit", "JIT Compilation in (\\S+) sec\\.",
     [](RunBuilder& b, const Match& m) { b.build_stage("jit", m[0]); },
     "JIT Compilation in 1.2 sec.", "JIT Compilation in 1.2", kProgress},
    {"loaded-size-trtexec", "Loaded engine with size: ([0-9.e+]+) (MiB)",
     [](RunBuilder& b, const Match& m) { set_engine_size(b, bytes_of(m[0], m[1])); },
     "Loaded engine with size: 12.5 MiB", "Loaded engine with size: 12.5", kProgress},
    {"plan-version", "Plan was created with TensorRT version (\\S+)",
     [](RunBuilder& b, const Match& m) { b.build.plan_version = m.str(0); },
     "Plan was created with TensorRT version 10.16.1.11", "Plan was created with TensorRT version ",
     kKeep},
    {"build-route", "Using tuning build route: (.+)", nullptr, "Using tuning build route: -a=b",
     "Using tuning build route: ", kKeep},
    {"forced-precision", "Set layer (.+) to (precision \\w+)", on_forced_precision,
     "Set layer /fc/Gemm to precision fp16", "Set layer conv1 to device type DLA"},
    {"forced-device", "Set layer (.+) to device type (\\w+)", nullptr,
     "Set layer conv1 to device type DLA", "Set layer conv1 to precision fp16", kNoise},
    {"forced-output-type", "Set output (?:\\d+) of layer (.+) to (type \\w+)", on_forced_precision,
     "Set output 0 of layer /fc/Gemm to type fp16", "Set output y of layer conv1 to type fp16"},
    {"forced-skipped",
     "Skipped setting (?:precisions|output types|device types) for some layers\\..*", nullptr,
     "Skipped setting precisions for some layers. Check verbose logs for more details.",
     "Skipped setting precision for layer conv1", kKeep},
    // [V], one for each layer that the line above speaks of.
    {"forced-skipped-layer",
     "Skipped setting (?:precision|output types?|device type) for (?:layer|output) (.+)", nullptr,
     "Skipped setting precision for layer /Shape because the default layer precision is INT32.",
     "Skipped setting precisions for some layers.", kNoise},
    {"attention-decomposable", "Set attention (.+) to decomposable = (?:true|false)", nullptr,
     "Set attention a to decomposable = true", "Set attention a to decomposable =", kNoise},
    {"profile-shape",
     "Set (shape of input tensor|input shape tensor) (.+) for optimization profile (\\d+) to: "
     "MIN=(\\S+) OPT=(\\S+) MAX=(\\S+)",
     [](RunBuilder& b, const Match& m) {
       add_profile(b.build, {m.str(1), m[0][0] == 'i', shapes_of(m[2], m[3], m[4], m[5])});
     },
     "Set shape of input tensor x for optimization profile 0 to: MIN=1x1x28x28 OPT=4x1x28x28 "
     "MAX=16x1x28x28",
     "Set shape of input tensor x to: 4x1x28x28", kKeep},
    {"calibration-profile", "Set calibration profile for input tensor (.+) to (\\S+)", nullptr,
     "Set calibration profile for input tensor x to 1x3x224x224",
     "Set calibration profile for input tensor x to", kNoise},
    {"input-shape-set", "Set (?:shape of input tensor|input shape tensor) (.+) to: (.*)", nullptr,
     "Set shape of input tensor x to: 4x1x28x28", "Set layer conv1 to precision fp16", kNoise},
    {"int8-without-fp16", Gate::prefix, "FP32 and INT8 precisions have been specified",
     "FP32 and INT8 precisions have been specified - (.+)", nullptr,
     "FP32 and INT8 precisions have been specified - more performance might be enabled by "
     "additionally specifying --fp16 or --best",
     "FP32 and INT8 precisions have been specified", kKeep},
    {"timing-cache-io", Gate::infix, " cache ",
     "(Loaded|Saved) (\\d+) bytes of (?:timing )?cache (?:from|to) (?:file: )?(.*)", nullptr,
     "Loaded 107579 bytes of timing cache from model.cache", "Loaded 72 timing cache entries.",
     kNoise},
    {"timing-cache-unread",
     "Could not read (?:timing )?cache from: (.+)\\. A new (?:timing )?cache will be generated and "
     "written\\.",
     nullptr,
     "Could not read timing cache from: model.cache. A new timing cache will be generated and "
     "written.",
     "Could not read model.onnx", kKeep},
    {"file-lock", Gate::infix, "file lock", "Trying to set (?:exclusive|shared) file lock (.*)",
     nullptr, "Trying to set exclusive file lock model.cache.lock",
     "Got the file lock model.cache.lock", kNoise},
    {"sparsity-forced", "--sparsity=force pruned (\\d+) weights to be sparsity pattern\\.", nullptr,
     "--sparsity=force pruned 20 weights to be sparsity pattern.",
     "--sparsity=force pruned 20 weights to be sparsity", kKeep},
    {"tf32-notice", Gate::prefix, "TF32 is enabled by default.",
     "TF32 is enabled by default\\. Add (.+)", nullptr,
     "TF32 is enabled by default. Add --noTF32 flag to further improve accuracy with some "
     "performance cost.",
     "TF32 is enabled by default.", kNoise},
    {"cpu-only", "Setting CPU-only mode", nullptr, "Setting CPU-only mode",
     "Setting CPU-only mode and more", kNoise},
    {"strongly-typed-safety", Gate::prefix, "StronglyTyped is enabled by default",
     "StronglyTyped is enabled by default on (.+)", nullptr,
     "StronglyTyped is enabled by default on safety mode.", "StronglyTyped is enabled by default",
     kNoise},
    {"consistency", Gate::infix, "onsistency",
     "(?:Start consistency checking|Consistency validation passed)\\.", nullptr,
     "Start consistency checking.", "Start consistency", kNoise},
    {"no-device", "Cannot find (?:any available devices|device ID).*",
     [](RunBuilder& b, const Match& m) { b.message(LogSeverity::error, m.line->body, m.pos); },
     "Cannot find any available devices (GPUs)!", "Cannot find input tensor with name \"x\""},
    {"plugin-lib-needed", Gate::prefix, "The following plugin libraries were identified",
     "The following plugin libraries were identified by the parser (.+)", nullptr,
     "The following plugin libraries were identified by the parser as required for a "
     "version-compatible engine:",
     "The following plugin libraries were identified", kNoise | kOpens},
    {"plugin-lib-row", "    (\\S+\\.(?:so|dll)[0-9.]*)", nullptr, "    libmyplugin.so.1",
     "    a line of prose", kNoise},
};

}  // namespace

LineKinds kinds_of_session() {
  return kSessionKinds;
}

}  // namespace trtlens
