// What a log says of a build while it runs: stage, pace, slowest layers, first problems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/parse.h"
#include "report/cli/watch/pace.h"

namespace trtlens {

// Texts are the input's.
struct LiveProblem {
  std::string severity, title;  // "FATAL"
  std::string rule;
};

struct LiveLayer {
  std::string label;
  std::optional<double> best_ms;  // the fastest tactic of all its combinations
  std::string tactic;             // that one
  double tuning_s = 0;            // 0: the log does not say it
  std::uint64_t tactics = 0;      // timed and skipped
};

struct LiveState {
  std::string stage = "waiting for a line of TensorRT";
  std::uint64_t layer = 0;  // 0: none is being timed
  std::optional<std::uint64_t> of_at_most;
  std::string now, runner;  // the layer that is being timed
  std::uint64_t timed = 0, skipped = 0;
  double elapsed_s = 0;                // by the log's stamps, else since its first line came
  std::optional<SecondsRange> left_s;  // of the layers
  bool is_timing = false;
  std::uint64_t lines = 0;
  std::vector<LiveLayer> slowest, longest;  // the first three
  std::vector<LiveProblem> problems;        // in the order in which they came
};

class LiveBuild {
 public:
  explicit LiveBuild(AnalyzeOptions how) : how_(std::move(how)) {}

  // `now_s`: seconds on a clock of ours.
  void take(const LogSoFar& log, double now_s);
  [[nodiscard]] LiveState state(double now_s) const;

 private:
  void begin_run(const LogSoFar& log);
  void take_races(const std::deque<Autotune>& races);
  void take_layers(const LogSoFar& log);
  void look_for_problems(const LogSoFar& log, double now_s);
  [[nodiscard]] double log_s(double now_s) const;
  [[nodiscard]] std::optional<double> place_of(const std::string& layer) const;

  AnalyzeOptions how_;
  std::uint64_t run_ = 0;  // its first line
  std::optional<double> first_s_, stamps_s_, stamps_at_begin_s_;
  double last_s_ = 0, run_began_s_ = 0;
  std::size_t races_taken_ = 0;
  std::unordered_map<std::string, std::size_t> places_;  // in layers_
  std::vector<LiveLayer> layers_;
  std::unordered_map<std::string, std::size_t> nodes_;  // of the network, in its order
  std::optional<double> passed_;
  Pace pace_;
  std::uint64_t begun_ = 0;
  std::optional<Outcome> verdict_;
  std::string now_name_;
  std::size_t messages_seen_ = 0, last_message_bytes_ = 0, scales_seen_ = 0;
  double spent_s_ = 0;  // on looking for problems
  LiveState state_;
};

}  // namespace trtlens
