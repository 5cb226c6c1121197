// Inputs as files without names.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/redact/redactor.h"

namespace trtlens {

struct RedactedFile {
  std::string path;       // to read
  std::string name;       // of the copy, with the folders in front of it that are to be made
  bool is_named = false;  // on the command line, not found in a directory
};

struct RedactedFiles {
  std::vector<RedactedFile> files;
  std::vector<std::string> unreadable;  // directories, and why: "PATH: reason"
};

// What the paths name: files, and those of directories and of the folders that trtlens reads below
// them. Of several paths, a directory's own name stands in front of those in it.
[[nodiscard]] RedactedFiles redacted_files(const std::vector<std::string>& paths,
                                           Redactor& redactor);

// Why nothing of an input could be read, or not all of it (`is_part`); "" when it was.
struct CopyEnd {
  std::string why;
  bool is_part = false;
};
// Gives the redacted text of an input, decompressed, to `take`, until that says false.
[[nodiscard]] CopyEnd copy_redacted(const std::string& path, Redactor& redactor,
                                    const std::function<bool(std::string_view)>& take);

}  // namespace trtlens
