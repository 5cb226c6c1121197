// Shows a build while its log is read: on a terminal a block of lines at its lower end, elsewhere a
// line now and then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "report/cli/watch/live_build.h"

namespace trtlens {

// Whether standard error is a terminal that can be drawn on; `tee`: the log goes to standard
// output.
[[nodiscard]] bool shows_live_view(bool tee);

// Draws on standard error, from a thread of its own: who reads the log never waits for a terminal.
class LiveView {
 public:
  LiveView(AnalyzeOptions how, bool is_screen);
  ~LiveView();  // erases the block
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  void take(const LogSoFar& log);

 private:
  using Clock = std::chrono::steady_clock;
  void draw_all();
  void draw(const LiveState& state);
  void print(const LiveState& state);
  [[nodiscard]] std::string erased(std::size_t width) const;
  // Those that nobody was told of yet: for the terminal, and as lines of their own.
  [[nodiscard]] std::string new_problems(const std::vector<LiveProblem>& problems,
                                         std::size_t columns);
  void tell(const std::vector<LiveProblem>& problems);
  [[nodiscard]] double now_s() const;

  const bool is_screen_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable wakes_;
  bool stopped_ = false, has_news_ = false;  // and live_: with mutex_ held
  LiveBuild live_;
  // Of the thread that draws.
  std::vector<std::string> block_;  // what stands on the terminal
  std::size_t problems_shown_ = 0;
  std::string stage_shown_;
  std::uint64_t layer_shown_ = 0;
  Clock::time_point printed_ = start_;
  std::thread drawer_;  // last: it uses the others
};

}  // namespace trtlens
