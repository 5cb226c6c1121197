// The model: everything known of one TensorRT build and its timing. Plain data, standard library
// only.
//
// Units: times in milliseconds (`_ms`), unless `_s`; memory in bytes (`_bytes`); shares are
// fractions. What an input did not say is std::nullopt, DataType::unknown or an empty string, never
// 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "parsers/model/memory_use.h"
#include "parsers/model/shared_value.h"

namespace trtlens {

// Element type of a tensor or of weights. TF32 is no tensor type: it is a way to multiply FP32.
enum class DataType : std::uint8_t {
  unknown,
  fp32,
  fp16,
  bf16,
  fp8,
  int8,
  uint8,
  int4,
  fp4,
  int16,
  int32,
  int64,
  boolean,
  fp64,
  e8m0
};

// "FP32", "INT8", "BOOL", …; "unknown" for DataType::unknown.
[[nodiscard]] const char* to_string(DataType type);
// Type word of any spelling TensorRT prints: `Half`, `Row major linear FP32`, `INT8`, `float32`, …
[[nodiscard]] DataType data_type_of(const std::string& format_or_type);
// Bits per element; 0 when unknown.
[[nodiscard]] int bits_of(DataType type);

enum class Outcome : std::uint8_t { unknown, passed, failed, truncated };
[[nodiscard]] const char* to_string(Outcome outcome);

enum class VersionSource : std::uint8_t { banner, log, guessed };
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::optional<int> build;  // [bNN] of the banner, 10.4+
  VersionSource source = VersionSource::guessed;

  [[nodiscard]] int number() const { return major * 10000 + minor * 100 + patch; }
  [[nodiscard]] std::string text() const;
};

struct Gpu {
  std::string name;
  std::string compute_capability;  // "9.0"
  std::optional<int> sms;
  std::optional<std::int64_t> memory_bytes;
  std::optional<double> compute_clock_ghz, memory_clock_ghz;
  std::optional<int> memory_bus_bits;
  // Compute capability as 10 * major + minor, 90 for "9.0".
  [[nodiscard]] std::optional<int> sm() const;
};

struct Tensor {
  SharedText name;
  Dims dims;              // -1 when dynamic
  SharedText format;      // "Format/Datatype" as written, or the strides of a log line
  bool has_dims = false;  // a scalar has no dims and has_dims
  DataType type = DataType::unknown;

  [[nodiscard]] std::optional<std::int64_t> elements() const;  // product of dims; none when dynamic
  [[nodiscard]] std::optional<std::int64_t> bytes() const;
  // With the channels that a vectorised format pads: 3 become 32 in "Thirty-two wide channel
  // vectorized row major Int8 format", 8 in "Channel major FP16 format where channel % 8 == 0".
  [[nodiscard]] std::optional<std::int64_t> stored_bytes() const;
  // Channels that the format stores together; 1 when it pads none.
  [[nodiscard]] std::int64_t channel_vector() const;
};

// What an optimization profile allows an input: ProfileInfo of 11.x layer info.
struct ProfileShapes {
  int profile = 0;
  Dims min, opt, max;
};

// The same as the log or the banner prints it. The dims of a shape tensor are its values.
struct OptimizationProfile {
  std::string input;
  bool shape_tensor = false;
  ProfileShapes shapes;
};

struct IoTensor {
  Tensor tensor;
  bool is_input = true;
  Dims network_dims{};  // of an input, as the network declares them: -1 is open
  std::vector<ProfileShapes> shapes = {};
};

// A tensor of --exportOutput: what its values are like; they themselves are not kept.
struct OutputValues {
  Tensor tensor;
  std::uint64_t count = 0, nan = 0, infinite = 0;
  std::optional<double> min, max;  // of the finite ones
  SourcePos pos;

  [[nodiscard]] bool all_nan() const { return count > 0 && nan == count; }
};

// "Accuracy loss for tensor T (L2): 0.001234 [FAIL: >= threshold 0.010000]", 11.1: an output
// against the reference of --loadRefOutputs.
struct AccuracyLoss {
  std::string tensor, algorithm;
  std::optional<double> loss;
  std::optional<double> threshold;  // that it does not keep
  SourcePos pos;
};

struct Weights {
  DataType type = DataType::unknown;
  std::int64_t count = 0;
};

struct LayerTime {
  double mean_ms = 0;               // profile `averageMs`, or the table's Avg. column
  std::optional<double> median_ms;  // 8.4+
  std::optional<double> total_ms;   // over all iterations
  double quantum_ms = 0;            // value of the last printed digit of mean_ms
};

// Which inputs name a layer; bits of Layer::found_in.
inline constexpr unsigned kFoundInLayerInfo = 1;
inline constexpr unsigned kFoundInProfile = 2;
inline constexpr unsigned kFoundInLog = 4;

