// The model: everything known of one TensorRT build and its timing. Plain data, standard library
// only.
//
// Units: times in milliseconds (`_ms`), unless `_s`; memory in bytes (`_bytes`); shares are
// fractions. What an input did not say is std::nullopt, DataType::unknown or an empty string, never
// 0.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parsers/model/autotuning.h"
#include "parsers/model/diagnostic.h"
#include "parsers/model/engine.h"
#include "parsers/model/layers.h"
#include "parsers/model/memory_use.h"
#include "parsers/model/messages.h"
#include "parsers/model/routes.h"
#include "parsers/model/tensor.h"
#include "parsers/model/timing.h"

namespace trtlens {

struct Build {
  // Defined once, in model.cc: else each file that holds one compiles them.
  Build();
  Build(const Build& other);
  Build(Build&& other) noexcept;
  Build& operator=(const Build& other);
  Build& operator=(Build&& other) noexcept;
  ~Build();

  std::optional<Version> tensorrt;
  std::string producer = "unknown";
  Outcome outcome = Outcome::unknown;
  std::optional<Gpu> gpu;
  std::vector<IoTensor> io_tensors;
  Inference inference;
  std::string command;            // of the run that built, else of the one that timed
  bool command_is_typed = false;  // it stood above the lines, as a shell shows it
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

  std::set<std::string> packages;  // programs: of tracebacks and loggers, or they said so
  std::vector<Message> messages;
  std::vector<Layer> layers;
  bool has_layer_info = false, has_profile = false;
  bool layer_names_only = false;  // layer info without details
  // Layers with their tensors: from the layer info, or from the dump in a log.
  [[nodiscard]] bool knows_layers() const;
  // Whether a failure or the end of a log came later: writing, loading or timing the engine.
  [[nodiscard]] bool engine_was_built() const;
  // Other programs use trtexec's logger: only its banner and the command that it prints are its
  // own. The head of an ONNX model is the parser's.
  [[nodiscard]] bool names_trtexec() const;
  // A few lines of a log, without the head and the end of a run.
  [[nodiscard]] bool is_excerpt() const { return !closing_line && !names_trtexec(); }
  std::optional<std::uint64_t> profile_iterations;
  double profile_sum_ms = 0;   // sum of mean_ms over all profile records
  double unattributed_ms = 0;  // of records without layer info, when there is layer info
  // Of the layer info, where the profile has no record of theirs: it is of a part of the engine.
  std::size_t layers_without_time = 0;
  bool profile_cut = false;  // its document ends too early, and no layer info tells what it lacks
  SourcePos profile_pos, times_pos;

  Performance performance;
  std::vector<TraceWindow> trace;
  std::vector<Query> queries;
  std::vector<OutputValues> outputs;  // of --exportOutput
  std::vector<AccuracyLoss> accuracy_losses;
  Tuning tuning;

  std::vector<MissingScale> missing_scales;
  std::vector<RejectedInt8> rejected_int8;
  std::deque<Autotune> autotuning;  // tens of thousands, never copied
  std::vector<MyelinRace> myelin_races;
  TacticRecords tactic_records;            // empty without ParseOptions::keep_tactics
  std::optional<TimingCursor> last_timed;  // at the first fatal-looking error, else at the end
  std::uint64_t tactics_timed = 0, tactics_skipped = 0;
  std::array<std::uint64_t, kSkipReasons> tactics_skipped_for{};
  ReformatTuning reformat_tuning;
  std::optional<std::uint64_t> timing_cache_entries, timing_cache_hits;
  std::optional<std::uint64_t> graph_layers;  // behind the last pass over the graph
  std::vector<Placement> placements;          // of builds that know DLA
  SparseLayers sparse;
  std::vector<OnnxNode> onnx_nodes;
  std::vector<LayerNote>
      non_conforming;  // "For layer X a non-conforming implementation was chosen"
  std::vector<LayerNote> forced_precision;  // "Set layer X to precision fp32" and --layerPrecisions
  Memory memory;
  std::optional<double> engine_build_s, engine_load_s;
  std::vector<BuildStage> stages;
};

// What the build was allowed to use: the recorded flags, else the banner.
[[nodiscard]] AllowedPrecision allowed_precision(const Build& build);

// The rows of the banner that are not trtexec's default and say how the engine was built and run.
// Left out are those of what has a field of its own (precision, batch, streams, shapes of profiles)
// and of files to write.
[[nodiscard]] std::map<std::string, std::string> changed_options(const Build& build);

// Whether the dimensions of the layers lack the batch, as in implicit-batch engines (up to 9.x): a
// convolution over the image has one dimension more than its kernel, not two. None when no
// convolution tells.
[[nodiscard]] std::optional<bool> has_implicit_batch(const Build& build);

}  // namespace trtlens
