// Reads one byte more than the limit, so that the caller sees what is too long.
#include "report/cli/small_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "report/cli/output.h"

namespace trtlens {

bool read_small_file(const std::string& path, std::size_t most, std::string& bytes,
                     std::string& error) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool good = fd >= 0;
  char buffer[65536];
  while (good && bytes.size() <= most) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n == 0) break;
    if (n > 0) bytes.append(buffer, static_cast<std::size_t>(n));
    good = n > 0 || errno == EINTR;
  }
  if (!good) error = std::strerror(errno);
  if (fd >= 0) ::close(fd);
  return good;
}

bool read_file_of(const std::string& option, const std::string& path, std::size_t most,
                  std::string& bytes) {
  std::string error;
  const bool is_read = read_small_file(path, most, bytes, error);
  if (is_read && bytes.size() <= most) return true;
  if (is_read) error = fmt::format("more than {} bytes", most);
  complain(option + " " + path + ": " + error);
  return false;
}

}  // namespace trtlens
