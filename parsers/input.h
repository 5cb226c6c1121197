// Bytes of files and standard input, in chunks; names of files in directories. The only I/O of
// parsers/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trtlens {

// Reads a file or, for "-", standard input. 1 MiB read() calls: as fast as mmap, works for pipes,
// constant memory, and no SIGBUS when a file is truncated while it is read.
class ByteSource {
 public:
  static constexpr std::size_t kChunkBytes = 1 << 20;

  explicit ByteSource(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  [[nodiscard]] bool ok() const { return error_.empty(); }
  [[nodiscard]] const std::string& error() const { return error_; }     // errno text
  [[nodiscard]] std::uint64_t size_hint() const { return size_hint_; }  // 0 for pipes

  // The next chunk, valid until the next call; empty at the end or after an error.
  [[nodiscard]] std::string_view next();

 private:
  int fd_ = -1;
  std::uint64_t size_hint_ = 0;
  std::string error_;
  std::vector<char> buffer_;
};

struct DirectoryListing {
  std::vector<std::string> files, directories;  // joined to the directory's path, sorted by name
  std::string error;
};
[[nodiscard]] DirectoryListing list_directory(const std::string& path);
// 0 when it is not known.
[[nodiscard]] std::uint64_t file_bytes(const std::string& path);
// Of the files in a directory, not of its subdirectories.
[[nodiscard]] std::uint64_t directory_bytes(const std::string& path);
[[nodiscard]] bool is_directory(const std::string& path);

// Whether the first bytes of an input look like text (logs, JSON, also UTF-16 with a byte order
// mark).
[[nodiscard]] bool looks_like_text(std::string_view first_bytes);

}  // namespace trtlens
