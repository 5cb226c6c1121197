// A log and JSON exports in which every field of a Build has a value. They are templates: @ is a
// digit that tells the sources apart.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"

namespace trtlens {

inline std::string with_digit(std::string text, char digit) {
  for (char& c : text) {
    if (c == '@') c = digit;
  }
  return text;
}

// One line each behind its prefix: I trtexec's, N and V TensorRT's, L the same some seconds later,
// W a warning, R none.
inline std::string log_of(const std::string& lines, const std::string& arguments, char digit) {
  static const std::map<char, std::string> prefixes = {
      {'I', "[07/07/2026-02:11:00] [I] "},       {'N', "[07/07/2026-02:11:00] [I] [TRT] "},
      {'V', "[07/07/2026-02:11:00] [V] [TRT] "}, {'L', "[07/07/2026-02:11:0@] [V] [TRT] "},
      {'W', "[07/07/2026-02:11:00] [W] "},       {'R', ""}};
  const std::string program = " TensorRT.trtexec [TensorRT v10@003] [b12@] # trtexec " + arguments;
  std::string text = "&&&& RUNNING" + program + "\n";
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    text += prefixes.at(lines[at]) + lines.substr(at + 2, end - at - 1);
    at = end + 1;
  }
  return with_digit(text + "&&&& PASSED" + program + "\n", digit);
}

