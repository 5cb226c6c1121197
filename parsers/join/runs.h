// Which runs of the logs of a directory are one Build.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "parsers/log/log_parser.h"
#include "parsers/model/build.h"
#include "parsers/parse.h"

namespace trtlens {

// Names as their hashes: of an engine of 200000 layers the texts would take 30 MB, and two equal
// hashes would move an overlap by one name.
class NameSet {
 public:
  void insert(const std::string& name) { hashes_.insert(std::hash<std::string>()(name)); }
  void insert(const NameSet& other) { hashes_.insert(other.hashes_.begin(), other.hashes_.end()); }
  [[nodiscard]] bool empty() const { return hashes_.empty(); }
  [[nodiscard]] std::size_t size() const { return hashes_.size(); }
  [[nodiscard]] std::size_t common_with(const NameSet& other) const;

 private:
  std::unordered_set<std::size_t> hashes_;
};

[[nodiscard]] NameSet names_of(const std::vector<Layer>& layers);

// Layers of other dialects (Myelin regions against their kernels) share few names even in one
// directory; below this two exports describe different engines.
inline constexpr double kSameDirectoryOverlap = 0.5;
// Of the smaller set; 1 when one is empty.
[[nodiscard]] double overlap(const NameSet& a, const NameSet& b);

// A run of a log; its layers, nodes and races are known when they were asked for.
struct LogRun {
  Build build;
  RestOfRun rest;
  Run run{};
  int left_out_before = 0;  // runs of the log in front of it, of which nothing was kept

  Build& whole() {
    make_whole(build, rest);
    return build;
  }
};

template <typename T>
void take_if_known(std::optional<T>& into, std::optional<T>& from) {
  if (from) into = std::move(from);
}

// Of one directory. A log may hold thousands, and as many Builds do not move well.
using DirectoryRuns = std::deque<LogRun>;

// Whether the run was to build an engine, by its command.
[[nodiscard]] bool builds_engine(const Build& build);

// Of one of several builds of a log, by what its command builds or loads: "a.log, run 2: b.onnx".
[[nodiscard]] std::string run_name(const std::string& log, int run, const CommandOptions& options);

// Whether one of these commands exports to a file of the name of `path`.
[[nodiscard]] bool exports_file(const std::vector<Build>& logs, const std::string& path);

// Whether `timing` times the engine that `building` saved.
[[nodiscard]] bool times_engine_of(const Build& timing, const Build& building, bool only_two);

// The runs to report: the chosen one and what joins it, the building run first.
[[nodiscard]] std::vector<std::size_t> chosen_runs(DirectoryRuns& runs, std::size_t chosen);

// Which runs are builds, in the order of their last runs: `reported` is one of them, and so are the
// newest others of its log that build an engine or time another one; not what times the engine of
// one of these builds once more. `all_logs`: also of other logs. Of a directory these are of the
// same build.
[[nodiscard]] std::vector<std::vector<std::size_t>> builds_among(
    DirectoryRuns& runs, const std::vector<std::size_t>& reported, bool all_logs);

// The run that built or timed the engine of `chosen`, which joined nothing, when it was so long ago
// that only its outline is kept, or nothing of it.
void say_what_was_not_kept(const DirectoryRuns& runs, std::size_t chosen, Reading& result);

}  // namespace trtlens