struct Layer {
  SharedText name;
  SharedText layer_type;      // implementation: CaskConvolution, Reformat, kgen, …
  SharedText parameter_type;  // operation: Convolution, Reformat, …; empty when not given
  SharedText origin;          // Reformat: REFORMAT, QDQ, CONCAT, SLICE, CAST
  SharedText tactic_name;
  std::optional<std::uint64_t> tactic_id;
  std::vector<Tensor> inputs, outputs;
  std::optional<Weights> weights, bias;
  std::optional<std::int64_t> groups, out_maps;
  Dims kernel, stride;
  SharedText activation;
  SharedText plugin_type;
  SharedText metadata;                 // as written
  std::vector<SharedText> onnx_nodes;  // from Metadata, else from the grammar of fused names
  std::optional<int> stream_id;
  int opt_profile = 0;  // N of the suffix "[profile N]"
  // Two of every four are zero, for a sparse kernel. Between two ints it takes no room: an engine
  // has up to 200000 layers.
  std::optional<bool> sparse_weights;
  std::optional<LayerTime> time;
  unsigned found_in = 0;  // kFoundIn…
  SourcePos pos;          // where the first input names it
};

enum class LogSeverity : std::uint8_t { unknown, verbose, info, warning, error, internal_error };

// Equal messages are one record with a count.
struct Message {
  LogSeverity severity = LogSeverity::unknown;
  std::string text;  // all physical lines of the message, joined with '\n'; without prefixes
  std::uint64_t count = 1;
  SourcePos pos;                 // of the first
  bool of_tensorrt = true;       // false: of a program around it, such as Polygraphy's own [E]
  bool before_progress = false;  // building or timing went on after the last one of them
};

// Why a candidate of a race was not timed.
enum class SkipReason : std::uint8_t { memory, exception, time_limit, no_time, other };
inline constexpr std::size_t kSkipReasons = 5;
[[nodiscard]] const char* to_string(SkipReason reason);

// How long something took while tactics were timed. 8.6 and later say it of every runner; before,
// the stamps of the lines do, which count whole seconds.
struct TuningTime {
  std::optional<double> runners_s, stamps_s;
};

// One tactic race: the candidates of one layer and format combination, folded.
struct Autotune {
  std::string layer;
  std::string format_combination;  // "Int8(…) -> Half(…)" as printed
  std::string chosen_runner;       // empty: nothing was chosen
  std::string chosen_name;
  std::optional<std::uint64_t> chosen_id, runner_up_id;
  std::optional<double> chosen_ms, runner_up_ms;
  std::string runner_up_name;
  std::uint32_t timed = 0;                                // candidates with a finite time
  std::uint32_t skipped = 0;                              // candidates that were not timed
  std::array<std::uint32_t, kSkipReasons> skipped_for{};  // parts of it
  std::uint32_t runners_without_tactics = 0;
  double timed_ms = 0;      // sum of the candidates' times
  bool from_cache = false;  // the timing cache had the result
  TuningTime time;
  SourcePos pos;
};

// A sorted table of Myelin's: the kernels that it timed for one operator of a region, folded. 10.x.
struct MyelinRace {
  std::string op;                      // Myelin's name of it
  std::vector<SharedText> onnx_nodes;  // that it computes
  std::string region;                  // "{ForeignNode[a...b]}"
  std::string format_combination;      // of the region
  std::string fastest, runner_up;      // kernels
  std::optional<double> fastest_ms, runner_up_ms;
  std::uint32_t timed = 0;
  SourcePos pos;
};

// One tactic that was timed or skipped; kept with ParseOptions::keep_tactics only. The texts are
// places in TacticRecords::texts: a layer's name stands in thousands of records. 0 is no text.
struct TacticRecord {
  std::uint32_t layer = 0, format_combination = 0, runner = 0, name = 0;
  std::uint32_t skipped = 0;  // why it was not timed
  std::optional<std::uint64_t> id;
  std::optional<double> time_ms;  // none: skipped
  SourcePos pos;
};
struct TacticRecords {
  std::vector<std::string> texts{std::string()};  // each once; the first is empty
  std::vector<TacticRecord> rows;                 // in the order of the log

  [[nodiscard]] const std::string& text(std::uint32_t place) const { return texts.at(place); }
};

// What was being timed; the last one when a build died.
struct TimingCursor {
  std::string layer, runner, format_combination;
  SourcePos pos;
};

// Races between conversions, which belong to no layer.
struct ReformatTuning {
  std::uint64_t races = 0;
  TuningTime time;
};