inline const std::string kLogLines = R"(I|=== Model Options ===
I|Format: ONNX
I|Model: m@.onnx
I|=== Build Options ===
I|Precision: FP32+FP16
I|=== Inference Options ===
I|Batch: 1@
I|Inference Streams: 2@
I|Optimization Profile Index: 3@
I|CUDA Graph: Enabled
I|Data transfers: Enabled
I|Spin-wait: Enabled
I|=== Device Information ===
I|Selected Device: GPU @
I|Compute Capability: @.5
I|SMs: 10@
I|Device Global Memory: 2@ MiB
I|Memory Bus Width: 30@ bits (ECC enabled)
I|Application Compute Clock Rate: 1.4@ GHz
I|Application Memory Clock Rate: 1.5@ GHz
I|
I|TensorRT version: 10.@.3
I|Plan was created with TensorRT version 10.@.4.5
I|Set shape of input tensor x for optimization profile @ to: MIN=1x@ OPT=2x@ MAX=3x@
I|Set input shape tensor s for optimization profile @ to: MIN=4x@ OPT=5x@ MAX=6x@
I|Finished parsing network model. Parse time: 0.0@
I|Set layer forced@ to precision fp16
V|Adding network input: x with dtype: float32, dimensions: (-1, 3)
V|Parsing node: node@ [Conv]
V|node@ [Conv] inputs: [x -> (-1, 3)[FLOAT]], 
V|node@ [Conv] outputs: [y@ -> (4, @)[HALF]], 
V|Original: 4@ layers
V|Missing scale and zero-point for tensor scale@, expect fall back to non-int8 implementation for any layer consuming or producing given tensor
V|Rejecting some int8 implementation of layer int8@ due to missing int8 scales for tensor t@ at output index 0
V|ConvReluFusion@: Fusing left@ with right@
V|Swap the layer type of Q@ from QUANTIZE to kQDQ
V|Adding reformat layer: Reformatted Input Tensor 0 to r@ (rt@) from Float(@,1) to Half(@,1)
V|For layer loose@ a non-conforming implementation was chosen than was requested i.e. x
V|Default DLA is enabled but layer dla@ is not supported on DLA, falling back to GPU.
V|[DlaLayer] {ForeignNode[place@]}
V|[MS] Number of aux streams is 5@
V|[MS] Number of total worker streams is 6@
V|=============== Computing costs for {ForeignNode[fc@...act@]}
V|ForeignNode {ForeignNode[fc@...act@]} metadata: [ONNX Layer: fc@][ONNX Layer: act@]
V|*************** Autotuning format combination: Half(@,1) -> Half(@,1) ***************
V|--------------- Timing Runner: {ForeignNode[fc@...act@]} (Myelin[0x80000023])
V| (foreignNode) Set user's cuda kernel library
V| (foreignNode) Autotuning op fc_@: [ONNX Layer: fc@][ONNX Layer: act@]
V| (foreignNode) Sorted table of all evaluated tactics:
V| (foreignNode) tactic_id, cost(in ms), cost/fastest_cost, prediction_correlation, kernel_name, tactic_hash, tunable_parameter, conv_w2c_input_fold
V| (foreignNode)   30, 0.0@5, 1.00000, 5986.98955, kernel_a@, 0x4d, , 0
V| (foreignNode) 1007, 0.0@6, 1.02118, 1.69915, kernel_b@, 0x51, , 0
V|Tactic: 0x0000000000000000 Time: 0.0101
V|>>>>>>>>>>>>>>> Chose Runner Type: Myelin Tactic: 0x0000000000000000
V|=============== Computing costs for conv1
V|*************** Autotuning format combination: Float(@,1) -> Float(@,1) ***************
V|--------------- Timing Runner: conv1 (CaskConvolution[0x80000009])
V|Tactic Name: sm80_a@ Tactic: 0x0a@ Time: 0.7@
V|Tactic Name: sm80_b@ Tactic: 0x0b@ Time: 0.5@
V|Tactic Name: sm80_d@ Tactic: 0x0d@ Time: inf
V|conv1 (CaskConvolution[0x80000009]) profiling completed in 0.@ seconds. Fastest Tactic: 0x0b@ Time: 0.5@
V|Skipping CaskFlattenConvolution: No valid tactics for conv1
L|>>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x0b@
V|cached@ [Float(@,1) -> Float(@,1)] got cached result: CaskPooling, tactic 0xdd@, 0.03@ ms
V|=============== Computing reformatting costs
V|*************** Autotuning Reformat: Float(@,1) -> Half(@,1) ***************
V|--------------- Timing Runner: Optimizer Reformat(x -> <out>) (Reformat[0x80000006])
L|Tactic: 0x00000000000003e8 Time: 0.00@
L|Optimizer Reformat(x -> <out>) (Reformat[0x80000006]) profiling completed in 0.1@ seconds. Fastest Tactic: 0x00000000000003e8 Time: 0.00@
V|Deleting timing cache: 7@ entries, served 8@ hits since creation.
V|[MemUsageChange] Step@: CPU +1@, GPU +2@, now: CPU 3@, GPU 4@ (MiB)
V|[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: CPU 5@ MiB, GPU 6@ MiB
V|[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 7@ MiB
V|Total Host Persistent Memory: 100@
V|Total Device Persistent Memory: 200@ bytes
V|Max Scratch Memory: 300@ bytes
N|Total Activation Memory: 400@
N|Total Weights Memory: 500@ bytes
V|Layer: conv1 Host Persistent: 60@ Device Persistent: 70@ Scratch Memory: 80@
V|Engine Layer Information:
R|Layer(CaskConvolution): conv1, Tactic: 0xb@, x (Float[1,@]) -> y (Half[2,@])
I|Loaded engine size: 9 MiB
I|Engine built in 8.@ sec.
I|Created engine with size: 9.@ MiB
I|Engine loaded in 0.2@ sec.
I|Created execution context with device memory size: 1.@ MiB
I|First deserialization time = 6.@ milliseconds
I|Total deserialization time = 26.4 milliseconds in 2@ iterations, average time = 1.@ milliseconds, first time = 6.52 milliseconds.
I|Deserialization Bandwidth = 3.@ GB/s
I|Expanded to 1@ build route configurations
I|Tuning iteration [@]: -a=b@
I|Iteration [@] failed: why@
I|Tuning timeout reached (6@s); stopping early.
I|Best iteration: -a=b@ (gpu_time_ms=0.3@)
I|Tuning summary: 2@ / 3@ iterations succeeded.
I|Layer Information:
R|Name: conv1, LayerType: CaskConvolution@, Inputs: [ { Name: x, Location: Device, Dimensions: [1,@], Format/Datatype: Int8 }], Outputs: [ { Name: y, Location: Device, Dimensions: [2,@], Format/Datatype: Half }], ParameterType: Convolution@, Origin: QDQ@, Kernel: [3,@], Stride: [4,@], OutMaps: 5@, Groups: 6@, Weights: {"Type": "Half", "Count": 7@}, Bias: {"Type": "Float", "Count": 8@}, HasSparseWeights: 1, Activation: RELU@, PluginType: plug@, TacticName: sm80_tactic@, TacticValue: 0xc@, StreamId: 9@, Metadata: [ONNX Layer: meta@]
I|Warmup completed 10@ queries over 200 ms
I|Timing trace has 20@ queries over 3.00013 s
I|=== Trace details ===
I|Trace averages of 10 runs:
I|Average on 10 runs - GPU latency: 0.@5 ms - Host latency: 0.@6 ms (enqueue 0.@7 ms)
I|=== Performance summary ===
I|Throughput: 30@ qps
I|Latency: min = 1.0@ ms, max = 1.3@ ms, mean = 1.2@ ms, median = 1.1@ ms, percentile(99%) = 1.4@ ms
I|End-to-End Host Latency: min = 2.0@ ms, max = 2.3@ ms, mean = 2.2@ ms, median = 2.1@ ms, percentile(99%) = 2.4@ ms
I|Enqueue Time: min = 3.0@ ms, max = 3.3@ ms, mean = 3.2@ ms, median = 3.1@ ms, percentile(99%) = 3.4@ ms
I|H2D Latency: min = 4.0@ ms, max = 4.3@ ms, mean = 4.2@ ms, median = 4.1@ ms, percentile(99%) = 4.4@ ms
I|GPU Compute Time: min = 5.0@ ms, max = 5.3@ ms, mean = 5.2@ ms, median = 5.1@ ms, percentile(99%) = 5.4@ ms
I|D2H Latency: min = 6.0@ ms, max = 6.3@ ms, mean = 6.2@ ms, median = 6.1@ ms, percentile(99%) = 6.4@ ms
I|Total Host Walltime: 7.0@ s
I|Total GPU Compute Time: 7.1@ s
W|* GPU compute time is unstable, with coefficient of variance = 1.@%.
I|Output Tensors:
I|y: (1x4)
I|-0.@ nan inf 2.@
I|Accuracy loss for tensor y (L@): 0.01@ [FAIL: >= threshold 0.00@]
I|The engine uses 1@ auxiliary streams, so the "Total" latency may not be accurate because some layers may have run in parallel!
I|=== Profile (40@ iterations ) ===
I|   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer
I|      31.4@       0.007@       0.006@     100.0   conv1
I|       2.2@       0.005@       0.004@      10.0   copy [profile 1]
I|      33.6@       0.012@       0.010@     100.0   Total
I|
W|* Throughput may be bound by Enqueue Time rather than GPU Compute @.
W|Skip layer timing collection in CUDA graph capture mode. @
V|(Sparsity) Found 8@ layer(s) eligible to use sparse tactics: sparse@
V|(Sparsity) Chose 9@ layer(s) using sparse tactics: sparse@
V|Tactic: 0xe@ skipped. Scratch requested: 9@, available: 5@
)";

// Names a layer and says nothing else.
inline const std::string kBareLogLines = R"(I|Layer Information:
R|Layers:
R|conv1
R|
R|Bindings:
)";

