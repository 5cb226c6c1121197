// The result of looking at one Build: verdicts, ledgers and findings. Pure function of its inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/finding.h"
#include "analyzers/labels.h"
#include "analyzers/ledgers/rows.h"
#include "parsers/model/build.h"
#include "parsers/parse.h"

namespace trtlens {

// What a layer multiplies in. `none`: its kind has no compute (reformat, no-op, shape work).
enum class Precision : std::uint8_t {
  none,
  unknown,
  fp32,
  tf32,
  fp16,
  bf16,
  fp8,
  int8,
  int4,
  fp4,
  int32,
  int64,
  boolean,
  mixed
};
[[nodiscard]] const char* to_string(Precision precision);

// What a layer does, as far as the rules care. A softmax or a normalisation is a layer of its own
// or one of Myelin's kernels (__myl_MaxrSubExpSumDivMul…, __myl_…MeanSubMulMeanAddSqrt…).
enum class LayerRole : std::uint8_t {
  convolution,
  deconvolution,
  gemm,
  attention,  // arithmetic that has a choice of precision
  pooling,
  pointwise,
  reduction,
  softmax,
  normalisation,
  resize,
  shuffle,
  plugin,
  region,
  other,
  reformat,
  quantize,
  dequantize,  // conversions
  none         // no-op, constant, signal, wait, shape work
};
[[nodiscard]] const char* to_string(LayerRole role);

struct LayerVerdict {
  LayerRole role = LayerRole::other;
  Precision compute = Precision::unknown;
  Confidence confidence = Confidence::guessed;
  std::vector<SharedText> evidence;
};

struct ShareRow {  // of totals.by_precision and totals.by_type
  std::string label;
  std::uint32_t layers = 0;
  double time_ms = 0;
  double share = 0;
  std::uint32_t timed = 0;  // layers with a time; 0: how long the row takes is not known
};

struct Fallback {
  std::size_t layer = 0;  // index into build.layers
  std::optional<double> time_ms;
  std::string why;
  std::vector<std::string> evidence;
};

struct MissingScaleCost {
  std::string tensor;
  std::vector<std::size_t> layers;     // that produce or consume it
  std::vector<std::size_t> reformats;  // that the fallback put around them
  std::optional<double> time_ms;       // of layers and reformats
  std::optional<bool> matters;         // none: the layers at it are not known
  SourcePos pos;
};

struct ReformatEntry {
  std::size_t layer = 0;
  std::optional<std::int64_t> bytes;
  SharedText cause;  // what it converts, without the layer that needs it: see cause_of()
  std::optional<bool> removable;
  std::optional<std::size_t> caused_by;  // layer charged with it
  // That layer is an Add without Q/DQ on its residual input, which residual-add-not-quantised
  // names.
  bool is_of_residual = false;
};

// What a part of the profile's time is spent on, as far as a narrower precision is concerned.
enum class TimeUse : std::uint8_t {
  narrow,              // arithmetic as narrow as the build allows
  wide,                // arithmetic that the build allows less for
  unknown_arithmetic,  // arithmetic in what the inputs do not tell
  wide_conversion,     // conversions that are there because of wide arithmetic
  conversion,          // other conversions of a type, charged to a layer
  layout,              // conversions of the layout alone
  unknown_format,      // conversions of what the inputs do not tell
  border,              // conversions of the network's own inputs and outputs
  layout_work,         // shuffle, slice, gather: moves bytes, computes nothing
  other,               // pooling, activations, normalisation …: bound by bytes, not by arithmetic
  region,              // Myelin regions and plugins: what runs inside is not known
  unattributed         // records of the profile that the layer info does not name
};
[[nodiscard]] const char* to_string(TimeUse use);

struct AccountRow {
  TimeUse use = TimeUse::other;
  std::string detail;               // precision; why it is wide; kinds of layers
  std::vector<std::size_t> layers;  // slowest first
  double time_ms = 0, share = 0;
};

// Every microsecond of the profile in one row: why the engine is not faster.
struct TimeAccount {
  Precision narrowest = Precision::unknown;  // that the build allows, else that is seen
  bool is_allowed = false;                   // by its options; else only seen
  // Narrower ones that the GPU and the version have and the options did not allow.
  std::vector<Precision> not_allowed;
  std::vector<AccountRow> rows;  // in the order of TimeUse; most costly first within one
  double arithmetic_ms = 0;      // narrow, wide and unknown
  double wide_ms = 0;            // wide and the conversions because of it
  double conversions_ms = 0;     // all but those of the border
  // Of what may compute, but the inputs do not tell in what: regions, plugins, unknown arithmetic,
  // layers of unknown kind, records without layer info.
  double unknown_ms = 0;
  // How many times faster the layers would be, together, if what is wide (and its conversions) took
  // no time at all; if all conversions inside the network took none. None: no time would be left.
  std::optional<double> ceiling_wide, ceiling_conversions;
};

// Order statistics over the per-query samples of --exportTimes; ms.
struct SampleStats {
  std::uint64_t n = 0;
  double min_ms = 0, max_ms = 0, mean_ms = 0, median_ms = 0, p10_ms = 0, p99_ms = 0;
  double coeff_var = 0;  // standard deviation / mean, as trtexec computes it
  // Of the bulk of the queries, which a few outliers do not move: (p90 − p10) / median.
  double spread = 0;
  std::uint64_t outliers = 0;  // queries slower than twice the median
  double outliers_ms = 0;      // what they took beyond the median, in all
  // Of 1000 queries and more: of fewer it is the slowest.
  std::optional<double> p999_ms;
};

// What a failed run did not come to: building, loading or running the engine. Unknown when nothing
// shows it.
enum class FailedPhase : std::uint8_t { unknown, build, after_build, load, run };

struct Analysis {
  std::string name;  // of the build: a directory, or its first file; as given
  Build build;
  std::shared_ptr<const Reading> reading = std::make_shared<const Reading>();  // never null
  std::vector<std::string> other_builds;  // groups of inputs that did not join; of the first build
  int build_number = 1;                   // what --build calls it

