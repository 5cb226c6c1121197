// Opens files and standard input, reads them in chunks, lists directories.
#include "parsers/input/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "parsers/input/file_id.h"

namespace trtlens {
namespace {

// A pipe holds 64 KiB where nobody asks for more: its writer and reader then wait for each other at
// every piece. More than the system allows (fs.pipe-max-size, 1 MiB) is refused, and does no harm.
void widen_pipe(int fd) {
#ifdef F_SETPIPE_SZ
  static_cast<void>(::fcntl(fd, F_SETPIPE_SZ, static_cast<int>(RawBytes::kPipeBytes)));
#else
  static_cast<void>(fd);
#endif
}

}  // namespace

RawBytes::RawBytes(const std::string& path) {
  fd_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) {
    error_ = std::strerror(errno);
    return;
  }
  struct stat status {};
  if (::fstat(fd_, &status) == 0) {
    if (S_ISDIR(status.st_mode)) error_ = std::strerror(EISDIR);
    is_file_ = S_ISREG(status.st_mode);
    if (is_file_) size_ = static_cast<std::uint64_t>(status.st_size);
    is_mapped_ = is_file_ && fd_ != STDIN_FILENO;  // whose first byte may be another one
    if (S_ISFIFO(status.st_mode)) widen_pipe(fd_);
  }
}

RawBytes::~RawBytes() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

std::optional<std::uint64_t> RawBytes::changed_size() const {
  struct stat status {};
  if (!is_file_ || ::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return size == size_ ? std::nullopt : std::optional(size);
}

std::string_view RawBytes::next_window() {
  if (!is_mapped_) return {};
  // A log may still be written, or written anew: then the end of the last window was not read.
  struct stat now {};
  if (::fstat(fd_, &now) == 0) {
    const auto size = static_cast<std::uint64_t>(now.st_size);
    bytes_read_ = std::min<std::uint64_t>(bytes_read_, size);
    if (bytes_read_ + MappedWindow::kBytes <= size) {
      const std::string_view window = window_.move_to(fd_, bytes_read_);
      bytes_read_ += window.size();
      if (!window.empty()) return window;
    }
  }
  window_.release();
  is_mapped_ = false;
  seek(bytes_read_);
  return {};
}

void RawBytes::seek(std::uint64_t offset) {
  if (::lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0) error_ = std::strerror(errno);
}

std::string_view RawBytes::next() {
  if (fd_ < 0 || !error_.empty()) return {};
  if (const std::string_view window = next_window(); !window.empty()) return window;
  buffer_.resize(kChunkBytes);
  for (;;) {
    const ssize_t got = ::read(fd_, buffer_.data(), buffer_.size());
    if (got >= 0) {
      bytes_read_ += static_cast<std::uint64_t>(got);
      return {buffer_.data(), static_cast<std::size_t>(got)};
    }
    if (errno == EINTR) continue;
    error_ = std::strerror(errno);
    return {};
  }
}

void RawBytes::rewind() {
  seek(0);
  bytes_read_ = 0;
  is_mapped_ = is_file_ && fd_ != STDIN_FILENO;
}

// With a whole magic number, byte by byte as a pipe may bring it.
std::string_view ByteSource::first() {
  constexpr std::size_t kMagicBytes = 4;
  const std::string_view chunk = raw_.next();
  if (chunk.size() >= kMagicBytes) return chunk;
  begun_ = chunk;
  while (begun_.size() < kMagicBytes) {
    const std::string_view more = raw_.next();
    if (more.empty()) break;
    begun_ += more;
  }
  return begun_;
}

std::string_view ByteSource::next() {
  if (!filter_) return next_unfiltered();
  while (true) {
    const std::string_view chunk = next_unfiltered();
    const std::string_view text = filter_(chunk);
    if (!text.empty() || chunk.empty()) return text;
  }
}

std::string_view ByteSource::next_unfiltered() {
  std::string_view chunk;
  if (!decompressor_) {
    chunk = started_ ? raw_.next() : first();
    const Compression compression = started_ ? Compression::none : compression_of(chunk);
    started_ = true;
    if (compression == Compression::none) return chunk;
    decompressor_ =
        std::make_unique<Decompressor>(compression, chunk, [this] { return raw_.next(); });
  }
  chunk = decompressor_->next();
  ended_ = ended_ || chunk.empty();
  return chunk;
}

std::uint64_t file_bytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<std::uint64_t>(bytes);
}

std::uint64_t directory_bytes(const std::string& path) {
  const DirectoryListing listing = list_directory(path);
  std::uint64_t total = 0;
  for (const std::string& file : listing.files) total += file_bytes(file);
  return total;
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool is_made_by_kernel(const std::string& path) {
#ifdef __linux__
  struct statfs system {};
  if (::statfs(path.c_str(), &system) != 0) return false;
  const auto type = static_cast<std::uint64_t>(system.f_type) & 0xFFFFFFFFU;
  return type == PROC_SUPER_MAGIC || type == SYSFS_MAGIC || type == DEBUGFS_MAGIC ||
         type == TRACEFS_MAGIC;
#else
  static_cast<void>(path);
  return false;
#endif
}

std::optional<FileId> file_id(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

DirectoryListing list_directory(const std::string& path) {
  DirectoryListing listing;
  std::error_code error;
  std::filesystem::directory_iterator it(path, error);
  if (error) {
    listing.error = error.message();
    return listing;
  }
  // increment() reports what ++ would throw.
  for (; it != std::filesystem::directory_iterator(); it.increment(error)) {
    if (error) break;
    const auto& entry = *it;
    const std::string name = entry.path().filename().string();
    if (!name.empty() && name[0] == '.') continue;
    std::error_code ignored;
    if (entry.is_directory(ignored)) {
      listing.directories.push_back(entry.path().string());
    } else if (entry.is_regular_file(ignored)) {
      listing.files.push_back(entry.path().string());
    }
  }
  std::sort(listing.files.begin(), listing.files.end());
  std::sort(listing.directories.begin(), listing.directories.end());
  return listing;
}

bool looks_like_text(std::string_view bytes) {
  if (bytes.size() >= 2) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    const auto second = static_cast<unsigned char>(bytes[1]);
    if ((first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF)) return true;
  }
  // A crash may leave a file that ends in NULs (formats.md 3.5): what is before them counts. A text
  // has none between its bytes.
  const std::size_t last = bytes.find_last_not_of('\0');
  if (last == std::string_view::npos) return false;
  const std::string_view head = bytes.substr(0, std::min<std::size_t>(last + 1, 4096));
  std::size_t odd = 0;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) odd += 8;
    // Escape, separators 0x1E/0x1F of TensorRT's metadata, tab and line ends are text.
    if (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t' && byte != 0x1B &&
        byte != 0x1E && byte != 0x1F && byte != '\f' && byte != '\b') {
      ++odd;
    }
  }
  return odd * 20 <= head.size();
}

}  // namespace trtlens
