// What stands on the first screen of a report, in the order of the screen. Formats draw it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/document/tone.h"

namespace trtlens {

// A layer in the order of execution, or several too short to be seen.
struct StripPart {
  double ms = 0;
  std::string kind;    // "INT8", "Q/DQ", "reformat", "no arithmetic", "unknown"
  std::string module;  // the part of the network it stands in; "" where no name says so
};

[[nodiscard]] double sum_ms(const std::vector<StripPart>& strip);
// What can be seen of it where `whole_ms` fill the width: shorter parts are one with those before.
[[nodiscard]] std::vector<StripPart> drawn_parts(const std::vector<StripPart>& strip,
                                                 double whole_ms);
// How much of the layers' time each kind of work has.
struct KindShare {
  std::string kind;
  double share = 0;
};
// Of a strip whose parts are a layer each, most first.
[[nodiscard]] std::vector<KindShare> kinds_of(const std::vector<StripPart>& strip);

struct ScreenLayer {
  std::size_t layer = 0;
  std::string label;
  double ms = 0, share = 0;
  std::string kind;
  std::string roof;  // "17 %" of what the GPU can do; "" where it is not known
};

// Time now, after a finding and those before it, or at the roof.
struct LadderBar {
  std::string label;  // "now", the title of a finding, "after all 7", "roof"
  std::string text;   // "0.390 to 0.456 ms (inferred)"
  double low_ms = 0, high_ms = 0;
  std::size_t finding = 0;  // number of its card; 0: none
};

struct Screen {
  std::string verdict;                  // "Passed, 1 major, 2 minor"; of a failure "Build failed"
  Tone verdict_tone = Tone::plain;      // of the worst finding from moderate on
  bool cause_first = false;             // it failed, or ended before anything was timed
  bool is_pasted = false;               // a few lines of a log, without any time
  std::string speed;                    // "0.798 ms per query (…)"; empty: not known
  std::vector<std::string> more_speed;  // throughput, latency, sum of the profile
  std::vector<StripPart> strip;         // of all timed layers
  std::vector<KindShare> kinds;         // of them, most first
  std::string precision;                // "INT8 62 %, reformat 20 % of profile time"
  std::string fallbacks, scales;        // which layers fall back, which tensors have no scale
  std::string modules;                  // the costliest, in order: "layer1 16 %, fc 1.4 %"
  std::string outside_modules;          // what the rest of that does: "(INT8 23 %, reformat 19 %)"
  std::vector<ScreenLayer> hottest;     // slowest first
  std::size_t more_layers = 0;
  double more_ms = 0;
  std::vector<LadderBar> ladder;   // now first; empty: nothing is known to win time
  bool ladder_is_query = false;    // its ms are of a query, else of the profile
  std::string roof;                // what the ladder's roof is, in words; "": it has none
  std::size_t findings = 0;        // that are no notes
  std::size_t builds = 1;          // in the inputs, with this one
  std::vector<std::string> also;   // build time, engine, memory
  std::vector<std::string> notes;  // titles of the findings that are notes, one a rule
};

// The same of two builds.
struct ScreenFigure {
  std::string name, base, candidate, change;
  bool is_count = false;    // of kernels; else a time
  std::string note;         // of a time: what its change is held against, or what it is made of
  bool is_profile = false;  // a time of the profile, else per query
};
struct ScreenDifference {
  std::string name, base, candidate;
};
// Part of the shift of the profile, in ms without the unit; "" where no time is known of it.
struct ScreenReason {
  std::string shift, text;
};
struct ScreenFinding {
  std::string word;  // "major"; else "no longer", "cheaper", "costlier": only the base has it, or
                     // it costs less
  Tone tone = Tone::plain;
  std::string title, rule;
  std::string action;                 // the first; "" where there is none
  std::vector<std::string> commands;  // of an action that checks first
};
// Why a build failed, as its own report says it.
struct ScreenFailure {
  std::string side;  // "The candidate's build failed"; "" where the report is on that build
  std::string title, why;
  Tone tone = Tone::fatal;  // of the title
  std::vector<std::string> steps;
  std::string next_check;
  std::vector<std::string> commands;
  std::vector<std::pair<std::string, std::vector<std::string>>> quotes;  // places and lines
};
// Layers of both sides that do the same work, or of one side alone.
struct ScreenShift {
  std::string layer;                   // short label of the one that it is about
  std::string shift, base, candidate;  // in ms, without the unit
  std::string precision, why;
};
struct ComparisonScreen {
  // Defined once, in document.cc: else each file that holds one compiles them.
  ComparisonScreen();
  ComparisonScreen(const ComparisonScreen& other);
  ComparisonScreen(ComparisonScreen&& other) noexcept;
  ComparisonScreen& operator=(const ComparisonScreen& other);
  ComparisonScreen& operator=(ComparisonScreen&& other) noexcept;
  ~ComparisonScreen();

  std::string title, verdict;         // "a → b"; a sentence
  std::string base, candidate;        // names of the sides
  std::string word;                   // "Regressed"
  Tone tone = Tone::plain;            // of the word
  std::vector<std::string> because;   // sentences: of a word that no figure explains
  std::vector<std::string> notes;     // what the reader must know before any number
  std::vector<ScreenFigure> figures;  // times and counts
  std::vector<ScreenFigure> memory;   // bytes that differ
  std::string at_odds;  // queries and layers shifted in opposite directions: a sentence
  std::vector<ScreenDifference> differs;  // options, versions, networks: those that matter
  std::string unknown_build;              // whose build the inputs do not show; "" where they do
  std::vector<ScreenReason> reasons;      // largest first
  std::vector<ScreenFinding> findings;    // those that explain the shift first
  bool has_changed = false;               // the shifts have a verdict; else they may be noise
  std::vector<ScreenShift> shifts;        // largest first
  std::size_t more_shifts = 0;
  std::vector<ScreenFailure> failures;
  std::string next;  // what would settle or confirm the verdict
  // Commands that do, and whose engine they time: "base", "both sides".
  std::vector<std::pair<std::string, std::string>> commands;
};

// A build that was held against a contract.
struct ScreenClause {
  std::string name, expected, found, layers, cause;
};
struct ScreenOpen {  // clauses that lack the same
  std::vector<std::string> clauses;
  std::string why, needs;
};
struct ContractScreen {
  std::vector<ScreenClause> broken;
  std::vector<ScreenOpen> open;
  std::vector<std::string> held;  // names of clauses
};

// Layers of either side of a comparison, by their numbers.
struct LayersOfSides {
  std::vector<std::uint32_t> base, candidate;
};

// One step of the way from the base's profile time to the candidate's.
struct ShiftStep {
  std::string label;  // "base", "6 element-wise kernels gone", "candidate"
  std::string text;   // "0.854 ms", "-0.0447 ms"
  double from_ms = 0, to_ms = 0;
  LayersOfSides layers{};  // whose times it is made of; of "base" and "candidate": none
};

// What a page draws of two builds with a profile.
struct ComparisonView {
  std::array<std::vector<StripPart>, 2> strips;  // base, candidate
  std::array<std::vector<KindShare>, 2> kinds;   // of all layers of the side, most first
  std::vector<ShiftStep> steps;
  // Layers of the groups that the tables show, by table, in the order of its rows.
  std::vector<std::vector<LayersOfSides>> groups;
};

}  // namespace trtlens
