// Ctrl-C while a log comes in ends the log, not the program: what was read is reported.
#pragma once

#include <csignal>

namespace trtlens {

// As long as it lives, and only the first time: who asks twice ends the program. A SIGINT that was
// ignored stays ignored.
class InterruptEndsInput {
 public:
  explicit InterruptEndsInput(bool wanted);
  ~InterruptEndsInput();
  InterruptEndsInput(const InterruptEndsInput&) = delete;
  InterruptEndsInput& operator=(const InterruptEndsInput&) = delete;

  [[nodiscard]] static bool happened();

 private:
  bool is_set_ = false;
  struct sigaction before_ {};
};

}  // namespace trtlens