  FailedPhase failed_phase = FailedPhase::unknown;  // of an outcome "failed"

  std::vector<LayerVerdict> verdicts;  // parallel to build.layers
  SharedLabels labels;                 // label_of()
  std::vector<ShareRow> by_precision, by_type;
  std::uint32_t timed_layers = 0;
  std::optional<std::vector<Fallback>> fallbacks;  // none: cannot be told
  std::vector<MissingScaleCost> missing_scales;
  std::vector<ReformatEntry> reformats;
  std::vector<Race> races;
  std::optional<TimeAccount> account;  // none: no layer has a time
  RaceLedger race_ledger;
  BuildTime build_time;
  MemoryLedger memory;
  std::optional<Reconciliation> reconciliation;  // with a profile only
  std::optional<ModuleLedger> modules;           // with a profile and names of ONNX nodes only
  std::vector<OnnxTime> onnx_times;              // with a profile only; slowest first
  Roofline roofline;
  PlacementLedger placement;
  std::optional<SampleStats> compute_samples, latency_samples, enqueue_samples;
  // Pearson's, of enqueue and GPU compute time of each query, both cut at their 99th percentile;
  // from 30 queries on.
  std::optional<double> launch_correlation;
  std::optional<SampleStats> h2d_samples, d2h_samples;

  std::vector<Finding> findings;  // in the order of every report
  std::optional<Ladder> ladder;   // none: no finding with a gain
};

// How long the GPU computes for a query.
struct QueryTime {
  double ms = 0;
  const char* statistic = "median";  // or "mean"
};
// trtexec's own median, else that of the samples, else trtexec's mean; none where there is nothing.
[[nodiscard]] std::optional<QueryTime> query_time(const Analysis& analysis);

// Lines of TensorRT or trtexec that are of no known kind.
[[nodiscard]] std::uint64_t unknown_lines(const Analysis& analysis);
// Whether lines were read of which none is trtexec's or TensorRT's, and nothing else: the log of
// another program. Its traceback or crash is of a known kind, and makes no run.
[[nodiscard]] bool is_of_another_program(const Analysis& analysis);

// Whether the median query waits for its launches, so that no other step is sure to make it faster.
[[nodiscard]] bool waits_for_launches(const Analysis& analysis);

// The last stage of a run that something is known of: "timing tactics".
[[nodiscard]] const char* last_stage(const Build& build);

// Of a build among many: how it ended, its times, shares of precision, findings. What else is known
// of it, layers and messages among it, is let go. Findings stay where they are in memory.
[[nodiscard]] Analysis outline_of(Analysis whole);

struct RuleBase;  // analyzers/rules/rule.h

struct AnalyzeOptions {
  std::vector<std::string> ignore;        // RULE[:LAYER-REGEX]
  std::shared_ptr<const RuleBase> rules;  // null: the embedded ones
  // A profile that lacks layers counts as none: a sum of a part is no less time.
  bool whole_profiles = false;
};

// What --build calls the i-th of Analysis::other_builds, when `reported` is in the report.
[[nodiscard]] inline int number_of_other(std::size_t i, int reported) {
  const int number = static_cast<int>(i) + 1;
  return number < reported ? number : number + 1;
}

// Whether an item, RULE or RULE:LAYER-REGEX, is of the finding.
[[nodiscard]] bool is_ignored(const Finding& finding, const std::vector<std::string>& ignore);
// What is wrong with an item of AnalyzeOptions::ignore; empty when nothing is.
[[nodiscard]] std::string ignore_problem(const std::string& item, const RuleBase* rules = nullptr);

[[nodiscard]] inline std::string label_of(const Analysis& analysis, std::size_t layer) {
  return analysis.labels.of(analysis.build, layer);
}

// Fills in where findings are: their layers, else those of their evidence, by the labels of the
// first of the sides that has them.
void name_places(const std::vector<const Analysis*>& sides, std::vector<Finding>& findings);

// What the conversion is for, with the name of the layer that is charged with it.
[[nodiscard]] std::string cause_of(const Analysis& analysis, const ReformatEntry& entry);
// The same with its label.
[[nodiscard]] std::string cause_by_label(const Analysis& analysis, const ReformatEntry& entry);

[[nodiscard]] Analysis analyze(Build build, std::string name,
                               std::shared_ptr<const Reading> reading,
                               const AnalyzeOptions& options);
// The build to report; it knows the names of the others.
[[nodiscard]] Analysis analyze(ParseResult parsed, const AnalyzeOptions& options);
// The build to report and behind it the others; an empty one where nothing was a build.
[[nodiscard]] std::vector<Analysis> analyze_all(ParseResult parsed, const AnalyzeOptions& options);

// Mean profile time of a layer, 0 when it has none: for sums of known times only.
[[nodiscard]] inline double time_or_zero(const Layer& layer) {
  return layer.time ? layer.time->mean_ms : 0.0;
}

}  // namespace trtlens
