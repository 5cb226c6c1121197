// Every field of a Build that several sources tell of: which one stands, for a build log and a
// timing log, in both orders and with one of them bare, and for a log beside the JSON exports.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/build_fields.h"
#include "tests/unit/join_fields_sample.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_fields_test {
namespace {

const std::string kBuildLog = log_of(kLogLines, kBuilds, '1');
const std::string kTimingLog = log_of(kLogLines, kTimes, '2');
const std::string kBareBuildLog = log_of(kBareLogLines, kBuilds, '1');
const std::string kBareTimingLog = log_of(kBareLogLines, kTimes, '2');

TEST(FieldsJoined, TimingLogBesideABuildLog) {
  EXPECT_EQ(added(join_of({{"1.log", kBuildLog}}),
                  join_of({{"1.log", kBuildLog}, {"2.log", kTimingLog}})),
            R"~(inference.batch = 12
inference.streams = 22
inference.opt_profile = 32
inference.engine_streams = 62
inference.aux_streams = 12
inference.worker_streams = 62
inference.deserialization = {first_ms 6.2, average_ms 1.2, bandwidth_gb_per_s 3.2, iterations 22}
inference.enqueue_bound = F1:126:1
inference.untimed_capture = F1:127:1
commands[1] = "trtexec --loadEngine=m.plan --verbose --iterations=5"
options = {flags ["onnx": "m1.onnx", "saveEngine": "m.plan", "fp16": "", "noTF32": "", "stronglyTyped": "", "verbose": "", "loadEngine": "m.plan", "verbose": "", "iterations": "5"]}
banner[Inference Options/Batch] = "12"
banner[Inference Options/Inference Streams] = "22"
banner[Inference Options/Optimization Profile Index] = "32"
runs[1] = 2
messages[21] = {severity 2, text "Plan was created with TensorRT version 10.2.4.5", count 1, pos F1:24:1, of_tensorrt true, before_progress true}
messages[22] = {severity 2, text "Set shape of input tensor x for optimization profile 2 to: MIN=1x2 OPT=2x2 MAX=3x2", count 1, pos F1:25:1, of_tensorrt true, before_progress true}
messages[23] = {severity 2, text "Set input shape tensor s for optimization profile 2 to: MIN=4x2 OPT=5x2 MAX=6x2", count 1, pos F1:26:1, of_tensorrt true, before_progress true}
messages[24] = {severity 1, text "Missing scale and zero-point for tensor scale2, expect fall back to non-int8 implementation for any layer consuming or producing given tensor", count 1, pos F1:34:1, of_tensorrt true, before_progress true}
messages[25] = {severity 1, text "Default DLA is enabled but layer dla2 is not supported on DLA, falling back to GPU.", count 1, pos F1:40:1, of_tensorrt true, before_progress true}
messages[26] = {severity 1, text "[MS] Number of aux streams is 52", count 1, pos F1:42:1, of_tensorrt true, before_progress true}
messages[27] = {severity 1, text "[MS] Number of total worker streams is 62", count 1, pos F1:43:1, of_tensorrt true, before_progress true}
messages[28] = {severity 1, text "[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 72 MiB", count 1, pos F1:74:1, of_tensorrt true, before_progress true}
messages[29] = {severity 2, text "Expanded to 12 build route configurations", count 1, pos F1:91:1, of_tensorrt true, before_progress true}
messages[30] = {severity 2, text "Tuning iteration [2]: -a=b2", count 1, pos F1:92:1, of_tensorrt true, before_progress true}
messages[31] = {severity 2, text "Iteration [2] failed: why2", count 1, pos F1:93:1, of_tensorrt true, before_progress true}
messages[32] = {severity 2, text "Tuning timeout reached (62s); stopping early.", count 1, pos F1:94:1, of_tensorrt true, before_progress true}
messages[33] = {severity 2, text "Best iteration: -a=b2 (gpu_time_ms=0.32)", count 1, pos F1:95:1, of_tensorrt true, before_progress true}
messages[34] = {severity 2, text "Tuning summary: 22 / 32 iterations succeeded.", count 1, pos F1:96:1, of_tensorrt true, before_progress true}
messages[35] = {severity 3, text "* GPU compute time is unstable, with coefficient of variance = 1.2%.", count 1, pos F1:114:1, of_tensorrt true, before_progress false}
messages[36] = {severity 2, text "Accuracy loss for tensor y (L2): 0.012 [FAIL: >= threshold 0.002]", count 1, pos F1:118:1, of_tensorrt true, before_progress false}
messages[37] = {severity 2, text "The engine uses 12 auxiliary streams, so the "Total" latency may not be accurate because some layers may have run in parallel!", count 1, pos F1:119:1, of_tensorrt true, before_progress false}
messages[38] = {severity 3, text "* Throughput may be bound by Enqueue Time rather than GPU Compute 2.", count 1, pos F1:126:1, of_tensorrt true, before_progress false}
messages[39] = {severity 3, text "Skip layer timing collection in CUDA graph capture mode. 2", count 1, pos F1:127:1, of_tensorrt true, before_progress false}
messages[40] = {severity 1, text "(Sparsity) Found 82 layer(s) eligible to use sparse tactics: sparse2", count 1, pos F1:128:1, of_tensorrt true, before_progress false}
messages[41] = {severity 1, text "(Sparsity) Chose 92 layer(s) using sparse tactics: sparse2", count 1, pos F1:129:1, of_tensorrt true, before_progress false}
profile_iterations = 402
profile_pos = F1:120:1
performance.throughput_qps = 302
performance.latency = {min_ms 1.02, max_ms 1.32, mean_ms 1.22, median_ms 1.12, percentiles_ms ["99": 1.42], pos F1:106:1}
performance.gpu_compute = {min_ms 5.02, max_ms 5.32, mean_ms 5.22, median_ms 5.12, percentiles_ms ["99": 5.42], pos F1:110:1}
performance.enqueue = {min_ms 3.02, max_ms 3.32, mean_ms 3.22, median_ms 3.12, percentiles_ms ["99": 3.42], pos F1:108:1}
performance.h2d = {min_ms 4.02, max_ms 4.32, mean_ms 4.22, median_ms 4.12, percentiles_ms ["99": 4.42], pos F1:109:1}
performance.d2h = {min_ms 6.02, max_ms 6.32, mean_ms 6.22, median_ms 6.12, percentiles_ms ["99": 6.42], pos F1:111:1}
performance.end_to_end = {min_ms 2.02, max_ms 2.32, mean_ms 2.22, median_ms 2.12, percentiles_ms ["99": 2.42], pos F1:107:1}
performance.host_walltime_s = 7.02
performance.gpu_compute_total_s = 7.12
performance.queries = 202
performance.warmup_queries = 102
performance.coeff_var = 0.012
trace[0] = {gpu_ms 0.25, enqueue_ms 0.27}
outputs[0] = {tensor {name "y", dims (1,4), format "", has_dims true, type unknown}, count 4, nan 1, infinite 1, min -0.2, max 2.2, pos F1:116:1}
accuracy_losses[0] = {tensor "y", algorithm "L2", loss 0.012, threshold 0.002, pos F1:118:1}
memory.context_bytes = 1258291
memory.steps[1] = {phase "Step2", cpu_delta_bytes 12582912, gpu_delta_bytes 23068672, cpu_now_bytes 33554432, gpu_now_bytes 44040192, pos F1:72:1}
engine_load_s = 0.22
stages[1] = {name "parse", s 0.02}
)~");
}

std::vector<std::string> with_files_exchanged(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    for (std::size_t at = 0; (at = line.find('F', at)) != std::string::npos; ++at) {
      if (line.substr(at + 1, 2) == "0:" || line.substr(at + 1, 2) == "1:") line[at + 1] ^= 1;
    }
  }
  return lines;
}