inline const std::string kNamesJson =
    R"({"Layers": ["conv1", "copy [profile 1]"], "Bindings": []})";

inline const std::string kLayersJson = R"({"Layers": [{
  "Name": "conv1", "LayerType": "CaskConvolution@", "ParameterType": "Convolution@", "Origin": "QDQ@",
  "Inputs": [{"Name": "x", "Dimensions": [1,@], "Format/Datatype": "Int8"}],
  "Outputs": [{"Name": "y", "Dimensions": [2,@], "Format/Datatype": "Half"}],
  "Kernel": [3,@], "Stride": [4,@], "OutMaps": 5@, "Groups": 6@, "HasSparseWeights": 1,
  "Weights": {"Type": "Half", "Count": 7@}, "Bias": {"Type": "Float", "Count": 8@},
  "Activation": "RELU@", "PluginType": "plug@", "TacticName": "sm80_tactic@",
  "TacticValue": "0xc@", "StreamId": 9@, "Metadata": "[ONNX Layer: meta@]"
}], "I/O Tensors": [
  {"Name": "x", "IOMode": "Input", "DataType": "Float", "Format": "(Linear) @", "Dimensions": [-1,@],
   "ProfileInfo": [{"MinShape": [1,@], "OptShape": [2,@], "MaxShape": [3,@]},
                   {"MinShape": [4,@], "OptShape": [5,@], "MaxShape": [6,@]}]}]})";

