#include "report/cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

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

}  // namespace

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
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
  int error = EEXIST;
  for (int n = 0; n < kTries && error == EEXIST; ++n) {
    const std::string name = name_beside(path_, n);
    fd_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    error = fd_ < 0 ? errno : 0;
    if (error == 0) beside_ = name;
  }
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
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) return errno;
  beside_.clear();
  return 0;
}

}  // namespace trtlens