TEST(FieldsJoined, TimingLogInFrontOfItsBuildLog) {
  const Build usual = join_of({{"1.log", kBuildLog}, {"2.log", kTimingLog}});
  Build turned = join_of({{"1.log", kTimingLog}, {"2.log", kBuildLog}});
  EXPECT_EQ(turned.runs, (std::vector<int>{2, 1}));
  turned.runs = usual.runs;
  EXPECT_EQ(with_files_exchanged(fields_of(turned).lines), fields_of(usual).lines);
}

TEST(FieldsJoined, TimingLogBesideABareBuildLog) {
  EXPECT_EQ(
      added(join_of({{"1.log", kBareBuildLog}}),
            join_of({{"1.log", kBareBuildLog}, {"2.log", kTimingLog}})),
      R"~(gpu = {name "GPU 2", compute_capability "2.5", sms 102, memory_bytes 23068672, compute_clock_ghz 1.42, memory_clock_ghz 1.52, memory_bus_bits 302}
io_tensors[0] = {tensor {name "x", dims (-1,3), format "", has_dims true, type INT8}, is_input true, network_dims (-1,3), shapes []}
inference.batch = 12
inference.streams = 22
inference.opt_profile = 32
inference.engine_streams = 62
inference.aux_streams = 12
inference.worker_streams = 62
inference.cuda_graph = true
inference.data_transfers = true
inference.spin_wait = true
inference.deserialization = {first_ms 6.2, average_ms 1.2, bandwidth_gb_per_s 3.2, iterations 22}
inference.enqueue_bound = F1:126:1
inference.untimed_capture = F1:127:1
commands[1] = "trtexec --loadEngine=m.plan --verbose --iterations=5"
options = {flags ["onnx": "m1.onnx", "saveEngine": "m.plan", "fp16": "", "noTF32": "", "stronglyTyped": "", "verbose": "", "loadEngine": "m.plan", "verbose": "", "iterations": "5"]}
banner[Inference Options/Batch] = "12"
banner[Inference Options/CUDA Graph] = "Enabled"
banner[Inference Options/Data transfers] = "Enabled"
banner[Inference Options/Inference Streams] = "22"
banner[Inference Options/Optimization Profile Index] = "32"
banner[Inference Options/Spin-wait] = "Enabled"
optimization_profiles[0] = {input "x", shape_tensor false, shapes {profile 2, min (1,2), opt (2,2), max (3,2)}}
optimization_profiles[1] = {input "s", shape_tensor true, shapes {profile 2, min (4,2), opt (5,2), max (6,2)}}
plan_version = "10.2.4.5"
is_verbose = true
runs[1] = 2
messages[0] = {severity 2, text "Plan was created with TensorRT version 10.2.4.5", count 1, pos F1:24:1, of_tensorrt true, before_progress true}
messages[1] = {severity 2, text "Set shape of input tensor x for optimization profile 2 to: MIN=1x2 OPT=2x2 MAX=3x2", count 1, pos F1:25:1, of_tensorrt true, before_progress true}
messages[2] = {severity 2, text "Set input shape tensor s for optimization profile 2 to: MIN=4x2 OPT=5x2 MAX=6x2", count 1, pos F1:26:1, of_tensorrt true, before_progress true}
messages[3] = {severity 1, text "Missing scale and zero-point for tensor scale2, expect fall back to non-int8 implementation for any layer consuming or producing given tensor", count 1, pos F1:34:1, of_tensorrt true, before_progress true}
messages[4] = {severity 1, text "Default DLA is enabled but layer dla2 is not supported on DLA, falling back to GPU.", count 1, pos F1:40:1, of_tensorrt true, before_progress true}
messages[5] = {severity 1, text "[MS] Number of aux streams is 52", count 1, pos F1:42:1, of_tensorrt true, before_progress true}
messages[6] = {severity 1, text "[MS] Number of total worker streams is 62", count 1, pos F1:43:1, of_tensorrt true, before_progress true}
messages[7] = {severity 1, text "[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 72 MiB", count 1, pos F1:74:1, of_tensorrt true, before_progress true}
messages[8] = {severity 2, text "Expanded to 12 build route configurations", count 1, pos F1:91:1, of_tensorrt true, before_progress true}
messages[9] = {severity 2, text "Tuning iteration [2]: -a=b2", count 1, pos F1:92:1, of_tensorrt true, before_progress true}
messages[10] = {severity 2, text "Iteration [2] failed: why2", count 1, pos F1:93:1, of_tensorrt true, before_progress true}
messages[11] = {severity 2, text "Tuning timeout reached (62s); stopping early.", count 1, pos F1:94:1, of_tensorrt true, before_progress true}
messages[12] = {severity 2, text "Best iteration: -a=b2 (gpu_time_ms=0.32)", count 1, pos F1:95:1, of_tensorrt true, before_progress true}
messages[13] = {severity 2, text "Tuning summary: 22 / 32 iterations succeeded.", count 1, pos F1:96:1, of_tensorrt true, before_progress true}
messages[14] = {severity 3, text "* GPU compute time is unstable, with coefficient of variance = 1.2%.", count 1, pos F1:114:1, of_tensorrt true, before_progress false}
messages[15] = {severity 2, text "Accuracy loss for tensor y (L2): 0.012 [FAIL: >= threshold 0.002]", count 1, pos F1:118:1, of_tensorrt true, before_progress false}
messages[16] = {severity 2, text "The engine uses 12 auxiliary streams, so the "Total" latency may not be accurate because some layers may have run in parallel!", count 1, pos F1:119:1, of_tensorrt true, before_progress false}
messages[17] = {severity 3, text "* Throughput may be bound by Enqueue Time rather than GPU Compute 2.", count 1, pos F1:126:1, of_tensorrt true, before_progress false}
messages[18] = {severity 3, text "Skip layer timing collection in CUDA graph capture mode. 2", count 1, pos F1:127:1, of_tensorrt true, before_progress false}
messages[19] = {severity 1, text "(Sparsity) Found 82 layer(s) eligible to use sparse tactics: sparse2", count 1, pos F1:128:1, of_tensorrt true, before_progress false}
messages[20] = {severity 1, text "(Sparsity) Chose 92 layer(s) using sparse tactics: sparse2", count 1, pos F1:129:1, of_tensorrt true, before_progress false}
layers[0].layer_type = "CaskConvolution2"
layers[0].parameter_type = "Convolution2"
layers[0].origin = "QDQ2"
layers[0].tactic_name = "sm80_tactic2"
layers[0].tactic_id = 194
layers[0].inputs[0] = {name "x", dims (1,2), format "Int8", has_dims true, type INT8}
layers[0].outputs[0] = {name "y", dims (2,2), format "Half", has_dims true, type FP16}
layers[0].weights = {type FP16, count 72}
layers[0].bias = {type FP32, count 82}
layers[0].groups = 62
layers[0].out_maps = 52
layers[0].kernel = (3,2)
layers[0].stride = (4,2)
layers[0].activation = "RELU2"
layers[0].plugin_type = "plug2"
layers[0].metadata = "[ONNX Layer: meta2]"
layers[0].onnx_nodes[0] = "meta2"
layers[0].stream_id = 92
layers[0].sparse_weights = true
layers[0].time = {mean_ms 0.0072, median_ms 0.0062, total_ms 31.42, quantum_ms 0.0001}
layers[1].name = "copy [profile 1]"
layers[1].layer_type = ""
layers[1].parameter_type = ""
layers[1].origin = ""
layers[1].tactic_name = ""
layers[1].tactic_id = none
layers[1].inputs = []
layers[1].outputs = []
layers[1].weights = none
layers[1].bias = none
layers[1].groups = none
layers[1].out_maps = none
layers[1].kernel = ()
layers[1].stride = ()
layers[1].activation = ""
layers[1].plugin_type = ""
layers[1].metadata = ""
layers[1].onnx_nodes[0] = "copy"
layers[1].stream_id = none
layers[1].opt_profile = 1
layers[1].sparse_weights = none
layers[1].time = {mean_ms 0.0052, median_ms 0.0042, total_ms 2.22, quantum_ms 0.0001}
layers[1].found_in = 4
layers[1].pos = F1:123:1
has_profile = true
profile_iterations = 402
profile_sum_ms = 0.0124
profile_pos = F1:120:1
performance.throughput_qps = 302
performance.latency = {min_ms 1.02, max_ms 1.32, mean_ms 1.22, median_ms 1.12, percentiles_ms ["99": 1.42], pos F1:106:1}
performance.gpu_compute = {min_ms 5.02, max_ms 5.32, mean_ms 5.22, median_ms 5.12, percentiles_ms ["99": 5.42], pos F1:110:1}
performance.enqueue = {min_ms 3.02, max_ms 3.32, mean_ms 3.22, median_ms 3.12, percentiles_ms ["99": 3.42], pos F1:108:1}
performance.h2d = {min_ms 4.02, max_ms 4.32, mean_ms 4.22, median_ms 4.12, percentiles_ms ["99": 4.42], pos F1:109:1}
performance.d2h = {min_ms 6.02, max_ms 6.32, mean_ms 6.22, median_ms 6.12, percentiles_ms ["99": 6.42], pos F1:111:1}
performance.end_to_end = {min_ms 2.02, max_ms 2.32, mean_ms 2.22, median_ms 2.12, percentiles_ms ["99": 2.42], pos F1:107:1}
performance.host_walltime_s = 7.02
performance.gpu_compute_total_s = 7.12
performance.queries = 202
performance.warmup_queries = 102
performance.coeff_var = 0.012
trace[0] = {gpu_ms 0.25, enqueue_ms 0.27}
outputs[0] = {tensor {name "y", dims (1,4), format "", has_dims true, type unknown}, count 4, nan 1, infinite 1, min -0.2, max 2.2, pos F1:116:1}
accuracy_losses[0] = {tensor "y", algorithm "L2", loss 0.012, threshold 0.002, pos F1:118:1}
memory.engine_bytes = 9646899
memory.weights_bytes = 5002
memory.activation_bytes = 4002
memory.scratch_bytes = 3002
memory.context_bytes = 1258291
memory.steps[0] = {phase "Step2", cpu_delta_bytes 12582912, gpu_delta_bytes 23068672, cpu_now_bytes 33554432, gpu_now_bytes 44040192, pos F1:72:1}
memory.layers[0] = {layer "conv1", host_persistent_bytes 602, device_persistent_bytes 702, scratch_bytes 802}
engine_load_s = 0.22
stages[0] = {name "parse", s 0.02}
)~");
}

