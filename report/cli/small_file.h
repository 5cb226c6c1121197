// Files that people write: settings, baselines.
#pragma once

#include <cstddef>
#include <string>

namespace trtlens {

// The file's bytes, one more than `most` at most; a pipe (`--config <(…)`) will do. False: `error`
// says why not.
[[nodiscard]] bool read_small_file(const std::string& path, std::size_t most, std::string& bytes,
                                   std::string& error);
// Of an option such as "--baseline"; false after an error, which is printed, also of a longer file.
[[nodiscard]] bool read_file_of(const std::string& option, const std::string& path,
                                std::size_t most, std::string& bytes);

}  // namespace trtlens
