// Every field of a Build from one source alone: a log, the JSON exports, the log of a tuning loop,
// and one without a command. What build_fields.h lists and no test here fills is named in the last
// one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/unit/build_fields.h"
#include "tests/unit/join_fields_sample.h"
#include "tests/unit/join_sample.h"

namespace trtlens::join_fields_alone_test {
namespace {

TEST(FieldsAlone, OfALog) {
  EXPECT_EQ(added(Build(), join_of({{"1.log", log_of(kLogLines, kBuilds, '1')}})),
            R"~(tensorrt = {major 10, minor 10, patch 3, build 121, source 0}
producer = "trtexec"
outcome = passed
gpu = {name "GPU 1", compute_capability "1.5", sms 101, memory_bytes 22020096, compute_clock_ghz 1.41, memory_clock_ghz 1.51, memory_bus_bits 301}
io_tensors[0] = {tensor {name "x", dims (-1,3), format "", has_dims true, type INT8}, is_input true, network_dims (-1,3), shapes []}
inference.batch = 11
inference.streams = 21
inference.opt_profile = 31
inference.engine_streams = 61
inference.aux_streams = 11
inference.worker_streams = 61
inference.cuda_graph = true
inference.data_transfers = true
inference.spin_wait = true
inference.deserialization = {first_ms 6.1, average_ms 1.1, bandwidth_gb_per_s 3.1, iterations 21}
inference.enqueue_bound = F0:126:1
inference.untimed_capture = F0:127:1
command = "trtexec --onnx=m1.onnx --saveEngine=m.plan --fp16 --noTF32 --stronglyTyped --verbose"
commands[0] = "trtexec --onnx=m1.onnx --saveEngine=m.plan --fp16 --noTF32 --stronglyTyped --verbose"
options = {flags ["onnx": "m1.onnx", "saveEngine": "m.plan", "fp16": "", "noTF32": "", "stronglyTyped": "", "verbose": ""]}
allowed = {labels [], strongly_typed true, no_tf32 true}
banner[Build Options/Precision] = "FP32+FP16"
banner[Device Information/Compute Capability] = "1.5"
banner[Device Information/SMs] = "101"
banner[Device Information/Selected Device] = "GPU 1"
banner[Inference Options/Batch] = "11"
banner[Inference Options/CUDA Graph] = "Enabled"
banner[Inference Options/Data transfers] = "Enabled"
banner[Inference Options/Inference Streams] = "21"
banner[Inference Options/Optimization Profile Index] = "31"
banner[Inference Options/Spin-wait] = "Enabled"
banner[Model Options/Format] = "ONNX"
banner[Model Options/Model] = "m1.onnx"
optimization_profiles[0] = {input "x", shape_tensor false, shapes {profile 1, min (1,1), opt (2,1), max (3,1)}}
optimization_profiles[1] = {input "s", shape_tensor true, shapes {profile 1, min (4,1), opt (5,1), max (6,1)}}
plan_version = "10.1.4.5"
has_log = true
is_verbose = true
closing_line = true
runs[0] = 1
messages[0] = {severity 2, text "Plan was created with TensorRT version 10.1.4.5", count 1, pos F0:24:1, of_tensorrt true, before_progress true}
messages[1] = {severity 2, text "Set shape of input tensor x for optimization profile 1 to: MIN=1x1 OPT=2x1 MAX=3x1", count 1, pos F0:25:1, of_tensorrt true, before_progress true}
messages[2] = {severity 2, text "Set input shape tensor s for optimization profile 1 to: MIN=4x1 OPT=5x1 MAX=6x1", count 1, pos F0:26:1, of_tensorrt true, before_progress true}
messages[3] = {severity 1, text "Missing scale and zero-point for tensor scale1, expect fall back to non-int8 implementation for any layer consuming or producing given tensor", count 1, pos F0:34:1, of_tensorrt true, before_progress true}
messages[4] = {severity 1, text "Default DLA is enabled but layer dla1 is not supported on DLA, falling back to GPU.", count 1, pos F0:40:1, of_tensorrt true, before_progress true}
messages[5] = {severity 1, text "[MS] Number of aux streams is 51", count 1, pos F0:42:1, of_tensorrt true, before_progress true}
messages[6] = {severity 1, text "[MS] Number of total worker streams is 61", count 1, pos F0:43:1, of_tensorrt true, before_progress true}
messages[7] = {severity 1, text "[MemUsageStats] Peak memory usage during Engine building and serialization: CPU: 71 MiB", count 1, pos F0:74:1, of_tensorrt true, before_progress true}
messages[8] = {severity 2, text "Expanded to 11 build route configurations", count 1, pos F0:91:1, of_tensorrt true, before_progress true}
messages[9] = {severity 2, text "Tuning iteration [1]: -a=b1", count 1, pos F0:92:1, of_tensorrt true, before_progress true}
messages[10] = {severity 2, text "Iteration [1] failed: why1", count 1, pos F0:93:1, of_tensorrt true, before_progress true}
messages[11] = {severity 2, text "Tuning timeout reached (61s); stopping early.", count 1, pos F0:94:1, of_tensorrt true, before_progress true}
messages[12] = {severity 2, text "Best iteration: -a=b1 (gpu_time_ms=0.31)", count 1, pos F0:95:1, of_tensorrt true, before_progress true}
messages[13] = {severity 2, text "Tuning summary: 21 / 31 iterations succeeded.", count 1, pos F0:96:1, of_tensorrt true, before_progress true}
messages[14] = {severity 3, text "* GPU compute time is unstable, with coefficient of variance = 1.1%.", count 1, pos F0:114:1, of_tensorrt true, before_progress false}
messages[15] = {severity 2, text "Accuracy loss for tensor y (L1): 0.011 [FAIL: >= threshold 0.001]", count 1, pos F0:118:1, of_tensorrt true, before_progress false}
messages[16] = {severity 2, text "The engine uses 11 auxiliary streams, so the "Total" latency may not be accurate because some layers may have run in parallel!", count 1, pos F0:119:1, of_tensorrt true, before_progress false}
messages[17] = {severity 3, text "* Throughput may be bound by Enqueue Time rather than GPU Compute 1.", count 1, pos F0:126:1, of_tensorrt true, before_progress false}
messages[18] = {severity 3, text "Skip layer timing collection in CUDA graph capture mode. 1", count 1, pos F0:127:1, of_tensorrt true, before_progress false}
messages[19] = {severity 1, text "(Sparsity) Found 81 layer(s) eligible to use sparse tactics: sparse1", count 1, pos F0:128:1, of_tensorrt true, before_progress false}
messages[20] = {severity 1, text "(Sparsity) Chose 91 layer(s) using sparse tactics: sparse1", count 1, pos F0:129:1, of_tensorrt true, before_progress false}
layers[0].name = "conv1"
layers[0].layer_type = "CaskConvolution1"
layers[0].parameter_type = "Convolution1"
layers[0].origin = "QDQ1"
layers[0].tactic_name = "sm80_tactic1"
layers[0].tactic_id = 193
layers[0].inputs[0] = {name "x", dims (1,1), format "Int8", has_dims true, type INT8}
layers[0].outputs[0] = {name "y", dims (2,1), format "Half", has_dims true, type FP16}
layers[0].weights = {type FP16, count 71}
layers[0].bias = {type FP32, count 81}
layers[0].groups = 61
layers[0].out_maps = 51
layers[0].kernel = (3,1)
layers[0].stride = (4,1)
layers[0].activation = "RELU1"
layers[0].plugin_type = "plug1"
layers[0].metadata = "[ONNX Layer: meta1]"
layers[0].onnx_nodes[0] = "meta1"
layers[0].stream_id = 91
layers[0].opt_profile = 0
layers[0].sparse_weights = true
layers[0].time = {mean_ms 0.0071, median_ms 0.0061, total_ms 31.41, quantum_ms 0.0001}
layers[0].found_in = 4
layers[0].pos = F0:82:1
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
layers[1].time = {mean_ms 0.0051, median_ms 0.0041, total_ms 2.21, quantum_ms 0.0001}
layers[1].found_in = 4
layers[1].pos = F0:123:1
has_profile = true
profile_iterations = 401
profile_sum_ms = 0.0122
profile_pos = F0:120:1
performance.throughput_qps = 301
performance.latency = {min_ms 1.01, max_ms 1.31, mean_ms 1.21, median_ms 1.11, percentiles_ms ["99": 1.41], pos F0:106:1}
performance.gpu_compute = {min_ms 5.01, max_ms 5.31, mean_ms 5.21, median_ms 5.11, percentiles_ms ["99": 5.41], pos F0:110:1}
performance.enqueue = {min_ms 3.01, max_ms 3.31, mean_ms 3.21, median_ms 3.11, percentiles_ms ["99": 3.41], pos F0:108:1}
performance.h2d = {min_ms 4.01, max_ms 4.31, mean_ms 4.21, median_ms 4.11, percentiles_ms ["99": 4.41], pos F0:109:1}
performance.d2h = {min_ms 6.01, max_ms 6.31, mean_ms 6.21, median_ms 6.11, percentiles_ms ["99": 6.41], pos F0:111:1}
performance.end_to_end = {min_ms 2.01, max_ms 2.31, mean_ms 2.21, median_ms 2.11, percentiles_ms ["99": 2.41], pos F0:107:1}
performance.host_walltime_s = 7.01
performance.gpu_compute_total_s = 7.11
performance.queries = 201
performance.warmup_queries = 101
performance.coeff_var = 0.011000000000000001
trace[0] = {gpu_ms 0.15, enqueue_ms 0.17}
outputs[0] = {tensor {name "y", dims (1,4), format "", has_dims true, type unknown}, count 4, nan 1, infinite 1, min -0.1, max 2.1, pos F0:116:1}
accuracy_losses[0] = {tensor "y", algorithm "L1", loss 0.011, threshold 0.001, pos F0:118:1}
tuning.iterations[0] = {iteration 1, build_route "-a=b1", error_message "why1", crashed none, outcome failed, gpu_time_ms none, gpu_compute_ms none, accuracy_loss none, accuracy_losses [], accuracy_failed none, run none, pos F0:92:1}
tuning.routes = 11
tuning.succeeded = 21
tuning.attempted = 31
tuning.best_route = "-a=b1"
tuning.best_gpu_time_ms = 0.31
tuning.timeout_s = 61
missing_scales[0] = {tensor "scale1", count 1, pos F0:34:1}
rejected_int8[0] = {layer "int81", tensor "t1", pos F0:35:1}
autotuning[0] = {layer "{ForeignNode[fc1...act1]}", format_combination "Half(1,1) -> Half(1,1)", chosen_runner "Myelin", chosen_name "", chosen_id 0, runner_up_id none, chosen_ms 0.0101, runner_up_ms none, runner_up_name "", timed 1, skipped 0, runners_without_tactics 0, timed_ms 0.0101, from_cache false, time {runners_s none, stamps_s 0}, pos F0:46:1}
autotuning[1] = {layer "conv1", format_combination "Float(1,1) -> Float(1,1)", chosen_runner "CaskConvolution", chosen_name "sm80_b1", chosen_id 177, runner_up_id 161, chosen_ms 0.51, runner_up_ms 0.71, runner_up_name "sm80_a1", timed 2, skipped 1, runners_without_tactics 1, timed_ms 1.22, from_cache false, time {runners_s 0.1, stamps_s 1}, pos F0:57:1}
autotuning[2] = {layer "cached1", format_combination "Float(1,1) -> Float(1,1)", chosen_runner "CaskPooling", chosen_name "", chosen_id 3537, runner_up_id none, chosen_ms 0.031, runner_up_ms none, runner_up_name "", timed 0, skipped 0, runners_without_tactics 0, timed_ms 0, from_cache true, time {runners_s none, stamps_s none}, pos F0:65:1}
myelin_races[0] = {op "fc_1", onnx_nodes ["fc1", "act1"], region "{ForeignNode[fc1...act1]}", format_combination "Half(1,1) -> Half(1,1)", fastest "kernel_a1", runner_up "kernel_b1", fastest_ms 0.015, runner_up_ms 0.016, timed 2, pos F0:49:1}
tactic_records.texts[1] = "{ForeignNode[fc1...act1]}"
tactic_records.texts[2] = "Half(1,1) -> Half(1,1)"
tactic_records.texts[3] = "Myelin"
tactic_records.texts[4] = "conv1"
tactic_records.texts[5] = "Float(1,1) -> Float(1,1)"
tactic_records.texts[6] = "CaskConvolution"
tactic_records.texts[7] = "sm80_a1"
tactic_records.texts[8] = "sm80_b1"
tactic_records.texts[9] = "sm80_d1"
tactic_records.texts[10] = "no finite time"
tactic_records.texts[11] = "Optimizer Reformat(x -> <out>)"
tactic_records.texts[12] = "Float(1,1) -> Half(1,1)"
tactic_records.texts[13] = "Reformat"
tactic_records.texts[14] = "not enough scratch memory"
tactic_records.rows[0] = {layer 1, format_combination 2, runner 3, name 0, skipped 0, id 0, time_ms 0.0101, pos F0:54:1}
tactic_records.rows[1] = {layer 4, format_combination 5, runner 6, name 7, skipped 0, id 161, time_ms 0.71, pos F0:59:1}
tactic_records.rows[2] = {layer 4, format_combination 5, runner 6, name 8, skipped 0, id 177, time_ms 0.51, pos F0:60:1}
tactic_records.rows[3] = {layer 4, format_combination 5, runner 6, name 9, skipped 10, id 209, time_ms none, pos F0:61:1}
tactic_records.rows[4] = {layer 11, format_combination 12, runner 13, name 0, skipped 0, id 1000, time_ms 0.001, pos F0:69:1}
tactic_records.rows[5] = {layer 11, format_combination 12, runner 13, name 0, skipped 14, id 225, time_ms none, pos F0:130:1}
last_timed = {layer "Optimizer Reformat(x -> <out>)", runner "Reformat", format_combination "Float(1,1) -> Half(1,1)", pos F0:68:1}
tactics_timed = 4
tactics_skipped = 2
tactics_skipped_for = [1, 0, 0, 1, 0]
reformat_tuning = {races 1, time {runners_s 0.11, stamps_s 0}}
timing_cache_entries = 71
timing_cache_hits = 81
graph_layers = 41
placements[0] = {layer "{ForeignNode[place1]}", on_dla true, pos F0:41:1}
sparse.eligible = 81
sparse.chosen = 91
sparse.eligible_pos = F0:128:1
sparse.chosen_pos = F0:129:1
onnx_nodes[0] = {name "node1", op "Conv", inputs [{name "x", dims (-1,3), format "", has_dims true, type FP32}], outputs [{name "y1", dims (4,1), format "", has_dims true, type FP16}], pos F0:31:1}
non_conforming[0] = {layer "loose1", text "", pos F0:39:1}
forced_precision[0] = {layer "forced1", text "precision fp16", pos F0:28:1}
memory.engine_bytes = 9542042
memory.weights_bytes = 5001
memory.activation_bytes = 4001
memory.scratch_bytes = 3001
memory.host_persistent_bytes = 1001
memory.device_persistent_bytes = 2001
memory.peak_cpu_bytes = 53477376
memory.peak_gpu_bytes = 63963136
memory.context_bytes = 1153434
memory.peak_process_cpu_bytes = 74448896
memory.workspace_refused = {tactics 1, least_bytes 91, most_bytes 91, available_bytes 51}
memory.steps[0] = {phase "Step1", cpu_delta_bytes 11534336, gpu_delta_bytes 22020096, cpu_now_bytes 32505856, gpu_now_bytes 42991616, pos F0:72:1}
memory.layers[0] = {layer "conv1", host_persistent_bytes 601, device_persistent_bytes 701, scratch_bytes 801}
engine_build_s = 8.1
engine_load_s = 0.21
stages[0] = {name "parse", s 0.01}
)~");
}

TEST(FieldsAlone, OfTheExports) {
  EXPECT_EQ(
      added(Build(), join_of(exports())),
      R"(gpu = {name "GPU 1", compute_capability "3.5", sms 103, memory_bytes 24117248, compute_clock_ghz 1.43, memory_clock_ghz 1.53, memory_bus_bits 303}
io_tensors[0] = {tensor {name "x", dims (-1,3), format "(Linear) 3", has_dims true, type INT8}, is_input true, network_dims (), shapes [{profile 0, min (1,3), opt (2,3), max (3,3)}, {profile 1, min (4,3), opt (5,3), max (6,3)}]}
io_tensors[1] = {tensor {name "z", dims (1,3), format "", has_dims true, type unknown}, is_input false, network_dims (), shapes []}
io_tensors[2] = {tensor {name "u", dims (3,3), format "", has_dims true, type unknown}, is_input true, network_dims (), shapes []}
inference.batch = 3
allowed = {labels ["FP32", "FP16", "INT8"], strongly_typed false, no_tf32 false}
banner[Build Options/Precision] = "FP32+FP16+INT8"
banner[Inference Options/Batch] = "Explicit"
banner[Inference Options/Input inference shape] = "u=3x3"
banner[Model Options/Model] = "m3.onnx"
optimization_profiles[0] = {input "x", shape_tensor false, shapes {profile 0, min (1,3), opt (2,3), max (3,3)}}
optimization_profiles[1] = {input "x", shape_tensor false, shapes {profile 1, min (4,3), opt (5,3), max (6,3)}}
layers[0].name = "conv1"
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
layers[0].opt_profile = 0
layers[0].sparse_weights = true
layers[0].time = {mean_ms 0.513, median_ms 0.523, total_ms 5.13, quantum_ms 1e-06}
layers[0].found_in = 3
layers[0].pos = F0:1:13
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
layers[1].time = {mean_ms 0.533, median_ms 0.543, total_ms 5.33, quantum_ms 1e-06}
layers[1].found_in = 2
layers[1].pos = F2:3:1
has_layer_info = true
has_profile = true
profile_iterations = 503
profile_sum_ms = 1.046
unattributed_ms = 0.533
profile_pos = F2:1:1
times_pos = F3:1:1
performance.throughput_qps = 603
performance.latency = {min_ms 1.03, max_ms 1.33, mean_ms 1.23, median_ms 1.13, percentiles_ms ["99": 1.43], pos none}
performance.gpu_compute = {min_ms 5.03, max_ms 5.33, mean_ms 5.23, median_ms 5.13, percentiles_ms ["99": 5.43], pos none}
performance.enqueue = {min_ms 3.03, max_ms 3.33, mean_ms 3.23, median_ms 3.13, percentiles_ms ["99": 3.43], pos none}
performance.h2d = {min_ms 4.03, max_ms 4.33, mean_ms 4.23, median_ms 4.13, percentiles_ms ["99": 4.43], pos none}
performance.d2h = {min_ms 6.03, max_ms 6.33, mean_ms 6.23, median_ms 6.13, percentiles_ms ["99": 6.43], pos none}
performance.host_walltime_s = 7.03
performance.gpu_compute_total_s = 7.13
queries[0] = {start_ms 2.5, compute_ms 1.13, latency_ms 1.83, h2d_ms 0.43, d2h_ms 0.23, enqueue_ms 0.33}
outputs[0] = {tensor {name "z", dims (1,3), format "", has_dims true, type unknown}, count 4, nan 0, infinite 0, min -3.3, max 4.3, pos F1:1:2}
tuning.iterations[0] = {iteration 1, build_route "-a=b1", error_message "boom3", crashed true, outcome failed, gpu_time_ms 1.23, gpu_compute_ms none, accuracy_loss 0.53, accuracy_losses ["y": 0.53], accuracy_failed true, run none, pos F4:2:1}
tuning.expression = "-a=on|off3"
tuning.search = "mixed3"
tuning.accuracy_algorithm = "L3"
tuning.command = "trtexec --tune3"
)");
}

TEST(FieldsAlone, OfATuningLoop) {
  EXPECT_EQ(added(Build(), join_of({{"1.log", tuning_log()}})),
            R"~(tensorrt = {major 11, minor 1, patch 0, build 106, source 0}
producer = "trtexec"
outcome = passed
command = "trtexec --onnx=m.onnx --tuneBuildRoutes=x"
commands[0] = "trtexec --onnx=m.onnx --tuneBuildRoutes=x"
options = {flags ["onnx": "m.onnx", "tuneBuildRoutes": "x"]}
allowed = {labels [], strongly_typed true, no_tf32 false}
has_log = true
closing_line = true
runs[0] = 3
messages[0] = {severity 3, text "Iteration [1] failed: child exited with status 1", count 1, pos F0:15:1, of_tensorrt true, before_progress true}
messages[1] = {severity 2, text "Best iteration: -a=b (gpu_time_ms=1.5)", count 1, pos F0:16:1, of_tensorrt true, before_progress true}
messages[2] = {severity 2, text "Tuning summary: 1 / 2 iterations succeeded.", count 1, pos F0:17:1, of_tensorrt true, before_progress true}
tuning.iterations[0] = {iteration 0, build_route "-a=b", error_message "", crashed none, outcome passed, gpu_time_ms 1.5, gpu_compute_ms 2, accuracy_loss 0.25, accuracy_losses ["y": 0.25], accuracy_failed true, run 1, pos F0:3:1}
tuning.iterations[1] = {iteration 1, build_route "-c=d", error_message "child exited with status 1", crashed true, outcome failed, gpu_time_ms none, gpu_compute_ms none, accuracy_loss none, accuracy_losses [], accuracy_failed none, run 2, pos F0:11:1}
tuning.succeeded = 1
tuning.attempted = 2
tuning.best_route = "-a=b"
tuning.best_gpu_time_ms = 1.5
tuning.accuracy_algorithm = "L2"
)~");
}

TEST(FieldsAlone, OfALogWithoutACommand) {
  EXPECT_EQ(added(Build(), join_of({{"1.log", kProgramLog}})), R"~(producer = "trtexec"
inference.replayed = F0:3:1
has_log = true
engine_saved = true
runs[0] = 1
packages[0] = "torch2trt"
messages[0] = {severity 3, text "==PROF== Connected to process 4711 (python3)", count 1, pos F0:3:1, of_tensorrt true, before_progress false}
messages[1] = {severity 3, text "TypeError: 'NoneType' object is not callable", count 1, pos F0:7:1, of_tensorrt true, before_progress false}
memory.engine_bytes = 7340032
memory.engine_in_mib = true
stages[0] = {name "engine generation", s 3.5}
)~");
}

TEST(FieldsAlone, OfALogBehindATypedCommand) {
  EXPECT_EQ(added(Build(), join_of({{"1.log", kTypedLog}})), R"~(producer = "trtexec"
command = "trtexec --onnx=m.onnx"
command_is_typed = true
commands[0] = "trtexec --onnx=m.onnx"
options = {flags ["onnx": "m.onnx"]}
allowed = {labels ["FP32"], strongly_typed false, no_tf32 false}
has_log = true
runs[0] = 1
stages[0] = {name "engine generation", s 3.5}
)~");
}

// Whoever adds a field to the model gives it a value in one of the tests above.
TEST(FieldsAlone, AllFieldsAreFilledSomewhere) {
  std::set<std::string> seen, filled;
  for (const Texts& texts : {Texts{{"1.log", log_of(kLogLines, kBuilds, '1')}}, exports(),
                             Texts{{"1.log", tuning_log()}}, Texts{{"1.log", kProgramLog}},
                             Texts{{"1.log", kTypedLog}}, Texts{{"layers.json", kNamesJson}},
                             Texts{{"layers.json", join_sample::layer_json({"a", "b"})},
                                   {"profile.json", join_sample::profile_json({"a"}, 1)}},
                             Texts{{"profile.json", "[{\"name\": \"a\", \"averageMs\": 1},"}}}) {
    const Fields fields = fields_of(join_of(texts));
    seen.insert(fields.seen.begin(), fields.seen.end());
    filled.insert(fields.filled.begin(), fields.filled.end());
  }
  for (const std::string& path : filled) {
    for (std::size_t end = path.size(); end != std::string::npos; end = path.rfind('.', end - 1)) {
      seen.erase(path.substr(0, end));
    }
  }
  // Notes without a text; types and formats that no source tells; the stamps of races that end
  // without a choice; an outline is never reported; the banner is the first source of a version.
  EXPECT_THAT(seen, testing::ElementsAre("non_conforming.text", "onnx_nodes.inputs.format",
                                         "onnx_nodes.outputs.format", "outline_only",
                                         "outputs.tensor.format", "outputs.tensor.type",
                                         "reformat_tuning.time.stamps_s", "tensorrt.source"));
}

}  // namespace
}  // namespace trtlens::join_fields_alone_test