inline const std::string kProfileJson = R"([{"count": 50@},
{"name": "conv1", "timeMs": 5.1@, "averageMs": 0.51@, "medianMs": 0.52@, "percentage": 90},
{"name": "copy [profile 1]", "timeMs": 5.3@, "averageMs": 0.53@, "medianMs": 0.54@, "percentage": 10}])";

inline const std::string kTimesJson = R"([{"startEnqMs": 2.5, "endEnqMs": 2.8@, "startH2dMs": 2.1@,
  "endH2dMs": 2.5, "startComputeMs": 2.5, "endComputeMs": 3.5, "startD2hMs": 3.5, "endD2hMs": 3.75,
  "h2dMs": 0.4@, "computeMs": 1.1@, "d2hMs": 0.2@, "latencyMs": 1.8@}])";

inline const std::string kOutputJson =
    R"([{"name": "z", "dimensions": "1x@", "values": [-3.@, "nan", "inf", 4.@]}])";

inline const std::string kTunerJson =
    R"({"tuner_version": "1.0", "searching_algorithm": "mixed@", "tuning_expr": "-a=on|off@", "accuracy_algorithm": "L@", "command_line": "trtexec --tune@"}
{"iter": 1, "build_route": "-a=b1", "crash": true, "error_message": "boom@", "accuracy_loss": {"y": 0.5@}, "accuracy_failed": true, "gpu_time": 1.2@}
)";

inline const std::string kMetadataJson = R"({"performance_summary": {"Throughput": "60@ qps",
  "Latency": [1.0@, 1.3@, 1.2@, 1.1@, 1.4@], "GPU Compute Time": [5.0@, 5.3@, 5.2@, 5.1@, 5.4@],
  "Enqueue Time": [3.0@, 3.3@, 3.2@, 3.1@, 3.4@], "H2D Latency": [4.0@, 4.3@, 4.2@, 4.1@, 4.4@],
  "D2H Latency": [6.0@, 6.3@, 6.2@, 6.1@, 6.4@], "Total Host Walltime": 7.0@,
  "Total GPU Compute Time": "7.1@ s"},
  "build_options": {"Precision": "FP32+FP16+INT8"}, "model_options": {"Model": "m@.onnx"},
  "inference_options": {"Batch": "Explicit", "Input inference shape": "u=3x@"},
  "device_information": {"Selected Device": "GPU 1", "Compute Capability": "@.5", "SMs": "10@",
    "Device Global Memory": "2@ MiB", "Memory Bus Width": "30@", "Compute Clock Rate": "1.4@ GHz",
    "Memory Clock Rate": "1.5@ GHz"}})";

// Of a version that did not say its number, and of one that says it late; what the engine's size is
// rounded to, and that the layers have names only.
inline const std::string kOldBuildLog =
    "&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m.onnx --saveEngine=m.plan\n"
    "[07/07/2026-02:11:00] [I] Engine built in 8 sec.\n"
    "&&&& PASSED TensorRT.trtexec # trtexec --onnx=m.onnx --saveEngine=m.plan\n";
inline const std::string kNewTimingLog =
    "&&&& RUNNING TensorRT.trtexec # trtexec --loadEngine=m.plan\n"
    "[07/07/2026-02:11:00] [I] TensorRT version: 8.6.1\n"
    "[07/07/2026-02:11:00] [I] [TRT] Loaded engine size: 7 MiB\n"
    "[07/07/2026-02:11:00] [I] [TRT] The profiling verbosity was set to "
    "ProfilingVerbosity::kLAYER_NAMES_ONLY when the engine was built, so only the layer names will "
    "be returned.\n"
    "&&&& PASSED TensorRT.trtexec # trtexec --loadEngine=m.plan\n";

