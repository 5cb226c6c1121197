// One line on the terminal, for reading that takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace trtlens {

class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine();  // erases it
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Bytes read so far and in all; 0 for what is not known, as of a pipe.
  void update(std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  bool shown_ = false;
};

// "read 120 MiB (37 %)"; of unknown size, or grown since: "read 120 MiB (80 MiB/s)".
[[nodiscard]] std::string progress_text(std::uint64_t done, std::uint64_t total, double s);

}  // namespace trtlens
