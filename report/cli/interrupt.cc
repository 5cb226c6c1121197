// The handler puts the end of a file in the place of standard input: a read that waits is
// interrupted, and one that was about to begin finds it, too. No reader has to know of signals.
#include "report/cli/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace trtlens {
namespace {

volatile std::sig_atomic_t interrupted = 0;
int at_end = -1;  // /dev/null

void end_input(int /*signal*/) {
  const int error = errno;
  interrupted = 1;
  (void)::dup2(at_end, STDIN_FILENO);
  errno = error;
}

}  // namespace

InterruptEndsInput::InterruptEndsInput(bool wanted) {
  if (!wanted || ::sigaction(SIGINT, nullptr, &before_) != 0) return;
  if (before_.sa_handler == SIG_IGN) return;
  if (at_end < 0) at_end = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (at_end < 0) return;
  struct sigaction mine {};
  mine.sa_handler = end_input;
  mine.sa_flags = static_cast<int>(SA_RESETHAND);
  is_set_ = ::sigaction(SIGINT, &mine, nullptr) == 0;
}

InterruptEndsInput::~InterruptEndsInput() {
  if (is_set_) (void)::sigaction(SIGINT, &before_, nullptr);
}

bool InterruptEndsInput::happened() {
  return interrupted != 0;
}

}  // namespace trtlens
