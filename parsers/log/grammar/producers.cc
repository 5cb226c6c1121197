// What programs around TensorRT say through its logger or in its words: Polygraphy, NVIDIA's demos
// and harnesses, jetson-inference, plugins.
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {

void on_program_warning(RunBuilder& b, const Match& m) {
  b.speaker(true);
  b.message(LogSeverity::warning, m.line->body, m.pos);
}

namespace {

void on_engine_built_by_program(RunBuilder& b, const Match& m) {
  b.build.engine_build_s = finite_number(m[0]);
}

void is_polygraphy(RunBuilder& b) {
  if (b.build.producer == "unknown") b.build.producer = "polygraphy";
}

void on_polygraphy_command(RunBuilder& b, const Match& m) {
  is_polygraphy(b);
  if (b.run.command.empty()) b.run.command = m.str(0);
}

// Polygraphy fails for any reason, such as outputs that differ.
void on_polygraphy_verdict(RunBuilder& b, const Match& m) {
  is_polygraphy(b);
  b.build.closing_line = true;
  b.run.outcome = m[0] == "PASSED" ? Outcome::passed : Outcome::failed;
}

void is_ultralytics(RunBuilder& b) {
  b.build.packages.insert("ultralytics");
}

void on_ultralytics_version(RunBuilder& b, const Match& m) {
  is_ultralytics(b);
  on_library_version(b, m);
}

void on_ultralytics_device(RunBuilder& b, const Match& m) {
  is_ultralytics(b);
  if (b.build.gpu) return;
  b.build.gpu.emplace().name = m[0];
  b.build.gpu->memory_bytes = bytes_of(m[1], "MiB");
}

// As trtexec's banner says it: the precisions among the flags of a builder's configuration.
void on_builder_flags(RunBuilder& b, std::string_view flags) {
  std::string& precision = b.build.banner["Build Options/Precision"];
  if (!precision.empty()) return;
  precision = "FP32";
  for (const char* label : {"FP16", "BF16", "INT8", "FP8", "INT4", "FP4"}) {
    const std::size_t at = flags.find(label);
    const bool whole = at != std::string_view::npos && (at == 0 || flags[at - 1] == ' ');
    if (whole) precision += std::string("+") + label;
  }
}

void on_engine_saved(RunBuilder& b, const Match& m) {
  b.engine_saved_line = m.pos.line;
}

// Of a program around TensorRT, about its failure.
void on_program_error(RunBuilder& b, const Match& m) {
  b.speaker(true);
  b.message(LogSeverity::error, m.line->body, m.pos);
}

constexpr LineKind kProducersKinds[] = {
    // Polygraphy. The options follow in a table without headers.
    {"polygraphy-command", "RUNNING \\| Command: (.+)", on_polygraphy_command,
     "RUNNING | Command: /usr/local/bin/polygraphy run m.onnx --trt", "RUNNING | Command: "},
    {"polygraphy-verdict", Gate::infix,
     " | Runtime: ", "(PASSED|FAILED) \\| Runtime: (\\S+)s \\| Command: .*", on_polygraphy_verdict,
     "PASSED | Runtime: 16.888s | Command: /usr/local/bin/polygraphy run m.onnx --trt",
     "SKIPPED | Runtime: 16.888s | Command: polygraphy run"},
    {"polygraphy-tensorrt", "Loaded Module: tensorrt +\\| Version: (\\S+) +\\| Path: .*",
     [](RunBuilder& b, const Match& m) {
       is_polygraphy(b);
       on_library_version(b, m);
     },
     "Loaded Module: tensorrt | Version: 10.16.2.5 | Path: ['/usr/lib/python3/tensorrt']",
     "Loaded Module: tensorrt_llm | Version: 1.0"},
    {"polygraphy-module", "Loaded Module: polygraphy +\\| Version: .*",
     [](RunBuilder& b, const Match&) { is_polygraphy(b); },
     "Loaded Module: polygraphy | Version: 0.49.26 | Path: ['/usr/lib/python3/polygraphy']",
     "Loaded Module: polygraphy_trtexec | Version: 0.0.9"},
    {"polygraphy-profiles", "Configuring with profiles: ?\\[.*",
     [](RunBuilder& b, const Match&) { is_polygraphy(b); }, "Configuring with profiles:[",
     "Configuring with profiles: none", kKeep | kOpens},
    {"polygraphy-options",
     "Building engine with configuration:", [](RunBuilder& b, const Match&) { is_polygraphy(b); },
     "Building engine with configuration:", "Building engine with configuration: default",
     kKeep | kOpens | kProgress},
    {"polygraphy-flags", Gate::prefix, "    Flags ", "    Flags +\\| \\[(.*)\\]",
     [](RunBuilder& b, const Match& m) { on_builder_flags(b, m[0]); },
     "    Flags                  | [FP16, INT8]", "    Flags of the builder", kBare},
    {"polygraphy-built", "Finished engine building in ([0-9.]+) seconds",
     on_engine_built_by_program, "Finished engine building in 13.793 seconds",
     "Finished engine building in time", kProgress},
    // In front of opening the file. trtexec's own "Saving engine to file failed." is an error.
    {"polygraphy-saving", "Saving engine to (?:[^f]|f[^i]|fi[^l]|fil[^e]|file[^ ]).*", nullptr,
     "Saving engine to m.engine", "Saving engine to file failed.", kNoise},
    // NVIDIA's BERT demo speaks through trt.Logger.
    {"demo-built", "build engine in ([0-9.]+) Sec", on_engine_built_by_program,
     "build engine in 112.492 Sec", "build engine in 2 minutes", kProgress},
    {"demo-config", "Using configuration file: (.+)", nullptr,
     "Using configuration file: bert_config.json", "Using configuration file: ", kKeep},
    {"demo-weights", "Found (\\d+) entries in (?:.+ )?weight map", nullptr,
     "Found 968 entries in weight map", "Found nothing in the weight map", kNoise},
    {"demo-loading-weights", "Loading weights from (.+)", nullptr,
     "Loading weights from model.ckpt", "Loading weights from ", kNoise},
    {"demo-sparsity", Gate::prefix, "Setting sparsity flag on ",
     "Setting sparsity flag on builder_config\\.", nullptr,
     "Setting sparsity flag on builder_config.", "Setting sparsity flag on builder_config. Done",
     kKeep},
    {"demo-saving", "Saving Engine to (.+)", nullptr, "Saving Engine to model.engine",
     "Saving Engine to ", kNoise},
    {"demo-done", "Done\\.?", nullptr, "Done.", "Done. Bye", kNoise},
    // TensorRT's samples, and the scripts in Python that were made of them.
    {"sample-parsing", Gate::infix, "ONNX file",
     "Loading ONNX file from path .+\\.\\.\\.|Beginning ONNX file parsing|Completed parsing of "
     "ONNX file",
     nullptr, "Completed parsing of ONNX file", "Loading ONNX file", kBare | kNoise},
    {"sample-building", Gate::infix, "n engine from file ",
     "(?:Building|Reading) an engine from file .+", nullptr,
     "Building an engine from file m.onnx; this may take a while...",
     "Building n engine from file ", kBare | kNoise},
    {"sample-intro", "Building and running a GPU inference engine(?: (?:for|of) .+)?", nullptr,
     "Building and running a GPU inference engine for Onnx MNIST",
     "Building and running a GPU inference engine?", kNoise},
    // A plugin's own line, once an instance.
    {"plugin-init", "Initializing plugin at: (\\w+)", nullptr,
     "Initializing plugin at: allocateResources", "Initializing plugin at: 0x40dd5800[enqueue]",
     kKeep},
    // TensorRT-RTX is the same library's kin with versions of its own.
    {"rtx-jit", Gate::prefix, "In JIT build, ",
     "In JIT build, strongly typed is enabled by default\\.",
     [](RunBuilder& b, const Match&) {
       if (b.build.producer == "unknown") b.build.producer = "tensorrt_rtx";
     },
     "In JIT build, strongly typed is enabled by default.",
     "In JIT build, strongly typed is disabled.", kKeep},
    // DeepStream's nvinfer takes another precision than its file asks for.
    {"deepstream-precision", Gate::infix, " mode.",
     "(?:WARNING: )?(?:\\S+\\.cpp:\\d+ )?(?:INT8 calibration file not specified|(?:INT8|FP16) not "
     "supported by "
     "platform)\\. \\w+ FP\\d+ mode\\.",
     on_program_warning, "WARNING: INT8 not supported by platform. Trying FP16 mode.",
     "Trying the fast mode.", kBare},
    // Of nvinfer, in front of the words of GStreamer.
    {"deepstream-error",
     "ERROR: (?:\\.\\./nvdsinfer/\\S+:\\d+ |nvdsinfer_\\S+:\\d+ )?(?:Deserialize engine failed "
     "from file: .*|(?i:failed to build (?:network|trt engine)).*|Build engine failed from config "
     "file.*|Failed to create network using custom network creation function.*|Could not find "
     "Custom Engine Creation "
     "Function '.*|Failed to create engine from model files|.*, nvinfer error: ?NVDSINFER_\\w+)",
     on_program_error, "ERROR: failed to build network since there is no model file matched.",
     "ERROR: cannot open the display", kBare},
    {"deepstream-no-output", Gate::infix, "Could not find output ",
     "Could not find output (?:coverage|bbox) layer for parsing objects", on_program_error,
     "Could not find output coverage layer for parsing objects",
     "Could not find output layer for parsing objects", kBare},
    {"deepstream-batch", "Backend has maxBatchSize \\d+ whereas \\d+ has been requested",
     on_program_warning, "Backend has maxBatchSize 1 whereas 2 has been requested",
     "Backend has maxBatchSize 1", kBare},
    {"deepstream-no-match", Gate::infix, " failed to match config params",
     "deserialized backend context :.* failed to match config params", on_program_error,
     "deserialized backend context :/models/m.engine failed to match config params",
     "the engine failed to match config params", kBare},
    {"deepstream-saved", Gate::infix, "serialize cuda engine to file: ",
     "(?:.*\\W)?serialize cuda engine to file: .+ successfully.*", on_engine_saved,
     "serialize cuda engine to file: /models/m.engine successfully",
     "serialize cuda engine to file: /models/m.engine failed", kBare | kNoise},
    {"deepstream-function", Gate::infix, "dlsym failed to get func ",
     ".* failed to init resource because dlsym failed to get func .* pointer", on_program_error,
     "Detect-postprocessor failed to init resource because dlsym failed to get func "
     "NvDsInferParseYolo pointer",
     "the dlsym failed to get func f", kBare},
    // TensorRT 7 in a program without a logger for it: the next lines are its source and
    // "Aborting...".
    {"sm-assertion", "Assertion failed: Unsupported SM\\.?", on_program_error,
     "Assertion failed: Unsupported SM.", "Assertion failed: Unsupported SMTP server", kBare},
    // The first line of every program that imports it, from 0.8 on.
    {"trtllm-version", Gate::prefix, "[TensorRT-LLM] ",
     "\\[TensorRT-LLM\\] TensorRT-LLM version: \\S+",
     [](RunBuilder& b, const Match&) { b.producer_seen(Producer::tensorrt_llm); },
     "[TensorRT-LLM] TensorRT-LLM version: 0.11.0",
     "[TensorRT-LLM] TensorRT-LLM version: ", kBare | kNoise},
    {"trtllm-kernel-error", "\\[TensorRT-LLM Error\\]\\[[^\\]]+\\].*", on_program_error,
     "[TensorRT-LLM Error][CutlassFp8RowwiseGemmRunner][GEMM Dispatch] Arch unsupported for "
     "CUTLASS "
     "gated GEMM",
     "[TensorRT-LLM Error][CutlassFp8", kBare},
    // Triton: why it does not serve a model.
    {"triton-refused", "failed to load '.*' version \\d+: (.*)", on_program_error,
     "failed to load 'detector' version 1: Internal: unable to create TensorRT engine",
     "failed to load 'detector'"},
    {"triton-not-loaded", "failed to load '[^']*'", nullptr, "failed to load 'detector'",
     "failed to load 'detector' at", kNoise},
    {"triton-repository", Gate::infix, "triton_err_str:", ".*Triton: failed to .*triton_err_str:.*",
     on_program_error,
     "Triton: failed to create repo server, triton_err_str:Internal, err_msg:failed to stat file "
     "/tmp/models",
     "triton_err_str:Internal", kBare},
    {"triton-server", "error: creating server: (.+)", on_program_error,
     "error: creating server: Internal - failed to load all models",
     "error: creating server: ", kBare},
    // ONNX Runtime.
    {"ort-exception", Gate::infix, "[ONNXRuntimeError] : ",
     "(?:.*\\W)?\\[ONNXRuntimeError\\] : \\d+ : \\w+ : .*(?:TRTKernel|TensorRT|Tensorrt).*",
     on_program_error,
     "EPFail: [ONNXRuntimeError] : 11 : EP_FAIL : Non-zero status code while running TRTKernel_a",
     "[ONNXRuntimeError] : 1 : FAIL : Load model failed", kBare},
    {"ort-no-provider", Gate::infix, "Failed to create TensorrtExecutionProvider",
     ".*Failed to create TensorrtExecutionProvider\\..*", on_program_warning,
     "Failed to create TensorrtExecutionProvider. Please reference its requirements.",
     "Failed to create TensorrtExecutionProvider", kBare},
    // wang-xinyu/tensorrtx and its relatives, whatever the builder returned; yolo-tensorrt.
    {"program-built", Gate::prefix, "Build", "Build engine successfully!|Building complete!?",
     [](RunBuilder& b, const Match&) { b.is_of_program = true; }, "Build engine successfully!",
     "Build engine from m.onnx", kBare | kNoise},
    {"program-saved", "Serialized plan file cached at location ?: .+", on_engine_saved,
     "Serialized plan file cached at location : model_b1_gpu0_int8.engine",
     "Serialized plan file cached at location", kBare | kNoise},
    {"ort-fallback", "EP Error .*(?:TensorRT|Tensorrt|TRT).*", on_program_warning,
     "EP Error Please install TensorRT libraries as mentioned in the GPU requirements page",
     "EP Error CUDA failure 100", kBare},
    // On Windows.
    {"ort-provider", Gate::infix, "LoadLibrary failed with error ",
     "(?:.*\\W)?LoadLibrary failed with error \\d+ .*", on_program_error,
     "LoadLibrary failed with error 126 \"\" when trying to load "
     "\"C:\\\\ort\\\\onnxruntime_providers_tensorrt.dll\"",
     "LoadLibrary failed with error 126", kBare},
    // Ultralytics.
    {"ultralytics-version",
     "TensorRT: starting export with TensorRT (\\d+\\.\\d+\\.\\d+(?:\\.\\w+)?)\\.\\.\\..*",
     on_ultralytics_version, "TensorRT: starting export with TensorRT 8.6.2...",
     "TensorRT: starting export with TensorRT as asked", kBare},
    {"ultralytics-device", "Ultralytics .* torch-\\S+ CUDA:\\d+ \\((.+), (\\d+)MiB\\).*",
     on_ultralytics_device,
     "Ultralytics YOLOv8.0.196 Python-3.8.10 torch-2.0.0 CUDA:0 (Orin, 7337MiB)",
     "Ultralytics YOLOv8.0.196 Python-3.8.10 torch-2.0.0 CPU", kBare},
    {"ultralytics-precision", "TensorRT: building (FP32|FP16|INT8) engine as .*",
     [](RunBuilder& b, const Match& m) { on_builder_flags(b, m[0]); },
     "TensorRT: building INT8 engine as model.engine", "TensorRT: building the engine",
     kBare | kKeep | kProgress},
    {"ultralytics-success", "TensorRT: export success(?: \\S+)?(?: \\d+\\.\\d+s)?, saved as .+",
     on_engine_saved, "TensorRT: export success 120.5s, saved as 'm.engine' (26.1 MB)",
     "TensorRT: export success is rare", kBare | kNoise},
    // ComfyUI, in front of the traceback of what a node raised.
    {"comfyui-exception", "!!! Exception during processing *!!!.*", nullptr,
     "!!! Exception during processing !!!", "!!! Exception during processing of a prompt",
     kBare | kNoise},
    // TensorFlow keeps the part of the graph that TensorRT did not take.
    {"tftrt-native-segment", Gate::infix, "The native segment will be used instead",
     ".*Engine creation for \\S+ failed\\. The native segment will be used instead\\..*",
     on_program_warning,
     "Engine creation for TRTEngineOp_22 failed. The native segment will be used instead. Reason: "
     "Internal: Failed to build TensorRT engine",
     "The native segment will be used instead.", kBare},
    // TAO's converter and others that parse UFF.
    {"uff-error", Gate::infix, "UffParser: ",
     "(?:\\[?ERROR\\]?:? )?UffParser: (?:(?:Validator|Parser) error|Unsupported|Could not|Graph) "
     "?.*",
     on_program_error, "UffParser: Could not read buffer.", "UffParser: parsing conv1", kBare},
    {"tao-not-parsed", Gate::infix, "Failed to parse the model, please check the encoding key",
     "(?:\\[?ERROR\\]?:? )?Failed to parse the model, please check the encoding key.*",
     on_program_error,
     "Failed to parse the model, please check the encoding key to make sure it's correct",
     "x: Failed to parse the model, please check the encoding key", kBare},
    {"etlt-not-opened", Gate::infix, "Failed to open TLT encoded model file ",
     "(?:.*\\W)?Failed to open TLT encoded model file .+", on_program_error,
     "parseModel: Failed to open TLT encoded model file /models/m.etlt",
     "Failed to open TLT encoded model file ", kBare},
    // Edge-LLM's and TensorRT-LLM's plugins, in front of TensorRT's assertion.
    {"plugin-enqueue", Gate::infix, "Plugin: enqueue failed: ", "\\w+Plugin: enqueue failed: .+",
     on_program_error, "AttentionPlugin: enqueue failed: No available kernel for the GQA",
     "Plugin: enqueue failed: no", kBare},
    // jetson-inference.
    {"jetson-version", "TensorRT version (\\d+\\.\\d+\\.\\d+)", on_library_version,
     "TensorRT version 8.5.1", "TensorRT version mismatch"},
    {"jetson-precision", Gate::infix, "precision",
     "(?:selecting fastest native|desired|native) precisions? (?:specified for|detected for|for) "
     "(\\w+): +(.+)",
     nullptr, "selecting fastest native precision for GPU:  FP16", "any native precision will do",
     kKeep},
    {"jetson-context", "CUDA engine context initialized on device (\\w+):", nullptr,
     "CUDA engine context initialized on device GPU:",
     "CUDA engine context initialized on device GPU", kNoise | kOpens},
    {"jetson-binding", "binding (\\d+)", nullptr, "binding 0", "binding to input 0 data",
     kNoise | kOpens},
};

}  // namespace

LineKinds kinds_of_producers() {
  return kProducersKinds;
}

}  // namespace trtlens
