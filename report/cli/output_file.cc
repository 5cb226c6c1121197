// Writes beside the file and renames; signals remove what is unfinished.
#include "report/cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>

#include "report/cli/output.h"

namespace trtlens {
namespace {

constexpr int kTries = 100;  // names that may be taken

// A name that is no longer than `path` may be, in the same folder: rename() does not leave a file
// system.
std::string name_beside(const std::string& path, int n) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  return fmt::format("{}.trtlens-{}-{}.tmp", folder, ::getpid(), n);
}

// What a signal that ends the program has to remove. Of one file at a time: reports are written one
// after the other.
std::array<char, PATH_MAX> unfinished{};
volatile std::sig_atomic_t has_unfinished = 0;

constexpr std::array<int, 3> kEndings{SIGINT, SIGTERM, SIGHUP};

// SA_RESETHAND: behind this, the signal ends the program as it would have without.
void remove_unfinished(int signal) {
  const int error = errno;
  if (has_unfinished != 0) ::unlink(unfinished.data());
  has_unfinished = 0;
  (void)::raise(signal);
  errno = error;
}

// None of them comes while it lives: a file and the note of it are made together.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : kEndings) ::sigaddset(&held, signal);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

// A signal that is ignored (nohup), or that somebody handles, stays so.
void watch_signals() {
  for (const int signal : kEndings) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = remove_unfinished;
    ours.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigemptyset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
}

void note_unfinished(const std::string& path) {
  if (path.size() >= unfinished.size()) return;
  std::copy(path.begin(), path.end(), unfinished.begin());
  unfinished[path.size()] = '\0';
  has_unfinished = 1;
  watch_signals();
}

}  // namespace

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (beside_.empty()) return;
  const SignalsHeld held;
  has_unfinished = 0;
  ::unlink(beside_.c_str());
}

int OutputFile::open(const std::string& path) {
  path_ = path;
  struct stat there {};
  const bool exists = ::lstat(path.c_str(), &there) == 0;
  // With several names, or another's: replacing it would not leave what writing does.
  const bool plain =
      !exists || (S_ISREG(there.st_mode) && there.st_nlink == 1 && there.st_uid == ::geteuid());
  if (!plain) return open_in_place();
  // rename() would replace a file that may not be written.
  if (exists && ::access(path.c_str(), W_OK) != 0) return errno;
  const int error = open_beside();
  if (error != 0) return open_in_place();
  if (exists && ::fchmod(fd_, there.st_mode & 07777U) != 0) return errno;
  return 0;
}

int OutputFile::open_beside() {
  const SignalsHeld held;
  int error = EEXIST;
  for (int n = 0; n < kTries && error == EEXIST; ++n) {
    const std::string name = name_beside(path_, n);
    fd_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    error = fd_ < 0 ? errno : 0;
    if (error == 0) beside_ = name;
  }
  if (error == 0) note_unfinished(beside_);
  return error;
}

int OutputFile::open_in_place() {
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return fd_ < 0 ? errno : 0;
}

int OutputFile::commit() {
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) return errno;
  if (beside_.empty()) return 0;
  const SignalsHeld held;
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) return errno;
  has_unfinished = 0;
  beside_.clear();
  return 0;
}

int write_file(const std::string& path, std::string_view text) {
  OutputFile file;
  if (const int error = file.open(path); error != 0) return error;
  return write_all(file.fd(), text.data(), text.size()) ? file.commit() : errno;
}

int write_file(const std::string& path, const std::function<void(TextStream&)>& write) {
  OutputFile file;
  if (const int error = file.open(path); error != 0) return error;
  const int error = write_stream(file.fd(), write);
  return error != 0 ? error : file.commit();
}

int write_stream(int fd, const std::function<void(TextStream&)>& write) {
  int error = 0;
  TextStream out([&](std::string_view piece) {
    if (error == 0 && !write_all(fd, piece.data(), piece.size())) error = errno;
  });
  write(out);
  out.flush();
  return error;
}

}  // namespace trtlens