TEST(FieldsJoined, BareTimingLogBesideABuildLog) {
  EXPECT_EQ(added(join_of({{"1.log", kBuildLog}}),
                  join_of({{"1.log", kBuildLog}, {"2.log", kBareTimingLog}})),
            R"(commands[1] = "trtexec --loadEngine=m.plan --verbose --iterations=5"
options = {flags ["onnx": "m1.onnx", "saveEngine": "m.plan", "fp16": "", "noTF32": "", "stronglyTyped": "", "verbose": "", "loadEngine": "m.plan", "verbose": "", "iterations": "5"]}
runs[1] = 2
)");
}

TEST(FieldsJoined, ExportsBesideALog) {
  EXPECT_EQ(
      added(join_of({{"1.log", kBuildLog}}), join_of(with(exports(), "1.log", kBuildLog))),
      R"(io_tensors[0] = {tensor {name "x", dims (-1,3), format "", has_dims true, type INT8}, is_input true, network_dims (-1,3), shapes [{profile 0, min (1,3), opt (2,3), max (3,3)}, {profile 1, min (4,3), opt (5,3), max (6,3)}]}
io_tensors[1] = {tensor {name "z", dims (1,3), format "", has_dims true, type unknown}, is_input false, network_dims (), shapes []}
io_tensors[2] = {tensor {name "u", dims (3,3), format "", has_dims true, type unknown}, is_input true, network_dims (), shapes []}
banner[Inference Options/Input inference shape] = "u=3x3"
layers[0].layer_type = "CaskConvolution3"
layers[0].parameter_type = "Convolution3"
layers[0].origin = "QDQ3"
layers[0].tactic_name = "sm80_tactic3"
layers[0].tactic_id = 195
layers[0].inputs[0] = {name "x", dims (1,3), format "Int8", has_dims true, type INT8}
layers[0].outputs[0] = {name "y", dims (2,3), format "Half", has_dims true, type FP16}
layers[0].weights = {type FP16, count 73}
layers[0].bias = {type FP32, count 83}
layers[0].groups = 63
layers[0].out_maps = 53
layers[0].kernel = (3,3)
layers[0].stride = (4,3)
layers[0].activation = "RELU3"
layers[0].plugin_type = "plug3"
layers[0].metadata = "[ONNX Layer: meta3]"
layers[0].onnx_nodes[0] = "meta3"
layers[0].stream_id = 93
layers[0].time = {mean_ms 0.513, median_ms 0.523, total_ms 5.13, quantum_ms 1e-06}
layers[0].found_in = 7
layers[0].pos = F1:1:13
layers[1].time = {mean_ms 0.533, median_ms 0.543, total_ms 5.33, quantum_ms 1e-06}
layers[1].found_in = 6
has_layer_info = true
profile_iterations = 503
profile_sum_ms = 1.046
unattributed_ms = 0.533
profile_pos = F3:1:1
times_pos = F4:1:1
queries[0] = {start_ms 2.5, compute_ms 1.13, latency_ms 1.83, h2d_ms 0.43, d2h_ms 0.23, enqueue_ms 0.33}
outputs[0] = {tensor {name "z", dims (1,3), format "", has_dims true, type unknown}, count 4, nan 0, infinite 0, min -3.3, max 4.3, pos F2:1:2}
tuning.iterations[0] = {iteration 1, build_route "-a=b1", error_message "why1", crashed true, outcome failed, gpu_time_ms 1.23, gpu_compute_ms none, accuracy_loss 0.53, accuracy_losses ["y": 0.53], accuracy_failed true, run none, pos F0:92:1}
tuning.expression = "-a=on|off3"
tuning.search = "mixed3"
tuning.accuracy_algorithm = "L3"
tuning.command = "trtexec --tune3"
)");
}

