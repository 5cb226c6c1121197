// Errors of the library and of trtexec. Their texts become messages; the message rules judge them.
#include "parsers/log/runs/run_builder.h"

namespace trtlens {

void on_error(RunBuilder& b, const Match& m) {
  const LogSeverity severity = m.line->severity;
  if (severity == LogSeverity::unknown) b.speaker(true);
  b.message(severity == LogSeverity::unknown ? LogSeverity::error : severity, m.line->body, m.pos);
}

namespace {

// Library messages of severity W, E and F are kept by the reader whether a row matches or not;
// these rows exist so that they count as recognised, and for the continuation lines behind them.
constexpr LineKind kErrorsKinds[] = {
    // ErrorRecorder, 8.0+: "Error[2]: [file.cpp::f::259] Error Code 2: Internal Error (…)", no
    // [TRT].
    {"error-recorder", "Error\\[(\\d+)\\]: (.*)", on_error,
     "Error[2]: [convBaseBuilder.cpp::createConvolution::259] Error Code 2: Internal Error "
     "(Assertion failed)",
     "Error[two]: text", kOpens | kBare},
    {"error-code", Gate::infix, "Error Code ",
     "(?:\\d{1,2}: )?(?:\\[\\w+\\.\\w+::\\S+\\] |I[A-Z]\\w+::\\w+: )?Error Code (\\d+): (.*)",
     on_error,
     "10: [optimizer.cpp::computeCosts::2033] Error Code 10: Internal Error (Could not find any "
     "implementation for node X.)",
     "it ended with Error Code 10: Internal Error", kOpens | kBare},
    {"error-code-inside", Gate::infix, "Error Code", "(.*)Error Code:? ?(\\d+):? ?(.*)", nullptr,
     "The build ended with Error Code 2: Internal Error (Assertion failed)", "Error Code none",
     kOpens | kKeep},
    {"engine-plan-file", Gate::infix, "The engine plan file is ",
     "(?:[\\w.-]{1,32}: )?(?:\\d{1,2}: )?The engine plan file is .*", on_error,
     "6: The engine plan file is generated on an incompatible device, expecting compute 7.2 got "
     "compute 7.5, please rebuild.",
     "read The engine plan file is here", kOpens | kBare},
    {"onnxruntime-engine", Gate::infix, "TensorRT EP failed to ",
     ".*TensorRT EP failed to (?:create engine|build engine|deserialize).*", on_error,
     "TensorRT EP failed to create engine from network for fused node: N",
     "TensorRT EP failed to start", kBare},
    // 6.x and 7.x: "../builder/tacticOptimizer.cpp (3142) - Misc Error in f: -1 (…)"
    {"error-7", Gate::infix, " Error in ", "(.*) - (\\w+) Error in (\\w+): (-?\\d+) ?(.*)", nullptr,
     "../builder/myelin/codeGenerator.cpp (396) - Myelin Error in compileGraph: 64",
     "An Error in the text", kOpens | kKeep},
    {"cuda-failure", "Cuda failure(?: at .*)?: (.*)",
     [](RunBuilder& b, const Match& m) { b.message(LogSeverity::error, m.line->body, m.pos); },
     "Cuda failure: out of memory", "Cuda failures: none", kBare},
    {"trtexec-failure", Gate::infix, "ailed",
     "(?:Engine could not be created from network|Building engine failed|Failed to create engine "
     "from model(?: or file)?\\.|Engine (?:set up|creation|deserialization) failed|Parsing model "
     "failed|Failed to parse (?:onnx|caffe|uff) file|Network And Config setup failed|Network "
     "creation failed|Builder creation failed|Saving engine to file failed\\.|Inference set up "
     "failed|.*Failed to parse ONNX model from file: .*)",
     nullptr, "Engine set up failed", "Something else failed", kKeep},
    {"trtexec-engine-failure", Gate::prefix, "Engine could not be created",
     "Engine could not be created from network", nullptr,
     "Engine could not be created from network", "Engine could not be created from", kKeep},
    {"trtexec-errors", Gate::prefix, "E",
     "(?:Error opening engine file: .*|Error occurred during inference|Engine is empty\\. Nothing "
     "to deserialize!)",
     nullptr, "Error opening engine file: model.plan", "Engine built in 8.1 sec.", kKeep},
    {"unknown-option", "Unknown option: (.+)", nullptr,
     "Unknown option: --exportLayerInfo layers.json", "Unknown option: ", kKeep},
    {"uncaught", "Uncaught exception detected: (.+)", nullptr,
     "Uncaught exception detected: std::bad_alloc",
     "Uncaught exception detected: ", kOpens | kKeep},
    {"no-input", Gate::prefix, "Cannot find input tensor with name ",
     "Cannot find input tensor with name \"(.*)\" in the network inputs!.*", nullptr,
     "Cannot find input tensor with name \"x\" in the network inputs! Please make sure the input "
     "tensor names are correct.",
     "Cannot find input tensor with name x", kKeep},
    {"no-dla", Gate::prefix, "Cannot create DLA engine",
     "Cannot create DLA engine, (.*) not available", nullptr,
     "Cannot create DLA engine, 0 not available", "Cannot create DLA engine, 0 not", kKeep},
    {"static-shapes", Gate::prefix, "Static model does not take explicit shapes",
     "Static model does not take explicit shapes since (.+)", nullptr,
     "Static model does not take explicit shapes since the shape of inference tensors will be "
     "determined by the model itself",
     "Static model does not take explicit shapes since", kKeep},
    {"shapes-overridden",
     "Dynamic dimensions required for input: (.+), but no shapes were provided\\. Automatically "
     "overriding shape to: (\\S+)",
     nullptr,
     "Dynamic dimensions required for input: x, but no shapes were provided. Automatically "
     "overriding shape to: 1x1x28x28",
     "Dynamic dimensions required for input: x", kKeep},
    {"no-wide-implementation", "No non-int8 implementation of layer .+", on_error,
     "No non-int8 implementation of layer resize1 is supported.",
     "No non-int8 implementation of layer ", kBare},
    // The samples' logger up to 7.x prints "ERROR: text": these texts say that it is TensorRT's.
    {"old-invalid-argument", "INVALID_ARGUMENT: .+", on_error,
     "INVALID_ARGUMENT: getPluginCreator could not find plugin ScatterND version 1",
     "INVALID_ARGUMENT: "},
    {"old-calibration", Gate::prefix, "Calibration failure occur",  // "occured" up to TensorRT 6
     "Calibration failure occurr?ed with no scaling factors detected\\..*", nullptr,
     "Calibration failure occurred with no scaling factors detected. This could be due to no int8 "
     "calibrator or insufficient custom scales for network layers.",
     "Calibration failure occurred in layer 3"},
    {"old-calibrator", Gate::prefix, "Calibrator is not being used",
     "Calibrator is not being used\\..*", nullptr,
     "Calibrator is not being used. Users must provide dynamic range for all tensors",
     "Calibrator is not being used by this layer"},
    {"old-no-output", "Network must have at least one output", nullptr,
     "Network must have at least one output", "Network must have at least one output of type FP32"},
    {"old-network", "Network validation failed\\.?", nullptr, "Network validation failed.",
     "Network validation failed at layer 3"},
    {"old-parameter-check", "Parameter check failed at: \\S+, condition: .*", nullptr,
     "Parameter check failed at: engine.cpp::enqueue::387, condition: bindings != nullptr",
     "Parameter check failed at: engine.cpp", 0},
    {"old-cuda-error", "Get cuda error during \\S+.*", nullptr,
     "Get cuda error during getBestTactic: conv1", "Get cuda error during ", 0},
};

}  // namespace

LineKinds kinds_of_errors() {
  return kErrorsKinds;
}

}  // namespace trtlens
