// How long the stages of a command take, for --timing: on standard error, never in a report.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace trtlens {

// A stage begins where the one before it ended.
class StageTimes {
 public:
  explicit StageTimes(bool wanted) : wanted_(wanted) {}
  ~StageTimes();  // prints a line a stage, their sum and the largest memory; nothing unless wanted
  StageTimes(const StageTimes&) = delete;
  StageTimes& operator=(const StageTimes&) = delete;

  void end(const std::string& stage);
  // An input of that many bytes was read: the speed is shown, too.
  void end(const std::string& stage, std::uint64_t bytes);

 private:
  using Clock = std::chrono::steady_clock;
  struct Stage {
    std::string name;
    double s = 0;
    bool input = false;
    std::uint64_t bytes = 0;
  };
  void add(Stage stage);

  bool wanted_;
  Clock::time_point last_ = Clock::now();
  std::vector<Stage> stages_;
};

}  // namespace trtlens
