// Ctrl-C, or SIGTERM of a job's time limit, while a log comes in ends the log, not the program:
// what was read is reported.
#pragma once

#include <array>
#include <csignal>

namespace trtlens {

// As long as it lives, and only the first time: who asks twice ends the program. A signal that was
// ignored stays ignored.
class InterruptEndsInput {
 public:
  // `ctrl_c_alone`: where another program writes the log, which only a terminal would end as well.
  explicit InterruptEndsInput(bool wanted, bool ctrl_c_alone = false);
  ~InterruptEndsInput();
  InterruptEndsInput(const InterruptEndsInput&) = delete;
  InterruptEndsInput& operator=(const InterruptEndsInput&) = delete;

  [[nodiscard]] static bool happened();

 private:
  struct Handled {
    int signal = 0;
    bool is_set = false;
    struct sigaction before {};
  };
  std::array<Handled, 2> handled_{{{SIGINT}, {SIGTERM}}};
};

}  // namespace trtlens
