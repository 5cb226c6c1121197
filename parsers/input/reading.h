// What all readers of inputs do: progress over several files, and what opening one says of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/input/input.h"
#include "parsers/parse.h"

namespace trtlens {

// Progress of several inputs as one figure: bytes of the files, compressed or not.
class ReadingProgress {
 public:
  ReadingProgress(const ParseOptions& options, const std::vector<std::string>& paths);
  // While `source` is read, and when no more of it will be.
  void advance(const ByteSource& source);
  void file_done(const ByteSource& source);

 private:
  const ParseOptions& options_;
  std::uint64_t before_ = 0, total_ = 0;  // of the files before this one; of all, 0: not known
};

// Enough of `source` to tell what it is: a pipe may bring JSON byte by byte. Valid while `begun`
// is, which may hold it, and until more of `source` is read.
[[nodiscard]] std::string_view first_bytes(ByteSource& source, std::string& begun);

// An input of which the first chunk was asked for: whether it can be read, and whether it is text.
// Why binary content is of no use, and whether it may be empty, only the caller knows.
[[nodiscard]] Input opened_input(const std::string& path, bool named, const ByteSource& source,
                                 std::string_view first);

}  // namespace trtlens
