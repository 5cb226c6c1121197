// Shared by the files that build the Document; not for writers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/text.h"
#include "report/document/document.h"
#include "report/document/engine.h"

namespace trtlens {

// Numbers as every format shows them. "unknown" for what is not known, never 0.
[[nodiscard]] std::string ms_text(const std::optional<double>& ms);
[[nodiscard]] std::string us_text(double ms);  // "4.97 µs"
// "0.1 to 0.2 ms of profile time", with what that is per query where it is known.
[[nodiscard]] std::string gain_text(const Gain& gain);
// Per query where that is known: "up to 0.592 ms per query".
[[nodiscard]] std::string short_gain_text(const Gain& gain);
// "the weights alone from nothing up to 0.592 ms"
[[nodiscard]] std::string first_step_text(const FirstStep& step);
[[nodiscard]] std::string bytes_text(std::int64_t bytes);  // MiB; KiB below 0.1 MiB
[[nodiscard]] std::string bytes_text(const std::optional<std::int64_t>& bytes);
[[nodiscard]] std::string seconds_text(double s);
[[nodiscard]] std::string number_text(double value);  // 4 significant digits at least, no exponent
[[nodiscard]] std::string count_text(std::uint64_t n, const char* one, const char* many);
// The first `most` parts; "and 7 more" stands for the rest.
[[nodiscard]] std::string join_some(const std::vector<std::string>& parts, std::size_t most);
// "dynamic × 3 × 224 × 224"; "unknown" without any.
[[nodiscard]] std::string dims_text(const Dims& dims);

[[nodiscard]] const char* to_string(DiagnosticSeverity severity);
// As lines "p.json:3:7: warning: expected a time, found nan [json-nan]": the first five of each id,
// or `all`; and of each id that has more "and 3 more [id]".
struct DiagnosticLines {
  std::vector<std::string> shown, more;
};
[[nodiscard]] DiagnosticLines diagnostic_lines(const std::vector<Diagnostic>& diagnostics,
                                               bool all = false);

[[nodiscard]] Cell text_cell(std::string text);
[[nodiscard]] Cell ms_cell(const std::optional<double>& ms);
[[nodiscard]] Cell share_cell(const std::optional<double>& share);
[[nodiscard]] Cell count_cell(std::uint64_t n);

// Facts of which the unknown ones are left out.
class FactList {
 public:
  explicit FactList(std::string title, std::string name = "") {
    facts_.title = std::move(title);
    facts_.name = std::move(name);
  }
  [[nodiscard]] const Facts& facts() const { return facts_; }
  void add(const char* label, std::string value) {
    if (!value.empty()) facts_.facts.push_back({label, std::move(value)});
  }
  void add_to(Section& section) {
    if (!facts_.facts.empty()) section.add(std::move(facts_));
  }

 private:
  Facts facts_;
};

class NameLabels;  // report/document/layer_names.h

// What several sections need of an Analysis, worked out once. Tables that make their rows later
// share it.
struct Context : std::enable_shared_from_this<Context> {
  explicit Context(const Analysis& of) : analysis(of), build(of.build) {}

  const Analysis& analysis;
  const Build& build;
  std::vector<const Finding*> findings;     // to report, in their order
  std::size_t accepted = 0;                 // findings, by a baseline
  std::size_t top = 0;                      // rows and cards shown in full; 0: all
  double profile_ms = 0;                    // sum of the profile; 0: no profile
  std::optional<double> gpu_compute_ms;     // of a query
  const char* gpu_compute_what = "median";  // or "mean"
  std::vector<std::size_t> by_time;         // indices of layers, timed ones first, slowest first
  bool is_pasted = false;                   // a few lines of a log: neither layers nor times
  bool explains_notes = false;              // they are all there is to say of what was pasted

  [[nodiscard]] std::string place(const SourcePos& pos) const;  // "build.log:12"; "" when unknown
  // Of a table that shows `least` rows however few are asked for; 0: all.
  [[nodiscard]] std::size_t rows_shown(std::size_t least) const;
  [[nodiscard]] std::optional<double> share_of(const std::optional<double>& ms) const;
  // Whether it stands in a line at the end, without a card and a number.
  [[nodiscard]] bool is_note(const Finding& finding) const {
    return finding.severity == Severity::info && !explains_notes;
  }
  [[nodiscard]] const LayerVerdict& verdict(std::size_t layer) const;
  [[nodiscard]] std::string compute_of(std::size_t layer) const;  // "INT8", "none", "unknown"
  // Made when they are asked for first.
  [[nodiscard]] const NameLabels& name_labels() const;
  // Version as 10000 * major + 100 * minor + patch; 0 when unknown.
  [[nodiscard]] int version() const;

