// Bytes of files and standard input, in chunks; names of files in directories. The only I/O of
// parsers/.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/input/decompress.h"
#include "parsers/input/mapped_window.h"

namespace trtlens {

// Reads a file or, for "-", standard input, in constant memory. Whole windows of a large file are
// mapped where the program allows it; all else is read, by pieces that stay in the cache.
class RawBytes {
 public:
  static constexpr std::size_t kChunkBytes = 1 << 16;
  static constexpr std::size_t kPipeBytes = 16 * kChunkBytes;

  explicit RawBytes(const std::string& path);
  ~RawBytes();
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;

  [[nodiscard]] const std::string& error() const { return error_; }  // errno text
  [[nodiscard]] std::uint64_t size() const { return size_; }         // 0 for pipes
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

  // Of a file: its size now, when it is not what it was before the first byte was read.
  [[nodiscard]] std::optional<std::uint64_t> changed_size() const;

  // The next chunk, valid until the next call; empty at the end or after an error.
  [[nodiscard]] std::string_view next();
  // Back to the first byte of a file. An error is known from error().
  void rewind();

 private:
  // The next window; empty when what is left is to be read.
  [[nodiscard]] std::string_view next_window();
  void seek(std::uint64_t offset);

  int fd_ = -1;
  bool is_file_ = false;
  bool is_mapped_ = false;  // so far
  MappedWindow window_;
  std::uint64_t size_ = 0;
  std::atomic<std::uint64_t> bytes_read_{0};  // another thread may decompress
  std::string error_;
  std::vector<char> buffer_;
};

// What to read in the place of the next chunk, valid until the next call; may be empty while more
// is to come. An empty chunk is the end of the text: the rest.
using TextFilter = std::function<std::string_view(std::string_view chunk)>;

// The same, with gzip and Zstandard undone; found from the first bytes. With a filter: what that
// makes of the text.
class ByteSource {
 public:
  explicit ByteSource(const std::string& path, TextFilter filter = nullptr)
      : raw_(path), filter_(std::move(filter)) {}

  [[nodiscard]] bool ok() const { return error().empty(); }
  // What ended the reading too early. Known after next() gave "".
  [[nodiscard]] const std::string& error() const {
    return decompressor_ && ended_ && raw_.error().empty() ? decompressor_->error() : raw_error();
  }
  // Of the text; 0 when it is not known before it was read.
  [[nodiscard]] std::uint64_t size_hint() const {
    return decompressor_ || filter_ ? 0 : raw_.size();
  }
  [[nodiscard]] std::uint64_t raw_bytes_read() const { return raw_.bytes_read(); }
  // Of the file, compressed or not: before it was read; and now, when that is another one.
  [[nodiscard]] std::uint64_t raw_size() const { return raw_.size(); }
  [[nodiscard]] std::optional<std::uint64_t> changed_size() const { return raw_.changed_size(); }

  // The next chunk of text, valid until the next call; empty at the end or after an error.
  [[nodiscard]] std::string_view next();
  // Back to the first byte; only of what has a size_hint().
  void rewind() { raw_.rewind(); }

 private:
  // The other thread writes the error of raw_ until the stream has ended.
  [[nodiscard]] const std::string& raw_error() const {
    static const std::string none;
    return decompressor_ && !ended_ ? none : raw_.error();
  }

  [[nodiscard]] std::string_view first();
  [[nodiscard]] std::string_view next_unfiltered();

  RawBytes raw_;
  TextFilter filter_;
  std::string begun_;  // when the first chunk was shorter than a magic number
  std::unique_ptr<Decompressor> decompressor_;
  bool started_ = false, ended_ = false;
};

// Files are regular ones, behind links too.
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
// The kernel makes files of /proc and /sys while they are read: one may wait for ever, or have no
// end.
[[nodiscard]] bool is_made_by_kernel(const std::string& path);

// What an input is, as many of its first bytes decide: a notebook or a logger's record begins with
// less.
inline constexpr std::size_t kDecidingBytes = 1 << 16;

// Whether the first bytes of an input look like text (logs, JSON, also UTF-16 with a byte order
// mark).
[[nodiscard]] bool looks_like_text(std::string_view first_bytes);

}  // namespace trtlens
