// A file of -o: the whole report, or what stood there before.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/formats/text_stream.h"

namespace trtlens {

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // 0 or errno. A regular file, or none yet, is written beside `path` and takes its place at
  // commit(), with the permissions that opening `path` would have led to. Anything else (a device,
  // a pipe, what a symbolic link points to) is written in place, as is a file whose folder takes no
  // new ones.
  [[nodiscard]] int open(const std::string& path);
  [[nodiscard]] int fd() const { return fd_; }
  // 0 or errno. Without it, the file beside `path` is removed, also when SIGINT, SIGTERM or SIGHUP
  // ends the program.
  [[nodiscard]] int commit();

 private:
  [[nodiscard]] int open_beside();
  [[nodiscard]] int open_in_place();

  int fd_ = -1;
  std::string path_, beside_;  // beside_ is empty: in place
};

// Each 0 or errno; what `write` puts into the stream goes on until a piece cannot be written.
[[nodiscard]] int write_file(const std::string& path, std::string_view text);
[[nodiscard]] int write_file(const std::string& path,
                             const std::function<void(TextStream&)>& write);
[[nodiscard]] int write_stream(int fd, const std::function<void(TextStream&)>& write);

}  // namespace trtlens
