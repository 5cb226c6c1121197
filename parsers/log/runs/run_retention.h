// What is kept of the runs of a log that holds many.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>

#include "parsers/log/log_parser.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/model/build.h"

namespace trtlens {

// Memory stays bounded by the newest runs: one of them is reported, with what joins it. They can
// be made whole while they would hold less than 16 MiB, the last two and the one asked for at any
// size. Of the others the outline stays, of the newest kMaxRuns and while their commands hold less
// than 4 MiB; of those before them nothing. Who wants more asks for it by --run.
class EndedRuns {
 public:
  static constexpr std::size_t kMaxRuns = 3000;

  // `kept_run`: the one asked for, 1-based; 0: none.
  explicit EndedRuns(int kept_run) : kept_run_(kept_run) {}
  void add(std::unique_ptr<RunBuilder> run);
  // All that were added, kept or not.
  [[nodiscard]] int count() const { return count_; }
  // A verdict of a run that was left open when another one began: of the newest of that command.
  // False: there is none.
  bool close(std::string_view command, Outcome outcome);
  // Of every run that is kept, in the order in which they were added.
  void take(LogResult& result);

 private:
  struct Ended {
    Run run;
    std::unique_ptr<RunBuilder> whole;  // null: an outline
    std::unique_ptr<Build> outline;
    std::size_t held_bytes = 0;
  };

  [[nodiscard]] bool is_asked_for(const Ended& ended) const { return ended.run.n == kept_run_; }
  void forget_old();
  void drop_oldest();
  static void take(Ended& ended, LogResult& result);

  int kept_run_, count_ = 0;
  std::deque<Ended> runs_;
  std::unique_ptr<Ended> asked_for_;  // older than all of runs_
  std::size_t whole_bytes_ = 0;       // held by runs from first_whole_ on
  std::size_t first_whole_ = 0;       // all before it are outlines, but for kept_run_
  std::size_t command_bytes_ = 0;     // of runs_
};

}  // namespace trtlens
