// Other lines of the library: plugins, shared libraries, tactic sources, versions. Mostly without
// facts.
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {

void on_library_version(RunBuilder& b, const Match& m) {
  if (b.build.tensorrt) return;
  b.build.tensorrt = version_of(m[0], {});
  if (b.build.tensorrt) b.build.tensorrt->source = VersionSource::log;
}

namespace {

constexpr LineKind kLibraryKinds[] = {
    {"plugin-registered", "Registered plugin creator - (\\S+) version (\\S+)", nullptr,
     "Registered plugin creator - ::BatchedNMS_TRT version 1",
     "Registered plugin creator - ::Clip_TRT", kNoise},
    {"plugin-known", "Plugin creator (?:already registered|registration succeeded) - (.*)", nullptr,
     "Plugin creator already registered - ::Clip_TRT version 1",
     "Plugin creator not found - ::Clip_TRT", kNoise},
    {"plugin-unregistered", "Could not register plugin creator ?[-:] +(.*)", nullptr,
     "Could not register plugin creator -  ::FlattenConcat_TRT version 1",
     "Could not register plugin creator", kNoise},
    {"plugin-registered-6", Gate::prefix, "Plugin Creator registration succeeded",
     "Plugin Creator registration succeeded - (.*)", nullptr,
     "Plugin Creator registration succeeded - GridAnchor_TRT",
     "Plugin Creator registration succeeded", kNoise},
    {"plugin-registry", "Local registry (did not find|found) (.+) creator\\..*", nullptr,
     "Local registry did not find Conv creator. Will try parent registry if enabled.",
     "Local registry is empty", kNoise},
    {"plugin-global", "Global registry (did not find|found) (.+) creator\\..*", nullptr,
     "Global registry did not find Conv creator. Will try parent registry if enabled.",
     "Global registry is empty", kNoise},
    // Where nothing else tells the version: Python and other programs print none.
    {"library-version", Gate::infix, "shared library libnvinfer",
     "(?:Trying to load|Loaded) shared library libnvinfer\\w*\\.so\\.(\\d+\\.\\d+\\.\\d+)",
     on_library_version, "Trying to load shared library libnvinfer_builder_resource.so.8.5.1",
     "Trying to load shared library libnvinfer.so"},
    {"library-loading", Gate::infix, "shared library ",
     "(?:Trying to load|Loaded|Unloaded|Unable to load) shared library (.*)", nullptr,
     "Trying to load shared library libcudnn.so.8", "The shared library libcudnn.so.8", kNoise},
    {"lazy-loading", "CUDA lazy loading is enabled\\.?", nullptr, "CUDA lazy loading is enabled.",
     "CUDA lazy loading is enabled for x", kNoise},
    {"lazy-loading-off", Gate::prefix, "CUDA lazy loading is not enabled",
     "CUDA lazy loading is not enabled\\..*", nullptr,
     "CUDA lazy loading is not enabled. Enabling it can significantly reduce device memory usage.",
     "CUDA lazy loading is not enabled yet", kKeep},
    // 8.0 "Using cublas a tactic source", 8.2 "… as a …", 8.5 "Using cuDNN as plugin …".
    {"tactic-source", "Using .* tactic source", nullptr, "Using cublas a tactic source",
     "Using random values for input x", kNoise},
    {"gemm-op", "Using opA: (\\d) opB: (\\d)(?: alpha: .*)?", nullptr, "Using opA: 0 opB: 1",
     "Using opA: 0 opB:", kNoise},
    {"gemm-gemm", "GEMM: (.+)", nullptr, "GEMM: using FC layer instead of MM", "GEMM: ", kNoise},
    {"conv-dims", "Convolution (?:input|output) dimensions: .*", nullptr,
     "Convolution input dimensions: (1, 3, 224, 224)", "Convolution of 3 channels", kNoise},
    {"original-shape", Gate::prefix,
     "Original shape: ", "Original shape: \\(.*\\), (?:un)?squeezing to: \\(.*\\)", nullptr,
     "Original shape: (_, 1, 28), unsqueezing to: (_, _, _, _)",
     "Original shape: (_, 1, 28), unsqueezing to: (_, _, _,", kNoise},
    {"squeeze", Gate::infix, "queezing", "(?:Un)?[Ss]queezing .*|.* unsqueezing to: .*", nullptr,
     "Unsqueezing from (1, 28) to (1, 28, 1)", "A squeezing feeling", kNoise},
    {"fp8-fusions", Gate::prefix, "Enabling FP8 fusions", "Enabling FP8 fusions at (.+)", nullptr,
     "Enabling FP8 fusions at optimization level 5", "Enabling FP8 fusions", kNoise},
    {"tactic-source-off", "Disabling unused tactic source: (.+)", nullptr,
     "Disabling unused tactic source: CUBLAS, CUBLAS_LT",
     "Disabling unused tactic source: ", kNoise},
    {"self-attention",
     "Found (?:.+ to be part of self-attention pattern\\.|and reassigned Myelin backends for "
     "Self-Attention nodes)",
     nullptr, "Found /blocks/Softmax to be part of self-attention pattern.", "Found nothing",
     kNoise},
    {"replacing", "Replacing (.+)", nullptr, "Replacing slice wiliSlice1-0 with copy from a to b",
     "Replacing ", kNoise},
    {"transposing", "Transposing (.+)", nullptr, "Transposing the dimensions of Add-1 and constant",
     "Transposing ", kNoise},
    {"block-phase", Gate::suffix, "block assignment.", "(?:Pre-o|O)ptimized block assignment\\.",
     nullptr, "Pre-optimized block assignment.", "Some block assignment.", kNoise},
    {"alive", "STILL ALIVE: (.+)", nullptr, "STILL ALIVE: Started step 1 of 3",
     "STILL ALIVE: ", kNoise | kProgress},
    {"serializing-cache", "Serializing (.+)", nullptr, "Serializing timing cache. UUID = GPU-1",
     "Serializing ", kNoise},
    // A plugin of TensorRT-LLM and its like, through the library's logger.
    {"internal-flags", "InternalBuildFlags::(k\\w+) (.+)", nullptr,
     "InternalBuildFlags::kENABLE_INTERNAL_MYELIN_TESTING is enabled", "InternalBuildFlags::none",
     kNoise},
    {"backend-mode", "Compiler backend (is used during engine .+|convergence .+)", nullptr,
     "Compiler backend convergence mode enabled", "Compiler backend not found", kNoise},
    {"logger-differs", "The logger passed into (\\w+) differs from .+", nullptr,
     "The logger passed into createInferBuilder differs from one already provided",
     "The logger passed into createInferBuilder differs from", kNoise},
    {"gpu-arch", Gate::prefix, "Target GPU", "Target GPU (.*)", nullptr,
     "Target GPU architecture: sm90", "Target GPUs", kNoise},
    {"tf32-off", Gate::prefix, "BuilderFlag::kTF32 is set but ",
     "BuilderFlag::kTF32 is set but hardware does not support TF32\\. Disabling TF32\\.", nullptr,
     "BuilderFlag::kTF32 is set but hardware does not support TF32. Disabling TF32.",
     "BuilderFlag::kTF32 is set but hardware does not support TF32. Disabling", kKeep},
    // Contexts beyond the first of a profile, in programs of several streams.
    {"no-default-profile", "Could not set default profile (\\d+) for execution context\\. .*",
     nullptr,
     "Could not set default profile 0 for execution context. Profile index must be set explicitly.",
     "Could not set default profile 0 for execution", kKeep},
    {"profile-switch", Gate::infix, "optimization profile",
     "(?:Switching optimization profile from: -?\\d+ to -?\\d+|Current optimization profile is: "
     "\\d+)\\. Please ensure there are no enqueued operations pending in this context prior to "
     "switching profiles",
     nullptr,
     "Switching optimization profile from: 0 to 1. Please ensure there are no enqueued operations "
     "pending in this context prior to switching profiles",
     "Setting the optimization profile", kKeep},
    {"max-batch-note", Gate::prefix, "The getMaxBatchSize() function ",
     "The getMaxBatchSize\\(\\) function should not be used with an engine built from a network "
     "created with NetworkDefinitionCreationFlag::kEXPLICIT_BATCH flag\\..*",
     nullptr,
     "The getMaxBatchSize() function should not be used with an engine built from a network "
     "created "
     "with NetworkDefinitionCreationFlag::kEXPLICIT_BATCH flag. This function will always return "
     "1.",
     "The getMaxBatchSize() function should not be used with an engine built from", kNoise},
    // Torch-TensorRT prints its own steps through the same logger.
    {"torch-evaluating", Gate::prefix, "Evaluating %", "Evaluating (%\\S+) : .+", nullptr,
     "Evaluating %6 : bool = prim::Constant[value=1]()", "Evaluating %6", kNoise},
    {"torch-value", "Found the value to be(?:: | a ).+", nullptr, "Found the value to be: True",
     "Found the value to be", kNoise},
    {"torch-layer", "Adding Layer (%.+) \\(ctx\\.AddLayer\\)", nullptr,
     "Adding Layer %9 : Tensor = aten::relu(%0) (ctx.AddLayer)", "Adding Layer conv1", kNoise},
    {"torch-node-input", Gate::prefix, "Node input is a",
     "Node input is (?:an already converted tensor|a result of a previously evaluated value)",
     nullptr, "Node input is an already converted tensor", "Node input is a list", kNoise},
    // Same kinds also as [W]: the reader keeps warnings as messages by itself.
    {"onnx-int64", Gate::infix, "with INT64 weights",
     "(?:.*: )?Your ONNX model has been generated with INT64 weights.*", nullptr,
     "onnx2trt_utils.cpp:377: Your ONNX model has been generated with INT64 weights, while "
     "TensorRT "
     "does not natively support INT64. Attempting to cast down to INT32.",
     "A model with INT64 weights", kKeep},
    {"engine-other-device", Gate::prefix, "Using an engine plan file across different models",
     "Using an engine plan file across different models of devices is not recommended.*", nullptr,
     "Using an engine plan file across different models of devices is not recommended and is "
     "likely to affect performance or even cause errors.",
     "Using an engine plan file across different models", kKeep},
    {"linked-against", "TensorRT was linked against (.+) (\\S+) but loaded (.+) (\\S+)", nullptr,
     "TensorRT was linked against cuDNN 8.9.6 but loaded cuDNN 8.9.2",
     "TensorRT was linked against cuDNN 8.9.6 but loaded cuDNN", kKeep},
    {"cuda-init", Gate::prefix, "CUDA initialization failure",
     "CUDA initialization failure with error: (\\d+).*", nullptr,
     "CUDA initialization failure with error: 35. Please check your CUDA installation",
     "CUDA initialization failure with error:", kKeep},
};

}  // namespace

LineKinds kinds_of_library() {
  return kLibraryKinds;
}

}  // namespace trtlens
