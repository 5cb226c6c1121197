#include "parsers/log/run_retention.h"

#include <cstddef>
#include <utility>

namespace trtlens {
namespace {

// What the Build of a run is going to hold, roughly.
std::size_t held_bytes(const RunBuilder& run) {
  constexpr std::size_t kLayer = 2400, kNode = 1000, kRace = 500, kNote = 250;
  constexpr std::size_t kOfDeferred = 3;  // of a byte put off
  constexpr std::size_t kOfCommand = 4;   // the run's, the build's two and its flags
  constexpr std::size_t kEmpty = 5000;
  const Build& build = run.build;
  std::size_t texts = 0;
  for (const Message& message : build.messages) texts += message.text.size();
  return kEmpty + run.run.command.size() * kOfCommand + texts + build.layers.size() * kLayer +
         build.onnx_nodes.size() * kNode +
         (run.autotune.races() + build.myelin_races.size()) * kRace + run.myelin.bytes() +
         run.deferred.bytes() * kOfDeferred + build.trace.size() * sizeof(TraceWindow) +
         (build.messages.size() + build.fusions.size() + build.added_reformats.size() +
          build.missing_scales.size() + build.rejected_int8.size() + build.memory.steps.size() +
          build.memory.layers.size() + build.placements.size()) *
             kNote;
}

Build outline_of(Build& build) {
  Build outline;
  outline.tensorrt = build.tensorrt;
  outline.producer = std::move(build.producer);
  outline.outcome = build.outcome;
  outline.gpu = std::move(build.gpu);
  outline.command = std::move(build.command);
  outline.commands = std::move(build.commands);
  outline.options = std::move(build.options);
  outline.runs = std::move(build.runs);
  outline.has_log = true;
  outline.closing_line = build.closing_line;
  outline.outline_only = true;
  return outline;
}

}  // namespace

void EndedRuns::add(std::unique_ptr<RunBuilder> run) {
  Ended ended;
  ended.run = run->run;
  ended.held_bytes = held_bytes(*run);
  whole_bytes_ += ended.held_bytes;
  command_bytes_ += ended.run.command.size();
  ended.whole = std::move(run);
  runs_.push_back(std::move(ended));
  ++count_;
  forget_old();
}

bool EndedRuns::close(std::string_view command, Outcome outcome) {
  // As many as would run at once; a search through all of them for every verdict has no end.
  constexpr std::size_t kSearched = 1000;
  const std::size_t end = runs_.size() > kSearched ? runs_.size() - kSearched : 0;
  for (std::size_t i = runs_.size(); i-- > end;) {
    Ended& ended = runs_[i];
    Build& build = ended.whole ? ended.whole->build : *ended.outline;
    if (build.closing_line || ended.run.command != command) continue;
    build.closing_line = true;
    ended.run.outcome = build.outcome = outcome;
    return true;
  }
  return false;
}

void EndedRuns::forget_old() {
  constexpr std::size_t kBudget = std::size_t{16} << 20;
  constexpr std::size_t kCommandBytes = std::size_t{4} << 20;
  for (; whole_bytes_ > kBudget && first_whole_ + 2 < runs_.size(); ++first_whole_) {
    Ended& ended = runs_[first_whole_];
    whole_bytes_ -= ended.held_bytes;
    if (is_asked_for(ended)) continue;
    ended.outline = std::make_unique<Build>(outline_of(ended.whole->build));
    ended.whole.reset();
  }
  while (first_whole_ > 0 && (runs_.size() > kMaxRuns || command_bytes_ > kCommandBytes)) {
    drop_oldest();
  }
}

void EndedRuns::drop_oldest() {
  Ended& ended = runs_.front();
  command_bytes_ -= ended.run.command.size();
  if (is_asked_for(ended)) asked_for_ = std::make_unique<Ended>(std::move(ended));
  runs_.pop_front();
  --first_whole_;
}

void EndedRuns::take(Ended& ended, LogResult& result) {
  result.runs.push_back(std::move(ended.run));
  Build& build = ended.whole ? ended.whole->build : *ended.outline;
  result.builds.push_back(std::move(build));
  ended.outline.reset();
  result.rests.emplace_back(std::move(ended.whole));
}

void EndedRuns::take(LogResult& result) {
  result.runs_left_out = static_cast<std::uint64_t>(count_) - runs_.size() - (asked_for_ ? 1 : 0);
  if (asked_for_) take(*asked_for_, result);
  for (; !runs_.empty(); runs_.pop_front()) take(runs_.front(), result);
}

void make_whole(Build& build, RestOfRun& rest) {
  if (!rest) return;
  rest->build = std::move(build);
  rest->make_whole();
  build = std::move(rest->build);
  rest.reset();
}

}  // namespace trtlens
