// The newest runs stay whole within a limit of memory; of older ones an outline is kept.
#include "parsers/log/runs/run_retention.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace trtlens {
namespace {

// A record with some texts, of those that come by the thousand.
constexpr std::size_t kNote = 250;

// A usual one is a note; a long text counts as what it is.
std::size_t note(std::size_t texts) {
  constexpr std::size_t kRecord = 150;
  return std::max(kNote, kRecord + texts);
}

template <typename T, typename F>
std::size_t sum(const std::vector<T>& all, F bytes_of) {
  std::size_t bytes = 0;
  for (const T& one : all) bytes += bytes_of(one);
  return bytes;
}

std::size_t bytes_of_notes(const std::vector<LayerNote>& notes) {
  return sum(notes, [](const LayerNote& n) { return note(n.layer.size() + n.text.size()); });
}

// Of the passes over the graph.
std::size_t bytes_of_graph(const Build& b) {
  return sum(b.missing_scales, [](const MissingScale& m) { return note(m.tensor.size()); }) +
         sum(b.rejected_int8,
             [](const RejectedInt8& r) { return note(r.layer.size() + r.tensor.size()); }) +
         sum(b.placements, [](const Placement& p) { return note(p.layer.size()); }) +
         bytes_of_notes(b.non_conforming) + bytes_of_notes(b.forced_precision);
}

// Of the banner, the device, the memory, inputs and outputs.
std::size_t bytes_of_facts(const Build& b) {
  constexpr std::size_t kRow = 130;  // of a map, beside its texts
  std::size_t bytes = b.plan_version.size();
  for (const auto& [key, value] : b.banner) bytes += kRow + key.size() + value.size();
  if (b.gpu) bytes += b.gpu->name.size() + b.gpu->compute_capability.size();
  for (const std::string& package : b.packages) bytes += note(package.size());
  if (const auto& at = b.last_timed) {
    bytes += at->layer.size() + at->runner.size() + at->format_combination.size();
  }
  return bytes +
         sum(b.io_tensors,
             [](const IoTensor& io) {
               return note(sizeof(IoTensor) + io.tensor.name.size() + io.tensor.format.size());
             }) +
         sum(b.optimization_profiles,
             [](const OptimizationProfile& p) { return note(sizeof(p) + p.input.size()); }) +
         sum(b.outputs,
             [](const OutputValues& o) { return note(sizeof(o) + o.tensor.name.size()); }) +
         sum(b.memory.steps, [](const MemoryStep& s) { return note(s.phase.size()); }) +
         sum(b.memory.layers, [](const LayerMemory& l) { return note(l.layer.size()); }) +
         sum(b.stages, [](const BuildStage& s) { return sizeof(s) + s.name.size(); }) +
         sum(b.tuning.iterations, [](const TuningIteration& t) {
           return note(sizeof(t) + t.build_route.size() + t.error_message.size());
         });
}

// What the Build of a run is going to hold, roughly.
std::size_t held_bytes(const RunBuilder& run) {
  constexpr std::size_t kLayer = 2400, kNode = 1000, kMyelinRace = 500;
  constexpr std::size_t kOfDeferred = 3;  // of a byte put off
  constexpr std::size_t kOfCommand = 4;   // the run's, the build's two and its flags
  constexpr std::size_t kEmpty = 5000;
  const Build& build = run.build;
  return kEmpty + run.run.command.size() * kOfCommand +
         sum(build.messages, [](const Message& m) { return kNote + m.text.size(); }) +
         sum(build.layers, [](const Layer& layer) { return kLayer + layer.name.size(); }) +
         sum(build.onnx_nodes, [](const OnnxNode& node) { return kNode + node.name.size(); }) +
         run.autotune.bytes() + build.myelin_races.size() * kMyelinRace + run.myelin.bytes() +
         run.deferred.bytes() * kOfDeferred + build.trace.size() * sizeof(TraceWindow) +
         bytes_of_graph(build) + bytes_of_facts(build);
}

// Of thousands of outlines: no text of a line of 1 MiB.
void shorten(std::string& text) {
  constexpr std::size_t kMostBytes = 256;
  if (text.size() <= kMostBytes) return;
  text = text.substr(0, kMostBytes);  // resize() would keep the memory
}

Build outline_of(Build& build) {
  Build outline;
  outline.tensorrt = build.tensorrt;
  outline.producer = std::move(build.producer);
  outline.outcome = build.outcome;
  outline.gpu = std::move(build.gpu);
  if (outline.gpu) {
    shorten(outline.gpu->name);
    shorten(outline.gpu->compute_capability);
  }
  outline.command = std::move(build.command);
  outline.command_is_typed = build.command_is_typed;
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
  const auto too_many = [this] {
    return whole_bytes_ > kBudget || runs_.size() - first_whole_ > kMaxRuns;
  };
  for (; too_many() && first_whole_ + 2 < runs_.size(); ++first_whole_) {
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