 private:
  mutable std::shared_ptr<const NameLabels> name_labels_;
};

// `top` and `gate`: as in build_document().
[[nodiscard]] std::shared_ptr<const Context> make_context(const Analysis& analysis, int top,
                                                          const GateResult* gate);

[[nodiscard]] Tone tone_of(Severity severity);
[[nodiscard]] std::optional<double> layer_ms(const Layer& layer);  // none when not finite
// Element type and memory format of a tensor: "INT8 (Row major Int8 format)".
[[nodiscard]] std::string tensor_kind(const Tensor& tensor);
// Its shape and its type: "32×64×112×112 INT8"; "?" for a dynamic size.
[[nodiscard]] std::string shape_text(const Tensor& tensor);
// What the layer's time is spent on: a precision, "Q/DQ", "reformat", "no arithmetic", "unknown".
[[nodiscard]] std::string kind_of(const Context& context, std::size_t layer);
// Of every layer the part of the network that it stands in, "layer1.0"; "" where no name says so. A
// conversion stands where the layer does that is charged with it.
[[nodiscard]] Words modules_of(const Context& context);
// Lines of a text of the input, at most `most`; "…" stands for the rest.
[[nodiscard]] std::vector<std::string> first_lines(const std::string& text, std::size_t most);

// "build.log:12", or the file alone where the line is not known.
[[nodiscard]] std::string place_of(const Evidence& evidence);
// The path of an input as people read it: "standard input" for "-".
[[nodiscard]] std::string input_text(const std::string& path);
// Of the layers that fall back to FP32 or TF32; none when none of them has a time.
[[nodiscard]] std::optional<double> fallback_ms(const Analysis& analysis);

// What a failed run did not come to: building, loading or running the engine.
struct FailedWords {
  const char *verdict, *no_timing, *no_layers, *stake;
  bool builds;  // the run was to build an engine
};
[[nodiscard]] const FailedWords& failed_words(const Analysis& analysis);

// Share of the time, from which on it is said beside every judgement.
inline constexpr double kMuchUnknown = 0.2;
// Flags that would supply what is missing. Empty: nothing is missing.
[[nodiscard]] std::vector<std::string> missing_flags(const Context& context);
// A profile was read, and says nothing: every time in it is 0.
[[nodiscard]] bool profile_is_zero(const Context& context);
// Files that the command exported what is missing to.
[[nodiscard]] std::vector<std::string> unread_exports(const Context& context);
// Why the build failed, for the first screen; null unless it failed.
[[nodiscard]] const Finding* fatal_finding(const Context& context);
// That ended because somebody asked trtlens to end; null: there is none with a run of this build.
[[nodiscard]] const Input* interrupted_input(const Analysis& analysis);
// Why a run came to no end: the fatal one, or that its log stops; of what was pasted the first.
[[nodiscard]] const Finding* ending_finding(const Context& context);

// "0.798 ms", "per query (GPU compute, median of 2485, p99 0.819 ms)"; throughput, latency.
[[nodiscard]] Tile speed_tile(const Context& context);
// "INT8 62 %, FP16 4 %", "unknown", and what is to be said beside it.
[[nodiscard]] Tile precision_tile(const Context& context);
// The time now, after findings, and at the roof; of a query where its time is known. Bars: of the
// first findings.
[[nodiscard]] std::vector<LadderBar> ladder_bars(const Context& context);
[[nodiscard]] std::optional<Table> ladder_table(const Context& context);
// " alone, 0.0320 to 0.0360 ms after the above": what findings before it leave of its gain; ""
// where that is nearly all.
[[nodiscard]] std::string gain_left_text(const Context& context, const Finding& finding);
[[nodiscard]] std::string ladder_roof_text(const Context& context);  // "": it has none
// What a layer's roof is, behind "roof: ".
inline constexpr const char* kRoofWords = "what the GPU's peaks allow";
// "1 major, 2 minor, 3 notes": worst first.
[[nodiscard]] std::string severity_counts(const std::vector<const Finding*>& findings,
                                          bool with_notes);
void add_headline(const Context& context, Document& out);
// Of a document with its headline.
[[nodiscard]] Screen screen_of(const Context& context, const Document& document);
[[nodiscard]] std::vector<StripPart> strip_of(const Context& context);
[[nodiscard]] std::vector<KindShare> kinds_of(const Context& context);
[[nodiscard]] EngineView engine_view(const Context& context);
// Of the tables "stages" and "tuning" of the section on build time; `sizes` of that on memory.
[[nodiscard]] std::optional<Drawing> build_drawing(const Context& context);
[[nodiscard]] std::optional<Drawing> sizes_drawing(const Context& context, const Facts& sizes);
[[nodiscard]] std::vector<Drawing> step_drawings(const Context& context);
// What no stage of the log names, of the time until the engine was built; none: not known, or too
// short to matter.
[[nodiscard]] std::optional<double> unnamed_s(const Context& context);
// "4 s" by the stamps of lines, which do not say more than whole seconds; "4.12 s".
[[nodiscard]] std::string tuning_text(double s, TuningClock clock);

// The sections of a build, in their order; empty where there is nothing to say.
using MakeSection = Section(const Context& context);
MakeSection findings_section, account_section, time_section, layer_section, module_section,
    roofline_section, precision_section, reformat_section, tactic_section, placement_section,
    tuning_section, build_time_section, memory_section, build_section, configuration_section,
    input_section;

}  // namespace trtlens
