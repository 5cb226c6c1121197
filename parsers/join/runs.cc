// Pairs a run that builds with the runs that time its engine, and says what of them was lost.
#include "parsers/join/runs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace trtlens {
namespace {

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

// A log without a command may be of any program in the same directory.
bool shows_engine(const Build& build) {
  const Performance& timed = build.performance;
  return timed.throughput_qps || timed.latency || timed.gpu_compute || build.engine_load_s ||
         !build.trace.empty() || build.knows_layers();
}

// A run that failed saved no engine; one of another model has other layers.
bool may_join(LogRun& building, LogRun& timing) {
  if (building.build.outcome == Outcome::failed) return false;
  if (building.build.outline_only || timing.build.outline_only) return false;
  const NameSet built = names_of(building.whole().layers);
  const NameSet timed = names_of(timing.whole().layers);
  return overlap(built, timed) >= kSameDirectoryOverlap;
}

// They would be one Build, but of one of them only the outline is kept.
bool is_lost(const Build& timing, const Build& building) {
  return (timing.outline_only || building.outline_only) && building.outcome != Outcome::failed &&
         times_engine_of(timing, building, false);
}

// Where the search for what belongs to a run ended, because what is farther may be of another
// engine; one of the two, or neither.
struct Lost {
  std::optional<std::size_t> outline;         // that would join
  std::optional<std::size_t> left_out_front;  // of this run others were left out, which might
};

Lost lost_build(const DirectoryRuns& runs, std::size_t chosen) {
  const Build& timing = runs[chosen].build;
  if (builds_engine(timing) || !timing.options.has("loadEngine")) return {};
  for (std::size_t i = chosen;; --i) {
    if (runs[i].left_out_before > 0) return {std::nullopt, i};
    if (i == 0) return {};
    if (is_lost(timing, runs[i - 1].build)) return {i - 1, std::nullopt};
  }
}

Lost lost_timing(const DirectoryRuns& runs, std::size_t chosen) {
  const Build& building = runs[chosen].build;
  if (!building.options.has("saveEngine") || building.outcome == Outcome::failed) return {};
  for (std::size_t i = chosen + 1; i < runs.size(); ++i) {
    if (runs[i].left_out_before > 0) return {std::nullopt, i};
    if (is_lost(runs[i].build, building)) return {i, std::nullopt};
    if (builds_engine(runs[i].build)) break;
  }
  return {};
}

// What was meant to be there, and what is known of it.
void say(const DirectoryRuns& runs, const Lost& lost, const std::string& what, Reading& result) {
  if (!lost.outline && !lost.left_out_front) return;
  const LogRun& at = runs[lost.outline ? *lost.outline : *lost.left_out_front];
  Diagnostic said;
  said.id = "run-not-kept";
  said.file = result.inputs[at.run.file].path;
  said.expected = what + " of this engine among the newest runs of the log";
  if (lost.outline) {
    said.line = at.run.first_line;
    said.found = "run " + std::to_string(at.run.n) + ", far before them; --run " +
                 std::to_string(at.run.n) + " reports it";
  } else {
    const std::string last = std::to_string(at.run.n - 1);
    said.found = at.left_out_before == 1
                     ? "run " + last + ", left out, which may be it; --run " + last + " reports it"
                     : "runs " + std::to_string(at.run.n - at.left_out_before) + " to " + last +
                           ", left out, one of which may be it; --run N reports one of them";
  }
  result.diagnostics.push_back(std::move(said));
}

// In front of a first command stands what its caller did; and of some runs too little is kept.
bool is_known(LogRun& run) {
  if (run.build.outline_only) return false;
  return !run.build.command.empty() || run.build.outcome != Outcome::unknown ||
         shows_engine(run.whole());
}

// One more timing of an engine whose build is not in the log.
bool times_again(const DirectoryRuns& runs, std::size_t timing,
                 const std::vector<std::vector<std::size_t>>& builds) {
  const auto loaded = runs[timing].build.options.value("loadEngine");
  if (!loaded || builds_engine(runs[timing].build)) return false;
  return std::ranges::any_of(builds, [&](const std::vector<std::size_t>& build) {
    return !builds_engine(runs[build[0]].build) &&
           runs[build[0]].build.options.value("loadEngine") == loaded;
  });
}

// What may be a build beside the reported one. `all_logs`: not only of its log.
std::vector<std::size_t> other_runs(const DirectoryRuns& runs,
                                    const std::vector<std::size_t>& reported, bool all_logs) {
  std::set<int> trials;  // of a tuner: they are its build
  for (const LogRun& one : runs) {
    for (const TuningIteration& trial : one.build.tuning.iterations) {
      if (trial.run) trials.insert(*trial.run);
    }
  }
  std::set<std::uint32_t> logs;
  for (const std::size_t i : reported) logs.insert(runs[i].run.file);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i].run;
    if ((all_logs || logs.contains(run.file)) && !trials.contains(run.n)) others.push_back(i);
  }
  return others;
}

}  // namespace

bool builds_engine(const Build& build) {
  return build.options.has("onnx") || build.options.has("uff") || build.options.has("deploy") ||
         build.options.has("model") || build.options.has("saveEngine");
}

