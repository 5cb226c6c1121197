// Two builds side by side: what differs, whether the candidate is slower, where and why. The unit
// of a verdict is the run, not the query (docs/compare.md).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

enum class Verdict : std::uint8_t { cannot_tell, no_change, improved, regressed };
[[nodiscard]] const char* to_string(Verdict verdict);

struct Difference {
  std::string what;  // option, gpu, version, clock, default, network, shape, timing
  std::string name;
  std::optional<std::string> base, candidate;  // none: not there, or not known
  bool matters = true;
};

// What would turn "cannot tell" into an answer.
struct Settle {
  // A side, in four of five cases; none: more than anybody runs, and `obstacle` says why.
  std::optional<std::size_t> runs;
  std::string obstacle;
  std::array<std::string, 2> commands;  // that time each side's engine; "" when none was recorded
};

// A run that contributes to nothing else in a comparison, but for the layers' times of one whose
// engine has no other.
struct LeftOutRun {
  std::string name;  // as Analysis::name
  std::string why;   // "10.2 % slower than the other runs", "its build failed: …"
};

// Of a verdict of single runs, in its notes; `confirm` says how many runs would tell.
inline constexpr std::string_view kSlowProcess = "one slow process can look like this shift";

struct EngineVerdict {
  std::string metric = "gpu_compute_ms";  // or profile_sum_ms, when that is all there is
  // Means over the runs that count; ratio: candidate / base.
  std::optional<double> base_ms, candidate_ms, delta_ms, ratio;
  std::optional<std::array<double, 2>> ci95;  // of the ratio, over runs
  std::optional<double> p_value;              // of no shift
  std::array<std::uint64_t, 2> queries{};     // of the runs that count
  std::array<std::uint32_t, 2> runs{};        // given
  std::array<std::vector<LeftOutRun>, 2> left_out;
  // The least shift that matters, and the least that is a verdict here: the slower side over the
  // faster one, minus 1, so that exchanging the sides exchanges the answer.
  double margin = 0.02;
  double noise_floor = 0.05;
  // assumed, given, repetitions, history, queries (scatter inside the runs), threshold
  std::string noise_floor_from = "assumed";
  std::optional<double> scatter;  // standard deviation between runs, share
  std::string method;
  std::string reason;              // of a verdict that no number of runs will change
  std::vector<std::string> notes;  // what was odd about the runs
  Verdict verdict = Verdict::cannot_tell;
  std::optional<Settle> settle;  // of cannot_tell
  // Of a verdict of single runs that one slow process could look like (one in eight was 10 % slower
  // for no visible cause).
  std::optional<Settle> confirm;
};

// Why a group's time may have shifted.
struct LayerReason {
  enum class About { precision, fusion, other };
  About about = About::other;
  std::string what;    // "1 reformat added"
  std::string detail;  // of it: " (+0.0081 ms)"
  [[nodiscard]] std::string text() const { return what + detail; }
};

// Layers of both sides that do the same work: m:n across fusions. Groups partition both sides.
struct LayerGroup {
  std::vector<std::size_t> base, candidate;  // indices into the builds' layers
  std::string how;        // onnx, tensors, signature, name, only_base, only_candidate
  double confidence = 0;  // that the two sides of it are the same work
  // Sums of the layers' times, which are means over the runs that count.
  double base_ms = 0, candidate_ms = 0, delta_ms = 0;
  std::array<std::string, 2> precision;  // of the arithmetic in it; "" when there is none
  Verdict verdict = Verdict::cannot_tell;
  std::optional<double> p_value;  // with several runs a side, before the correction
  std::vector<LayerReason> why;

  [[nodiscard]] std::vector<std::string> why_texts() const;
};

// Part of the shift of the profile: "6 element-wise kernels gone".
struct ShiftPart {
  std::string text;
  double delta_ms = 0;
  // Kernels whose times it is made of, of base and candidate: indices into the builds' layers.
  std::array<std::vector<std::size_t>, 2> layers{};
};

// A finding of the slower side that explains part of it.
struct ShiftFinding {
  std::string what;  // new, gone, more, less: only the slower side has it, or it costs that more
  std::string rule, title;
  double delta_ms = 0;
};

struct Comparison {
  // Of the run of each side that says most about its layers, with the layers' times of all runs
  // that count.
  Analysis base, candidate;
  std::array<std::size_t, 2> profiled_runs{};  // whose layers' times these are
  bool comparable = true;
  std::vector<std::string> not_comparable;  // reasons, when it is not: failed builds first
  std::size_t failed_sides = 0;             // how many of those reasons are failed builds
  bool can_force = true;                    // both sides have times: --force can give a verdict
  bool refused = false;                     // not comparable, and not or in vain forced
  bool same_files = false;
  std::vector<Difference> differences;
  EngineVerdict engine;
  std::vector<LayerGroup> groups;  // largest shift first
  std::string cause;  // sentences: what the shift consists of; empty when nothing shifted
  // What it is made of: queries and layers at odds, parts (below), writers of wide types, findings.
  std::string at_odds;
  std::vector<std::string> writers;  // "quantized layers that write FP16: 11 instead of 0"
  std::vector<ShiftFinding> shift_findings;
  std::vector<ShiftPart> parts;  // of that shift, largest first; none: no profiles
  double aligned_share_base = 0, aligned_share_candidate = 0;  // of profile time
  // Kernels with a time: all, those that only convert type or layout, Q and DQ of their own.
  std::array<std::size_t, 2> launches{}, reformats{}, qdq_kernels{};
  // Why the engines are compared by their profiles; empty when they are not.
  std::string why_profile;
  std::vector<Finding> findings;
};

// What a run says of its speed, and all that is left of one that a history keeps: the figure of
// each source that runs are compared by, best first (analyzers/compare/runs/run_statistics.h).
struct RunSpeed {
  std::string name;
  // 10th percentile of the queries, median and mean of the summary, 10th percentile of the trace,
  // sum of the profile.
  std::array<std::optional<double>, 5> ms;
  std::optional<double> error;  // of the logarithm, from inside the run: standard error, or drift
  std::uint64_t queries = 0;
};
[[nodiscard]] RunSpeed speed_of(const Analysis& run);
// Which of RunSpeed::ms every one of these runs has, best first; none: no such figure.
[[nodiscard]] std::optional<std::size_t> common_figure(const std::vector<RunSpeed>& runs);

struct CompareOptions {
  double noise_floor = 0.05;  // of single runs
  double margin = 0.02;
  bool force = false;                     // give a verdict although the sides are not comparable
  bool same_files = false;                // both sides were read from the same files
  std::vector<std::string> shared_files;  // that both sides were read from, with the base's paths
  // Runs of a history, oldest first, of which the base is the last one: they are its repetitions.
  std::vector<RunSpeed> earlier;
  // With `earlier`, of a candidate that a history has kept: in the place of what its analysis says,
  // which has no queries any more.
  std::optional<RunSpeed> kept;
  AnalyzeOptions analyze;  // of what several runs say together
};

// Each side: one analysis a run; several are repetitions of the same build.
[[nodiscard]] Comparison compare(std::vector<Analysis> base, std::vector<Analysis> candidate,
                                 const CompareOptions& options);

// The layers of both sides in groups, without times and verdicts.
[[nodiscard]] std::vector<LayerGroup> align(const Analysis& base, const Analysis& candidate);
// Whether the inputs show how the engine was built: a run that loads an engine does not say it.
[[nodiscard]] bool tells_its_build(const Build& build);
[[nodiscard]] std::vector<Difference> differences_of(const Build& base, const Build& candidate);

}  // namespace trtlens
