// One line on the terminal, for what takes longer than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace trtlens {

// A thread of its own says that nothing comes: trtexec is silent for minutes while it builds.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // erases it
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Bytes read so far and in all; 0 for what is not known, as of a pipe.
  void update(std::uint64_t done, std::uint64_t total);
  // How far what else takes long is, such as "folder 12 of 400".
  void update(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void wait();
  // With mutex_ held.
  [[nodiscard]] bool is_due();
  void show(const std::string& text);

  std::mutex mutex_;
  std::condition_variable stopped_changed_;
  bool stopped_ = false, shown_ = false, is_waiting_ = false;
  bool is_pipe_ = true;  // until a file is there
  Clock::time_point start_ = Clock::now(), last_shown_ = start_, last_update_ = start_;
  std::uint64_t done_ = 0;
  std::thread waiter_;  // last: it uses the others
};

// "read 120 MiB (37 %)"; of unknown size, or grown since: "read 120 MiB (80 MiB/s)".
[[nodiscard]] std::string progress_text(std::uint64_t done, std::uint64_t total, double s);
// "read 1 MiB, waiting for more for 42 s".
[[nodiscard]] std::string waiting_text(std::uint64_t done, double s);

}  // namespace trtlens
