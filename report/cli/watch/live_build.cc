// Folds what is new behind every chunk of a log.
#include "report/cli/watch/live_build.h"

#include <algorithm>
#include <chrono>

#include "analyzers/labels.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::size_t kShown = 3;

// The first of `layers` in an order; those that `has` says nothing of are left out.
template <typename Has, typename Before>
std::vector<LiveLayer> first_of(const std::vector<LiveLayer>& layers, const Has& has,
                                const Before& before) {
  std::vector<const LiveLayer*> some;
  for (const LiveLayer& layer : layers) {
    if (has(layer)) some.push_back(&layer);
  }
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kShown, some.size()));
  std::partial_sort(some.begin(), some.begin() + shown, some.end(),
                    [&](const LiveLayer* a, const LiveLayer* b) { return before(*a, *b); });
  std::vector<LiveLayer> first;
  for (auto at = some.begin(); at != some.begin() + shown; ++at) first.push_back(**at);
  return first;
}

std::string stage_of(const LogSoFar& log) {
  if (log.verdict) return *log.verdict == Outcome::failed ? "failed" : "passed";
  const bool is_timing = log.layers.begun > 0 && !log.layers.is_over;
  return is_timing && !log.build.engine_was_built() ? "timing tactics" : last_stage(log.build);
}

}  // namespace

void LiveBuild::begin_run(const LogSoFar& log) {
  std::vector<LiveProblem> problems = std::move(state_.problems);
  state_ = LiveState();
  state_.problems = std::move(problems);  // of the runs before it: they were shown
  run_ = log.first_line;
  races_taken_ = messages_seen_ = last_message_bytes_ = scales_seen_ = 0;
  places_.clear();
  layers_.clear();
  nodes_.clear();
  passed_.reset();
  pace_ = Pace();
  begun_ = 0;
  stamps_at_begin_s_ = log.elapsed_s;
  run_began_s_ = last_s_;
}

// On the clock of the log's stamps, going on from the last one by ours.
double LiveBuild::log_s(double now_s) const {
  if (!stamps_s_) return now_s - run_began_s_;
  return *stamps_s_ - stamps_at_begin_s_.value_or(0) + (now_s - last_s_);
}

void LiveBuild::take_races(const std::deque<Autotune>& races) {
  for (; races_taken_ < races.size(); ++races_taken_) {
    const Autotune& race = races[races_taken_];
    const auto [place, is_new] = places_.try_emplace(race.layer.str(), layers_.size());
    if (is_new) layers_.emplace_back().label = name_label(race.layer.str());
    LiveLayer& layer = layers_[place->second];
    layer.tactics += race.timed + race.skipped;
    layer.tuning_s += race.time.runners_s.value_or(race.time.stamps_s.value_or(0));
    if (race.chosen_ms && (!layer.best_ms || *race.chosen_ms < *layer.best_ms)) {
      layer.best_ms = race.chosen_ms;
      layer.tactic = race.chosen_name.empty() ? race.chosen_runner.str() : race.chosen_name.str();
    }
    if (const auto place_in_network = place_of(race.layer.str())) passed_ = place_in_network;
  }
}

std::optional<double> LiveBuild::place_of(const std::string& layer) const {
  std::size_t last = 0;
  for (const SharedText& node : onnx_nodes_of_name(SharedText(layer))) {
    const auto found = nodes_.find(node.str());
    if (found != nodes_.end()) last = std::max(last, found->second + 1);
  }
  if (last == 0) return std::nullopt;
  return static_cast<double>(last) / static_cast<double>(nodes_.size());
}

void LiveBuild::take_layers(const LogSoFar& log) {
  if (log.layers.begun < begun_) {  // another pass over the graph
    pace_ = Pace();
    begun_ = 0;
    passed_.reset();
  }
  if (nodes_.empty() && log.build.graph_layers) {
    for (const OnnxNode& node : log.build.onnx_nodes) nodes_.emplace(node.name, nodes_.size());
  }
  take_races(log.races);
  if (log.layers.begun > begun_) {
    begun_ = log.layers.begun;
    pace_.layer_begun(begun_, log_s(last_s_));
  }
  // Before 8.0 no line begins a layer.
  state_.layer = begun_ > 0 ? begun_ : layers_.size();
  const bool is_of_them = log.layers.at_most && state_.layer <= *log.layers.at_most;
  state_.of_at_most = is_of_them ? log.layers.at_most : std::nullopt;
}

// A flood of new messages must not hold up the pipe.
void LiveBuild::look_for_problems(const LogSoFar& log, double now_s) {
  const std::vector<Message>& messages = log.build.messages;
  const std::size_t bytes = messages.empty() ? 0 : messages.back().text.size();
  const std::size_t scales = log.build.missing_scales.size();
  const bool has_new_message = messages.size() != messages_seen_ || bytes != last_message_bytes_;
  if (!has_new_message && scales == scales_seen_) return;
  constexpr double kSpareSeconds = 0.5, kMostShare = 0.1;
  if (spent_s_ > kSpareSeconds + kMostShare * (now_s - first_s_.value_or(now_s))) return;
  messages_seen_ = messages.size();
  last_message_bytes_ = bytes;
  scales_seen_ = scales;
  const auto begin = std::chrono::steady_clock::now();
  for (const Finding& finding : problems_so_far(log.whole(), how_.rules.get())) {
    const bool is_known =
        std::any_of(state_.problems.begin(), state_.problems.end(),
                    [&](const LiveProblem& problem) { return problem.rule == finding.rule; });
    if (is_known || is_ignored(finding, how_.ignore)) continue;
    state_.problems.push_back(
        {upper_case(to_string(finding.severity)), finding.title, finding.rule});
  }
  spent_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void LiveBuild::take(const LogSoFar& log, double now_s) {
  if (!first_s_) first_s_ = now_s;
  last_s_ = now_s;
  if (run_ != log.first_line) begin_run(log);
  stamps_s_ = log.elapsed_s;
  verdict_ = log.verdict;
  state_.stage = stage_of(log);
  state_.is_timing = state_.stage == "timing tactics";
  state_.lines = log.last_line;
  state_.timed = log.build.tactics_timed;
  state_.skipped = log.build.tactics_skipped;
  if (log.cursor.layer != now_name_) {
    now_name_ = log.cursor.layer;
    state_.now = name_label(now_name_);
  }
  state_.runner = log.cursor.runner;
  take_layers(log);
  look_for_problems(log, now_s);
}

LiveState LiveBuild::state(double now_s) const {
  LiveState state = state_;
  if (!first_s_) return state;
  state.elapsed_s = log_s(verdict_ ? last_s_ : now_s);
  if (state.is_timing && state.of_at_most) {
    state.left_s = pace_.remaining(*state.of_at_most, passed_, state.elapsed_s);
  }
  // A layer that is being timed may yet find a faster tactic.
  const auto at = places_.find(now_name_);
  const LiveLayer* now = state.is_timing && at != places_.end() ? &layers_[at->second] : nullptr;
  state.slowest = first_of(
      layers_, [&](const LiveLayer& layer) { return &layer != now && layer.best_ms.has_value(); },
      [](const LiveLayer& a, const LiveLayer& b) { return *a.best_ms > *b.best_ms; });
  state.longest = first_of(
      layers_, [](const LiveLayer& layer) { return layer.tuning_s > 0; },
      [](const LiveLayer& a, const LiveLayer& b) { return a.tuning_s > b.tuning_s; });
  return state;
}

}  // namespace trtlens