std::string run_name(const std::string& log, int run, const CommandOptions& options) {
  constexpr std::size_t kLongestName = 80;
  std::string name = (log == "-" ? "standard input" : log) + ", run " + std::to_string(run);
  for (const char* const option : {"onnx", "uff", "deploy", "model", "loadEngine"}) {
    const std::string file = file_name(options.value(option).value_or(""));
    if (file.empty() || file.size() > kLongestName) continue;
    name += ": ";
    return name += file;
  }
  return name;
}

bool exports_file(const std::vector<Build>& logs, const std::string& path) {
  const auto is_it = [&](const auto& flag) {
    return flag.first.starts_with("export") && file_name(flag.second) == file_name(path);
  };
  return std::ranges::any_of(
      logs, [&](const Build& log) { return std::ranges::any_of(log.options.flags, is_it); });
}

std::size_t NameSet::common_with(const NameSet& other) const {
  const auto is_in_other = [&other](std::size_t hash) { return other.hashes_.count(hash) != 0; };
  return static_cast<std::size_t>(std::count_if(hashes_.begin(), hashes_.end(), is_in_other));
}

NameSet names_of(const std::vector<Layer>& layers) {
  NameSet names;
  for (const Layer& layer : layers) names.insert(layer.name);
  return names;
}

double overlap(const NameSet& a, const NameSet& b) {
  if (a.empty() || b.empty()) return 1;
  return static_cast<double>(a.common_with(b)) / static_cast<double>(std::min(a.size(), b.size()));
}

bool times_engine_of(const Build& timing, const Build& building, bool only_two) {
  if (!builds_engine(building) || builds_engine(timing)) return false;
  const auto saved = building.options.value("saveEngine");
  const auto loaded = timing.options.value("loadEngine");
  if (saved && loaded && *saved == *loaded) return true;
  return only_two && (loaded.has_value() || (timing.command.empty() && shows_engine(timing)));
}

// Several builds may save to one path: a timing run belongs to the last one before it. Where runs
// were left out, and at an outline that would join, nobody knows what is the last one.
std::vector<std::size_t> chosen_runs(DirectoryRuns& runs, std::size_t chosen) {
  const bool all = std::all_of(runs.begin(), runs.end(),
                               [](const LogRun& one) { return one.left_out_before == 0; });
  const bool only_two = all && runs.size() == 2;
  const auto joins = [&](std::size_t timing, std::size_t building) {
    return times_engine_of(runs[timing].build, runs[building].build, only_two) &&
           may_join(runs[building], runs[timing]);
  };
  const auto lost = [&](std::size_t timing, std::size_t building) {
    return is_lost(runs[timing].build, runs[building].build);
  };
  // Files are read by name, so a build log may also come behind its timing log.
  for (std::size_t i = chosen; i-- > 0;) {
    if (runs[i + 1].left_out_before > 0 || lost(chosen, i)) break;
    if (joins(chosen, i)) return {i, chosen};
  }
  for (std::size_t i = chosen + 1; i < runs.size(); ++i) {
    if (runs[i].left_out_before > 0 || lost(i, chosen)) break;
    if (joins(i, chosen)) return {chosen, i};
    if (only_two && joins(chosen, i)) return {i, chosen};
    if (builds_engine(runs[i].build)) break;
  }
  // Within one file the order is that of time: what was timed before is an older engine.
  const auto file_of = [&](std::size_t i) { return runs[i].run.file; };
  if (only_two && chosen == 1 && file_of(0) != file_of(1) && joins(0, 1)) return {1, 0};
  return {chosen};
}

std::vector<std::vector<std::size_t>> builds_among(DirectoryRuns& runs,
                                                   const std::vector<std::size_t>& reported,
                                                   bool all_logs) {
  constexpr std::size_t kMost = 100;
  const std::vector<std::size_t> others = other_runs(runs, reported, all_logs);
  std::vector<std::vector<std::size_t>> builds = {reported};
  std::set<std::size_t> taken(reported.begin(), reported.end());
  for (std::size_t k = others.size(); k-- > 0 && builds.size() < kMost;) {
    const std::size_t i = others[k];
    if (taken.contains(i) || !is_known(runs[i])) continue;
    std::vector<std::size_t> joined = chosen_runs(runs, i);
    // What was timed before its build, in one log, is an older engine.
    const bool is_older = joined.front() > i && runs[joined.front()].run.file == runs[i].run.file;
    if (is_older) joined = {i};
    if (std::ranges::any_of(joined, [&](std::size_t j) { return taken.contains(j); })) continue;
    if (joined.size() == 1 && times_again(runs, i, builds)) continue;
    taken.insert(joined.begin(), joined.end());
    builds.push_back(joined);
  }
  std::ranges::sort(builds, {}, [](const auto& build) { return std::ranges::max(build); });
  return builds;
}

void say_what_was_not_kept(const DirectoryRuns& runs, std::size_t chosen, Reading& result) {
  say(runs, lost_build(runs, chosen), "the build", result);
  say(runs, lost_timing(runs, chosen), "the timing", result);
}

}  // namespace trtlens
