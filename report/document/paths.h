// Paths for readers of other machines, such as those of a pull request.
#pragma once

#include <string>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

struct ShortPath {
  std::string path;   // absolute, or the beginning of one
  std::string shown;  // what stands in its place
};

// What a reader calls the build: of a directory its own name, of a file with its folder.
[[nodiscard]] std::string short_name(const Analysis& analysis);

// Of the inputs: without the folder that all of them have in common. Of the files that commands
// name: the file's name. Longest first.
[[nodiscard]] std::vector<ShortPath> short_paths(const std::vector<const Analysis*>& analyses);
// `text` with the short ones, and with the names alone of files that options of trtexec name.
[[nodiscard]] std::string with_short_paths(std::string text, const std::vector<ShortPath>& paths);

}  // namespace trtlens