// 11.1's loop over two builds: one passes and is the best, one is given up.
inline std::string tuning_log() {
  const std::string name = " TensorRT.trtexec [TensorRT v110100] [b106] # trtexec --onnx=m.onnx";
  const auto iteration = [&](const std::string& n, const std::string& route, bool passes) {
    const std::string task = "[iter=" + n + "] BuildRoute = '" + route + "'\n";
    const std::string child = name + " --setBuildRoute=" + route +
                              " --tuningResultFile=/tmp/trtexec_tuning_7_iter" + n + ".json\n";
    const std::string losses =
        "[07/07/2026-02:11:00] [I] === Performance summary ===\n"
        "[07/07/2026-02:11:00] [I] GPU Compute Time: min = 1 ms, max = 4 ms, mean = 3 ms, median = "
        "2 ms, percentile(99%) = 4 ms\n"
        "[07/07/2026-02:11:00] [I] Accuracy loss for tensor y (L2): 0.25 [FAIL: >= threshold "
        "0.125]\n";
    return "\n&&&& TASK_BEGIN " + task + "&&&& RUNNING" + child + (passes ? losses : "") + "&&&& " +
           (passes ? "PASSED" : "FAILED") + child + "&&&& TASK_" + (passes ? "END " : "ABORT ") +
           task;
  };
  return "&&&& RUNNING" + name + " --tuneBuildRoutes=x\n" + iteration("0", "-a=b", true) +
         iteration("1", "-c=d", false) +
         "[07/07/2026-02:11:00] [W] Iteration [1] failed: child exited with status 1\n"
         "[07/07/2026-02:11:00] [I] Best iteration: -a=b (gpu_time_ms=1.5)\n"
         "[07/07/2026-02:11:00] [I] Tuning summary: 1 / 2 iterations succeeded.\n"
         "&&&& PASSED" +
         name + " --tuneBuildRoutes=x\n";
}

// Says other things of both builds, and of a third.
inline const std::string kOtherTunerJson =
    R"({"tuner_version": "1.0", "searching_algorithm": "mixed", "tuning_expr": "-a=b", "accuracy_algorithm": "L9", "command_line": "trtexec --tune"}
{"iter": 0, "build_route": "-a=b", "crash": true, "error_message": "of the cache", "accuracy_loss": {"w": 0.75}, "accuracy_failed": false, "gpu_time": 9.5}
{"iter": 1, "build_route": "-c=d", "crash": false, "error_message": "of the cache", "accuracy_loss": {"w": 0.5}, "accuracy_failed": false, "gpu_time": 8.5}
{"iter": 1, "build_route": "-c=d", "crash": false, "error_message": "", "accuracy_loss": null, "gpu_time": 7.5}
)";

// Of a program that prints no command and no verdict.
inline const std::string kProgramLog =
    "[07/07/2026-02:11:00] [I] [TRT] Loaded engine size: 7 MiB\n"
    "[07/07/2026-02:11:00] [I] [TRT] Engine generation completed in 3.5 seconds.\n"
    "==PROF== Connected to process 4711 (python3)\n"
    "Exception ignored in: <function Engine.__del__ at 0x7f>\n"
    "Traceback (most recent call last):\n"
    "  File \"/x/site-packages/torch2trt/engine.py\", line 3, in __del__\n"
    "TypeError: 'NoneType' object is not callable\n"
    "TensorRT: export success 5.5s, saved as m.engine\n";

inline const std::string kTypedLog =
    "$ trtexec --onnx=m.onnx\n"
    "[07/07/2026-02:11:00] [I] [TRT] Engine generation completed in 3.5 seconds.\n";

// Texts by the name of their file.
using Texts = std::map<std::string, std::string>;

inline const std::string kBuilds =
    "--onnx=m1.onnx --saveEngine=m.plan --fp16 --noTF32 --stronglyTyped --verbose";
inline const std::string kTimes = "--loadEngine=m.plan --verbose --iterations=5";

inline Texts exports() {
  Texts texts = {{"layers.json", kLayersJson}, {"profile.json", kProfileJson},
                 {"times.json", kTimesJson},   {"output.json", kOutputJson},
                 {"tuner.jsonl", kTunerJson},  {"x.metadata.json", kMetadataJson}};
  for (auto& one : texts) one.second = with_digit(one.second, '3');
  return texts;
}

inline Texts with(Texts texts, const std::string& name, const std::string& text) {
  texts[name] = text;
  return texts;
}

// The only Build of a folder with these files.
inline Build join_of(const Texts& texts) {
  const TempFolder folder;
  for (const auto& [name, text] : texts) (void)folder.write(name, text);
  ParseOptions options;
  options.keep_tactics = true;
  ParseResult result = parse_inputs({folder.path().string()}, options);
  return result.builds.size() == 1 ? std::move(result.builds[0]) : Build();
}

}  // namespace trtlens