TEST(FieldsJoined, ExportsBesideABareLog) {
  EXPECT_EQ(added(join_of(exports()), join_of(with(exports(), "z.log", kBareBuildLog))),
            R"(tensorrt = {major 10, minor 10, patch 3, build 121, source 0}
producer = "trtexec"
outcome = passed
command = "trtexec --onnx=m1.onnx --saveEngine=m.plan --fp16 --noTF32 --stronglyTyped --verbose"
commands[0] = "trtexec --onnx=m1.onnx --saveEngine=m.plan --fp16 --noTF32 --stronglyTyped --verbose"
options = {flags ["onnx": "m1.onnx", "saveEngine": "m.plan", "fp16": "", "noTF32": "", "stronglyTyped": "", "verbose": ""]}
allowed = {labels [], strongly_typed true, no_tf32 true}
has_log = true
closing_line = true
runs[0] = 1
layers[0].found_in = 7
)");
}

TEST(FieldsJoined, NamesOfLayersBesideALog) {
  EXPECT_EQ(added(join_of({{"1.log", kBuildLog}}),
                  join_of({{"1.log", kBuildLog}, {"layers.json", kNamesJson}})),
            R"(layers[0].found_in = 5
layers[0].pos = F1:1:13
layers[1].found_in = 5
layers[1].pos = F1:1:22
has_layer_info = true
layer_names_only = true
)");
}