// Where the builder put a layer: "[DlaLayer] {ForeignNode[…]}", "[GpuLayer] SHUFFLE: Reshape_2".
struct Placement {
  std::string layer;
  bool on_dla = false;
  SourcePos pos{};
};

struct OnnxNode {
  std::string name, op;
  std::vector<Tensor> inputs, outputs;
  SourcePos pos;  // of its `inputs:` line
};

struct MissingScale {
  std::string tensor;
  std::uint64_t count = 1;
  SourcePos pos;
};

// "Rejecting some int8 implementation of layer X due to missing int8 scales for tensor T"
struct RejectedInt8 {
  std::string layer, tensor;
  SourcePos pos;
};

// "PASS: Fusing A with B" and the Q/DQ forms of the graph optimizer.
struct Fusion {
  std::string pass, first, second;
  SourcePos pos;
};

struct AddedReformat {
  std::string name;  // "Reformatted Input Tensor 0 to X"
  std::string tensor, from, to;
  SourcePos pos;
};

struct LayerNote {
  std::string layer;
  std::string text;
  SourcePos pos;
};

struct BuildStage {
  std::string name;
  double s = 0;
};

struct LatencyStats {
  std::optional<double> min_ms, max_ms, mean_ms, median_ms;
  std::map<std::string, double> percentiles_ms;  // "99" -> ms
  SourcePos pos;
};

struct Performance {
  std::optional<double> throughput_qps;
  std::optional<LatencyStats> latency, gpu_compute, enqueue, h2d, d2h, end_to_end;
  std::optional<double> host_walltime_s, gpu_compute_total_s;
  std::optional<std::uint64_t> queries, warmup_queries;
  std::optional<double> coeff_var;  // fraction, of trtexec's warning
};

// "Average on N runs": one line of the trace.
struct TraceWindow {
  float gpu_ms = 0, host_ms = 0;
  std::optional<float> enqueue_ms;
};

// One query of --exportTimes. Durations in ms, start in ms since the run began.
struct Query {
  float start_ms = 0, compute_ms = 0, latency_ms = 0;
  std::optional<float> h2d_ms, d2h_ms, enqueue_ms;  // 7.0 does not say when it was enqueued
};

// One build of 11.1's tuning loop (--tuneBuildRoutes): a line of its cache, its result file, or
// what the log says of it.
struct TuningIteration {
  std::optional<std::int64_t> iteration;
  std::string build_route, error_message;
  std::optional<bool> crashed;  // as the cache says; TASK_ABORT of the log
  Outcome outcome = Outcome::unknown;
  std::optional<double> gpu_time_ms;     // as the tuner says
  std::optional<double> gpu_compute_ms;  // median of the summary that its own run printed
  // Of the output that is farthest off, and of each when they are named.
  std::optional<double> accuracy_loss;
  std::vector<std::pair<std::string, double>> accuracy_losses;
  std::optional<bool> accuracy_failed;
  std::optional<int> run;  // in the logs
  SourcePos pos;

  // The best that is known of how long a query takes.
  [[nodiscard]] std::optional<double> time_ms() const {
    return gpu_time_ms ? gpu_time_ms : gpu_compute_ms;
  }
};

struct Tuning {
  std::vector<TuningIteration> iterations;
  std::optional<std::uint64_t> routes;  // that the expression expands to
  std::optional<std::uint64_t> succeeded,
      attempted;           // "Tuning summary: 2 / 3 iterations succeeded."
  std::string best_route;  // as the tuner says
  std::optional<double> best_gpu_time_ms;
  std::optional<double> timeout_s;  // "Tuning timeout reached (60s); stopping early."
  // Of the cache's header.
  std::string expression, search, accuracy_algorithm, command;

  [[nodiscard]] bool empty() const { return iterations.empty() && !attempted && !routes; }
  // The one that the tuner calls the best, else the fastest that did not fail; null when none is.
  [[nodiscard]] const TuningIteration* best() const;
};

// What --timeDeserialize measures.
struct Deserialization {
  std::optional<double> first_ms, average_ms, bandwidth_gb_per_s;
  std::optional<std::int64_t> iterations;  // that the average is of; old versions do not say
};

struct Inference {
  std::optional<std::int64_t> batch, streams, opt_profile;
  // Streams that one query of the engine runs on, the caller's included; those beside it.
  std::optional<std::int64_t> engine_streams, aux_streams;
  std::optional<std::int64_t> worker_streams;  // engine_streams where 8.6 and later say it
  std::optional<bool> cuda_graph, data_transfers, spin_wait;
  std::optional<Deserialization> deserialization;
  // Where trtexec says that enqueueing may bound the throughput, and where TensorRT says that
  // layers are not timed while a CUDA graph is captured.
  std::optional<SourcePos> enqueue_bound, untimed_capture;
};

