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

InterruptEndsInput::InterruptEndsInput(bool wanted, bool ctrl_c_alone) {
  if (!wanted) return;
  if (at_end < 0) at_end = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (at_end < 0) return;
  struct sigaction mine {};
  mine.sa_handler = end_input;
  mine.sa_flags = static_cast<int>(SA_RESETHAND);
  for (Handled& one : handled_) {
    if (ctrl_c_alone && one.signal != SIGINT) continue;
    if (::sigaction(one.signal, nullptr, &one.before) != 0) continue;
    if (one.before.sa_handler == SIG_IGN) continue;
    one.is_set = ::sigaction(one.signal, &mine, nullptr) == 0;
  }
}

InterruptEndsInput::~InterruptEndsInput() {
  for (const Handled& one : handled_) {
    if (one.is_set) (void)::sigaction(one.signal, &one.before, nullptr);
  }
}

bool InterruptEndsInput::happened() {
  return interrupted != 0;
}

}  // namespace trtlens
