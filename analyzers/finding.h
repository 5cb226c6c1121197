// What a rule found. Positions are resolved to paths, so that writers need no parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

enum class Severity : std::uint8_t { info, minor, moderate, major, fatal };
enum class Confidence : std::uint8_t { guessed, inferred, measured };
[[nodiscard]] const char* to_string(Severity severity);
[[nodiscard]] const char* to_string(Confidence confidence);
// Weight of a stake in the order of findings: measured 1, inferred 0.7, guessed 0.4.
[[nodiscard]] double weight_of(Confidence confidence);

// A place in a file (file, line, text), a measured value of a layer (layer, metric, value), or one
// of what the note names (note, metric, value).
struct Evidence {
  SharedText file{};
  std::uint64_t line = 0;
  SharedText text{};  // what stands on that line, shortened at most
  SharedText note{};  // our own words about it
  SharedText layer{}, metric{};
  std::optional<double> value{};
};

// Where mending takes two steps: what the first of them wins without the other.
struct FirstStep {
  std::string what;  // "the weights alone"
  double low_ms = 0, high_ms = 0;
};

struct MsRange {
  double low_ms = 0, high_ms = 0;
};

struct Gain {  // profile ms that doing what the first remedy says is estimated to win
  double low_ms = 0, high_ms = 0;
  std::string basis;
  std::optional<FirstStep> first_step{};
  std::optional<MsRange> query{};  // of GPU compute time per query; none: no query was timed
};

inline constexpr std::size_t kPlacesNamed = 3;  // of Finding::where, at most
inline constexpr std::size_t kMostActions = 3;  // of Finding::remedies, and of Steps

struct Finding {
  std::string rule;      // stable id, kebab-case
  std::string cause;     // id of what is wrong (analyzers/rules/causes.json); else that of the rule
  std::string category;  // build-failure, precision-fallback, qdq-placement, …
  Severity severity = Severity::info;
  Confidence confidence = Confidence::inferred;
  std::optional<double> stake_ms;  // profile ms in question
  std::optional<Gain> gain;
  std::string gain_unknown;  // why there is no gain, of a stake that has none
  std::string title;  // what is wrong, in 12 words; numbers stand in fields and in the evidence
  std::string why;    // two sentences at most
  std::vector<Evidence> evidence;
  std::vector<std::string> remedies;  // best first
  std::string next_check;  // what would settle it, its commands in backticks; may be none
  std::vector<std::string> sources;
  std::vector<SharedText> layers;  // whose time is in the stake
  std::vector<SharedText> about;   // of these, those that the title names; empty: all
  // Short labels of the layers that it is about, costliest first: the first ones, and how many more
  // there are.
  std::vector<std::string> where;
  std::size_t where_left_out = 0;
};

// "layer1.0.conv2, maxpool, fc and 5 more"; empty: no layer.
[[nodiscard]] std::string where_text(const Finding& finding);
[[nodiscard]] std::string where_text(const std::vector<std::string>& places, std::size_t left_out);

// A next check in two: what it tells, and the commands, to be copied as they are.
struct Check {
  std::string text;
  std::vector<std::string> commands;
  bool is_answer = false;  // the text begins with what the commands before it tell
};
[[nodiscard]] Check check_of(std::string_view next_check);

// What to do, in order, kMostActions at most. Where the evidence fits several causes (guessed), the
// check that tells them apart is the first step; else it comes after all of them.
struct Steps {
  std::vector<std::string> actions;  // without commands that begin or end a sentence
  // Without its commands; where it is the first action, what that of many words leaves out.
  std::string check;
  std::vector<std::string> commands;  // of the actions, then of the check
};
[[nodiscard]] Steps steps_of(const Finding& finding);

// The GPU waits for launches: no other finding can show its gain.
[[nodiscard]] inline bool says_launch_bound(const Finding& finding) {
  return finding.rule == "enqueue-bound" && finding.severity > Severity::minor;
}

}  // namespace trtlens
