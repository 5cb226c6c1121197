// Decides by the words of the error and by what the log shows before it.
#include "analyzers/rules/failed_phase.h"

#include <algorithm>
#include <initializer_list>

#include "analyzers/text.h"

namespace trtlens {
namespace {

// "…runtime.cpp::~Runtime::346] … Destroying a runtime before destroying deserialized engines".
bool is_of_destructor(const std::string& text) {
  return text.find("::~") != std::string::npos;
}

// "myelinCache.cpp::…::deserialize::62] … unknown graph": without a cache the build goes on.
bool is_of_timing_cache(const std::string& text) {
  return text.find("myelinCache") != std::string::npos;
}

// Whether TensorRT's errors name any of these functions.
bool errors_name(const Build& build, std::initializer_list<std::string_view> functions) {
  return std::ranges::any_of(build.messages, [&](const Message& message) {
    return message.severity >= LogSeverity::error && message.of_tensorrt &&
           !is_of_destructor(message.text) && !is_of_timing_cache(message.text) &&
           has_word(message.text, functions);
  });
}

// Whether the log shows an engine that was being built.
bool is_of_build(const Build& build) {
  return build.options.has("onnx") || !build.onnx_nodes.empty() || build.tactics_timed > 0 ||
         build.last_timed || build.engine_build_s ||
         errors_name(build,
                     {"uildSerializedNetwork", "uildEngine", "uildCudaEngine", "[builder.cpp",
                      "uild engine", "ModelImporter", "create_network", "calibrateEngine"});
}

// Whether what is left, neither loaded nor run, may have been a build: trtexec builds unless it is
// told to load, and who speaks of a network, its nodes or tactics had one.
bool may_be_of_build(const Build& build, const std::string& error) {
  const std::initializer_list<std::string_view> words = {
      "uilder",    "onnx",     "ONNX",    "etwork", "arser",  "actic",  "alibrat", "for node",
      "for layer", "imension", "uilding", "plugin", "Plugin", "rofile", "kINT8"};
  return !build.command.empty() || has_word(error, words) ||
         std::ranges::any_of(build.messages, [&](const Message& message) {
           return message.severity >= LogSeverity::error && has_word(message.text, words);
         });
}

}  // namespace

FailedPhase failed_phase(const Build& build, const std::string& error, std::string_view cause) {
  // 11.1 compares the outputs of an engine that ran.
  if (errors_name(build, {"Accuracy validation FAILED"})) {
    return build.options.has("loadEngine") ? FailedPhase::run : FailedPhase::after_build;
  }
  if (errors_name(build, {"Error occurred during inference"})) {  // trtexec's last words
    return build.options.has("onnx") ? FailedPhase::after_build : FailedPhase::run;
  }
  if (cause == "outputs-differ") return FailedPhase::run;  // Polygraphy runs what it built
  if (is_of_build(build)) {
    // trtexec 10 times a build that gave nothing: "Created engine with size: 0 MiB".
    const bool is_empty = errors_name(build, {"Attempting to access an empty engine"});
    return build.engine_was_built() && !is_empty ? FailedPhase::after_build : FailedPhase::build;
  }
  // "Loaded engine size" stands in front of the check of what was loaded.
  const bool was_loaded = build.engine_load_s || build.knows_layers();
  const std::initializer_list<std::string_view> loads = {
      "eserialize",       "parsePlan",          "verifyHeader",
      "rchiveReader",     "engine plan file",   "ersion tag does not match",
      "failed to load '", "createInferRuntime", "creating server"};
  const bool is_refused = errors_name(build, loads) ||
                          (!is_of_destructor(error) && has_word(error, loads)) ||
                          is_one_of(cause, {"engine-of-other-release", "engine-of-other-gpu",
                                            "engine-file-damaged", "lean-runtime-not-usable"});
  if (build.options.has("loadEngine")) {
    return was_loaded && !is_refused ? FailedPhase::run : FailedPhase::load;
  }
  if (is_refused) return FailedPhase::load;
  // What is installed does not fit together: no build had begun.
  if (build.command.empty() &&
      is_one_of(cause, {"library-missing", "libraries-of-two-releases",
                        "onnxruntime-without-tensorrt", "python-package-missing"})) {
    return FailedPhase::unknown;
  }
  // A program, or a session of ONNX Runtime, that did not even start.
  if (has_word(error, {"No module named", "ImportError", "symbol lookup error", "EP option"})) {
    return FailedPhase::unknown;
  }
  // Calls of the execution context.
  const bool is_run =
      is_one_of(cause, {"shape-outside-engine", "tensor-without-buffer", "ranks-not-connected"}) ||
      has_word(error, {"setInputShape", "setBindingDimensions", "nqueue", "xecute",
                       "xecutionContext", "resolveSlots", "Model missing", "world size",
                       "cudaSetDevice", "before destroying"});
  if (build.engine_was_built() || is_run) return FailedPhase::run;
  return may_be_of_build(build, error) ? FailedPhase::build : FailedPhase::unknown;
}

const char* what_failed(FailedPhase phase) {
  return name_of<FailedPhase::run>(
      phase, {"The program failed", nullptr, "The run failed behind the build",
              "The engine was not loaded", "The run failed"});
}

}  // namespace trtlens