TEST(FieldsJoined, CacheOfTheTunerBesideItsLog) {
  EXPECT_EQ(
      added(join_of({{"1.log", tuning_log()}}),
            join_of({{"1.log", tuning_log()}, {"t.jsonl", kOtherTunerJson}})),
      R"(tuning.iterations[0] = {iteration 0, build_route "-a=b", error_message "of the cache", crashed true, outcome passed, gpu_time_ms 1.5, gpu_compute_ms 2, accuracy_loss 0.25, accuracy_losses ["y": 0.25], accuracy_failed true, run 1, pos F0:3:1}
tuning.iterations[1] = {iteration 1, build_route "-c=d", error_message "child exited with status 1", crashed true, outcome failed, gpu_time_ms 8.5, gpu_compute_ms none, accuracy_loss 0.5, accuracy_losses ["w": 0.5], accuracy_failed false, run 2, pos F0:11:1}
tuning.iterations[2] = {iteration 1, build_route "-c=d", error_message "", crashed false, outcome passed, gpu_time_ms 7.5, gpu_compute_ms none, accuracy_loss none, accuracy_losses [], accuracy_failed none, run none, pos F1:4:1}
tuning.expression = "-a=b"
tuning.search = "mixed"
tuning.command = "trtexec --tune"
)");
}

