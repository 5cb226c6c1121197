// Maps windows of files, and survives a file that is cut short under one.
#include "parsers/input/mapped_window.h"

#include <sys/mman.h>

#include <array>
#include <csignal>

namespace trtlens {
namespace {

// The windows of all threads, for the handler. More of them at once are not mapped.
constexpr std::size_t kMostWindows = 16;
std::array<std::atomic<char*>, kMostWindows> windows{};
static_assert(std::atomic<char*>::is_always_lock_free);  // a handler may use it
std::atomic<bool> is_allowed{false};

char* map(int fd, std::uint64_t offset) {
#ifdef MAP_POPULATE
  constexpr int kFlags = MAP_PRIVATE | MAP_POPULATE;  // one fault, not one for every 16 pages
#else
  constexpr int kFlags = MAP_PRIVATE;
#endif
  void* const begin =
      ::mmap(nullptr, MappedWindow::kBytes, PROT_READ, kFlags, fd, static_cast<off_t>(offset));
  return begin == MAP_FAILED ? nullptr : static_cast<char*>(begin);
}

// Puts zeros in the place of a window's rest; what is of no window kills as it would have.
void on_bus_error(int number, siginfo_t* info, void* /*context*/) {
  auto* const at = static_cast<char*>(info->si_addr);
  for (const std::atomic<char*>& window : windows) {
    char* const begin = window.load();
    if (begin == nullptr || at < begin || at >= begin + MappedWindow::kBytes) continue;
    constexpr std::size_t kPage = 4096;  // the system's may be larger: then more is zero
    const std::size_t kept = static_cast<std::size_t>(at - begin) / kPage * kPage;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (::mmap(begin + kept, MappedWindow::kBytes - kept, PROT_READ, kFlags, -1, 0) != MAP_FAILED) {
      return;
    }
  }
  (void)std::signal(number, SIG_DFL);
}

}  // namespace

void allow_mapped_files() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  // A fault kills in spite of its handler where the parent process blocked the signal.
  sigset_t bus;
  ::sigemptyset(&bus);
  ::sigaddset(&bus, SIGBUS);
  is_allowed = ::sigaction(SIGBUS, &action, nullptr) == 0 &&
               ::pthread_sigmask(SIG_UNBLOCK, &bus, nullptr) == 0;
}

std::string_view MappedWindow::move_to(int fd, std::uint64_t offset) {
  release();
  if (!is_allowed) return {};
  char* const begin = map(fd, offset);
  if (begin == nullptr) return {};
  for (std::atomic<char*>& window : windows) {
    char* none = nullptr;
    if (!window.compare_exchange_strong(none, begin)) continue;
    slot_ = &window;
    return {begin, kBytes};
  }
  ::munmap(begin, kBytes);
  return {};
}

void MappedWindow::release() {
  if (slot_ == nullptr) return;
  ::munmap(slot_->exchange(nullptr), kBytes);
  slot_ = nullptr;
}

}  // namespace trtlens
