// What is kept of the runs of a log that holds many.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "parsers/build.h"
#include "parsers/log/log_parser.h"
#include "parsers/log/run_builder.h"

namespace trtlens {

// Memory stays bounded by the newest runs: one of them is reported, with what joins it. They can
// be made whole while they would hold less than 16 MiB, the last two and the one asked for at any
// size. Of the others the outline stays: who wants more asks for it by --run.
class EndedRuns {
 public:
  // 1-based; 0: none is asked for.
  void keep_run(int n) { kept_run_ = n; }
  void add(std::unique_ptr<RunBuilder> run);
  // What is known of a run but for its rest.
  [[nodiscard]] Build& build(std::size_t i);
  // One a run, in the order in which they were added; `rests` in parallel.
  void take(std::vector<Build>& builds, std::vector<RestOfRun>& rests);

 private:
  void forget_old();

  int kept_run_ = 0;
  std::vector<std::unique_ptr<RunBuilder>> whole_;  // null: an outline
  std::vector<Build> outlines_;                     // parallel
  std::vector<std::size_t> held_;                   // parallel; bytes
  std::size_t held_in_all_ = 0;                     // by runs from oldest_ on
  std::size_t oldest_ = 0;                          // all before it are outlines, but for kept_run_
};

}  // namespace trtlens