TEST(FieldsJoined, FactsThatOnlyTheTimingLogHas) {
  EXPECT_EQ(added(join_of({{"1.log", kOldBuildLog}}),
                  join_of({{"1.log", kOldBuildLog}, {"2.log", kNewTimingLog}})),
            R"(tensorrt = {major 8, minor 6, patch 1, build none, source 0}
commands[1] = "trtexec --loadEngine=m.plan"
options = {flags ["onnx": "m.onnx", "saveEngine": "m.plan", "loadEngine": "m.plan"]}
runs[1] = 2
messages[0] = {severity 2, text "The profiling verbosity was set to ProfilingVerbosity::kLAYER_NAMES_ONLY when the engine was built, so only the layer names will be returned.", count 1, pos F1:4:1, of_tensorrt true, before_progress false}
layer_names_only = true
memory.engine_bytes = 7340032
memory.engine_in_mib = true
)");
}

// The loop is the second run of the folder then: its builds are runs 2 and 3.
// One that builds no engine: it would be a build of its own.
TEST(FieldsJoined, RunsOfALoopBehindAnotherLog) {
  const std::string other = "--loadEngine=other.plan";
  EXPECT_EQ(added(join_of({{"1.log", tuning_log()}}),
                  join_of({{"0.log", running(other) + closing("PASSED", other)},
                           {"1.log", tuning_log()}})),
            R"~(runs[0] = 4
messages[0] = {severity 3, text "Iteration [1] failed: child exited with status 1", count 1, pos F1:15:1, of_tensorrt true, before_progress true}
messages[1] = {severity 2, text "Best iteration: -a=b (gpu_time_ms=1.5)", count 1, pos F1:16:1, of_tensorrt true, before_progress true}
messages[2] = {severity 2, text "Tuning summary: 1 / 2 iterations succeeded.", count 1, pos F1:17:1, of_tensorrt true, before_progress true}
tuning.iterations[0] = {iteration 0, build_route "-a=b", error_message "", crashed none, outcome passed, gpu_time_ms 1.5, gpu_compute_ms 2, accuracy_loss 0.25, accuracy_losses ["y": 0.25], accuracy_failed true, run 2, pos F1:3:1}
tuning.iterations[1] = {iteration 1, build_route "-c=d", error_message "child exited with status 1", crashed true, outcome failed, gpu_time_ms none, gpu_compute_ms none, accuracy_loss none, accuracy_losses [], accuracy_failed none, run 3, pos F1:11:1}
)~");
}

