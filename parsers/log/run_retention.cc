#include "parsers/log/run_retention.h"

#include <cstddef>
#include <utility>

namespace trtlens {
namespace {

// What the Build of a run is going to hold, roughly.
std::size_t held_bytes(const RunBuilder& run) {
  constexpr std::size_t kLayer = 2400, kNode = 1000, kRace = 500, kNote = 250;
  constexpr std::size_t kOfDeferred = 3;  // of a byte put off
  constexpr std::size_t kEmpty = 5000;
  const Build& build = run.build;
  std::size_t texts = 0;
  for (const Message& message : build.messages) texts += message.text.size();
  return kEmpty + texts + build.layers.size() * kLayer + build.onnx_nodes.size() * kNode +
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
  held_.push_back(held_bytes(*run));
  held_in_all_ += held_.back();
  whole_.push_back(std::move(run));
  outlines_.emplace_back();
  forget_old();
}

Build& EndedRuns::build(std::size_t i) {
  return whole_[i] ? whole_[i]->build : outlines_[i];
}

void EndedRuns::forget_old() {
  constexpr std::size_t kBudget = std::size_t{16} << 20;
  for (; held_in_all_ > kBudget && oldest_ + 2 < whole_.size(); ++oldest_) {
    held_in_all_ -= held_[oldest_];
    if (static_cast<int>(oldest_) + 1 == kept_run_) continue;
    outlines_[oldest_] = outline_of(whole_[oldest_]->build);
    whole_[oldest_].reset();
  }
}

void EndedRuns::take(std::vector<Build>& builds, std::vector<RestOfRun>& rests) {
  builds = std::move(outlines_);
  rests.resize(whole_.size());
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    if (!whole_[i]) continue;
    builds[i] = std::move(whole_[i]->build);
    rests[i] = std::move(whole_[i]);
  }
}

void make_whole(Build& build, RestOfRun& rest) {
  if (!rest) return;
  rest->build = std::move(build);
  rest->make_whole();
  build = std::move(rest->build);
  rest.reset();
}

}  // namespace trtlens
