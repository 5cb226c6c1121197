// Errors of the library and of trtexec. Their texts become messages; the message rules judge them.
#include <iterator>

#include "parsers/log/run_builder.h"

namespace trtlens {
namespace {

// Library messages of severity W, E and F are kept by the reader whether a row matches or not;
// these rows exist so that they count as recognised, and for the continuation lines behind them.
constexpr LineKind kKinds[] = {
    // ErrorRecorder, 8.0+: "Error[2]: [file.cpp::f::259] Error Code 2: Internal Error (…)", no
    // [TRT].
    {"error-recorder", Gate::prefix, "Error[", "Error\\[(\\d+)\\]: (.*)", nullptr,
     "Error[2]: [convBaseBuilder.cpp::createConvolution::259] Error Code 2: Internal Error "
     "(Assertion failed)",
     kOpens | kKeep},
    {"error-code", Gate::infix, "Error Code", "(.*)Error Code:? ?(\\d+):? ?(.*)", nullptr,
     "10: [optimizer.cpp::computeCosts::2033] Error Code 10: Internal Error (Could not find any "
     "implementation for node X.)",
     kOpens | kKeep},
    // 6.x and 7.x: "../builder/tacticOptimizer.cpp (3142) - Misc Error in f: -1 (…)"
    {"error-7", Gate::infix, " Error in ", "(.*) - (\\w+) Error in (\\w+): (-?\\d+) ?(.*)", nullptr,
     "../builder/myelin/codeGenerator.cpp (396) - Myelin Error in compileGraph: 64",
     kOpens | kKeep},
    {"cuda-failure", Gate::prefix, "Cuda failure", "Cuda failure(?: at .*)?: (.*)",
     [](RunBuilder& b, const Match& m) { b.message(LogSeverity::error, m.line->body, m.pos); },
     "Cuda failure: out of memory", kBare},
    {"trtexec-failure", Gate::infix, "ailed",
     "(?:Engine could not be created from network|Building engine failed|Failed to create engine "
     "from model(?: or file)?\\.|Engine (?:set up|creation|deserialization) failed|Parsing model "
     "failed|Failed to parse (?:onnx|caffe|uff) file|Network And Config setup failed|Network "
     "creation failed|Builder creation failed|Saving engine to file failed\\.|Inference set up "
     "failed|.*Failed to parse ONNX model from file: .*)",
     nullptr, "Engine set up failed", kKeep},
    {"trtexec-engine-failure", Gate::prefix, "Engine could not be created",
     "Engine could not be created from network", nullptr,
     "Engine could not be created from network", kKeep},
    {"trtexec-errors", Gate::prefix, "E",
     "(?:Error opening engine file: .*|Error occurred during inference|Engine is empty\\. Nothing "
     "to deserialize!)",
     nullptr, "Error opening engine file: model.plan", kKeep},
    {"unknown-option", Gate::prefix, "Unknown option: ", "Unknown option: (.+)", nullptr,
     "Unknown option: --exportLayerInfo layers.json", kKeep},
    {"uncaught", Gate::prefix, "Uncaught exception detected: ", "Uncaught exception detected: (.+)",
     nullptr, "Uncaught exception detected: std::bad_alloc", kOpens | kKeep},
    {"no-input", Gate::prefix, "Cannot find input tensor with name ",
     "Cannot find input tensor with name \"(.*)\" in the network inputs!.*", nullptr,
     "Cannot find input tensor with name \"x\" in the network inputs! Please make sure the input "
     "tensor names are correct.",
     kKeep},
    {"no-dla", Gate::prefix, "Cannot create DLA engine",
     "Cannot create DLA engine, (.*) not available", nullptr,
     "Cannot create DLA engine, 0 not available", kKeep},
    {"static-shapes", Gate::prefix, "Static model does not take explicit shapes",
     "Static model does not take explicit shapes since (.+)", nullptr,
     "Static model does not take explicit shapes since the shape of inference tensors will be "
     "determined by the model itself",
     kKeep},
    {"shapes-overridden", Gate::prefix, "Dynamic dimensions required for input: ",
     "Dynamic dimensions required for input: (.+), but no shapes were provided\\. Automatically "
     "overriding shape to: (\\S+)",
     nullptr,
     "Dynamic dimensions required for input: x, but no shapes were provided. Automatically "
     "overriding shape to: 1x1x28x28",
     kKeep},
};

}  // namespace

LineKinds kinds_of_errors() {
  return {kKinds, std::size(kKinds)};
}

}  // namespace trtlens