// Flags of a recorded trtexec command line: "--fp16" -> {"fp16", ""}.
struct CommandOptions {
  std::vector<std::pair<std::string, std::string>> flags;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> value(const std::string& name) const;  // last one wins
};

// What the build was allowed to use, from its options.
struct AllowedPrecision {
  std::vector<std::string> labels;  // "FP32", "FP16", "INT8", …; empty: not known
  bool strongly_typed = false;
  bool no_tf32 = false;
};

// One trtexec (or other) run found in a log.
struct Run {
  int n = 0;  // 1-based, over all logs
  std::string producer, command;
  Outcome outcome = Outcome::unknown;
  std::uint32_t file = 0;
  std::uint64_t first_line = 0, last_line = 0;
};

struct Build {
  std::optional<Version> tensorrt;
  std::string producer = "unknown";
  Outcome outcome = Outcome::unknown;
  std::optional<Gpu> gpu;
  std::vector<IoTensor> io_tensors;
  Inference inference;
  std::string command;  // of the run that built, else of the one that timed
  std::vector<std::string> commands;
  CommandOptions options;  // of all joined runs
  AllowedPrecision allowed;
  std::map<std::string, std::string> banner;  // "Build Options/Precision" -> "FP32+FP16"
  std::vector<OptimizationProfile> optimization_profiles;  // by profile, then as printed
  std::string plan_version;  // of the TensorRT that built the plan: --getPlanVersionOnly
  bool has_log = false, is_verbose = false;
  bool closing_line = false;  // a `&&&& PASSED|FAILED` was there
  // A program that prints no verdict said that it saved the engine, and no error came behind that.
  bool engine_saved = false;
  // An earlier run of a log of many: only its command, outcome and versions were kept.
  bool outline_only = false;
  std::vector<int> runs;  // numbers of the runs joined here

  std::vector<Message> messages;
  std::vector<Layer> layers;
  bool has_layer_info = false, has_profile = false;
  bool layer_names_only = false;  // layer info without details
  // Layers with their tensors: from the layer info, or from the dump in a log.
  [[nodiscard]] bool knows_layers() const;
  // Whether a failure or the end of a log came later: writing, loading or timing the engine.
  [[nodiscard]] bool engine_was_built() const;
  std::optional<std::uint64_t> profile_iterations;
  double profile_sum_ms = 0;   // sum of mean_ms over all profile records
  double unattributed_ms = 0;  // of records without layer info, when there is layer info
  SourcePos profile_pos, times_pos;

  Performance performance;
  std::vector<TraceWindow> trace;
  std::vector<Query> queries;
  std::vector<OutputValues> outputs;  // of --exportOutput
  std::vector<AccuracyLoss> accuracy_losses;
  Tuning tuning;

  std::vector<MissingScale> missing_scales;
  std::vector<RejectedInt8> rejected_int8;
  std::vector<Autotune> autotuning;
  std::vector<MyelinRace> myelin_races;
  TacticRecords tactic_records;            // empty without ParseOptions::keep_tactics
  std::optional<TimingCursor> last_timed;  // at the first fatal-looking error, else at the end
  std::uint64_t tactics_timed = 0, tactics_skipped = 0;
  std::array<std::uint64_t, kSkipReasons> tactics_skipped_for{};
  ReformatTuning reformat_tuning;
  std::optional<std::uint64_t> timing_cache_entries, timing_cache_hits;
  std::optional<std::uint64_t> graph_layers;  // behind the last pass over the graph
  std::vector<Placement> placements;          // of builds that know DLA
  std::vector<OnnxNode> onnx_nodes;
  std::vector<Fusion> fusions;
  std::vector<AddedReformat> added_reformats;
  std::vector<LayerNote>
      non_conforming;  // "For layer X a non-conforming implementation was chosen"
  std::vector<LayerNote> forced_precision;  // "Set layer X to precision fp32" and --layerPrecisions
  std::vector<LayerNote> dla_fallbacks;
  std::vector<LayerNote> unfused_q;  // "Swap the layer type of Q from QUANTIZE to kQDQ"
  Memory memory;
  std::optional<double> engine_build_s, engine_load_s;
  std::vector<BuildStage> stages;
};

// The rows of the banner that are not trtexec's default and say how the engine was built and run.
// Left out are those of what has a field of its own (precision, batch, streams, shapes of profiles)
// and of files to write.
[[nodiscard]] std::map<std::string, std::string> changed_options(const Build& build);

// Whether the dimensions of the layers lack the batch, as in implicit-batch engines (up to 9.x): a
// convolution over the image has one dimension more than its kernel, not two. None when no
// convolution tells.
[[nodiscard]] std::optional<bool> has_implicit_batch(const Build& build);

}  // namespace trtlens