TEST(FieldsJoined, CacheOfTheTunerTellsHowAnIterationEnded) {
  const std::string log = tuning_log();
  const std::string begun = log.substr(0, log.find("&&&& RUNNING", 1));
  EXPECT_EQ(
      added(join_of({{"1.log", begun}}), join_of({{"1.log", begun}, {"t.jsonl", kOtherTunerJson}})),
      R"(tuning.iterations[0] = {iteration 0, build_route "-a=b", error_message "of the cache", crashed true, outcome failed, gpu_time_ms 9.5, gpu_compute_ms none, accuracy_loss 0.75, accuracy_losses ["w": 0.75], accuracy_failed false, run none, pos F0:3:1}
tuning.iterations[1] = {iteration 1, build_route "-c=d", error_message "of the cache", crashed false, outcome passed, gpu_time_ms 8.5, gpu_compute_ms none, accuracy_loss 0.5, accuracy_losses ["w": 0.5], accuracy_failed false, run none, pos F1:3:1}
tuning.iterations[2] = {iteration 1, build_route "-c=d", error_message "", crashed false, outcome passed, gpu_time_ms 7.5, gpu_compute_ms none, accuracy_loss none, accuracy_losses [], accuracy_failed none, run none, pos F1:4:1}
tuning.expression = "-a=b"
tuning.search = "mixed"
tuning.accuracy_algorithm = "L9"
tuning.command = "trtexec --tune"
)");
}

TEST(FieldsJoined, ProfileWithoutTimes) {
  const Build build =
      join_of({{"profile.json", R"([{"count": 1}, {"name": "a", "percentage": 1}])"}});
  EXPECT_TRUE(build.has_profile);
  EXPECT_EQ(build.profile_sum_ms, 0);
}

}  // namespace
}  // namespace trtlens::join_fields_test
