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

// What `path` names: a file, or those of a directory and of the folders that trtlens reads below
// it. `in_folder`: a directory's own name stands in front of theirs. `why`: why it cannot be read.
[[nodiscard]] std::vector<RedactedFile> redacted_files(const std::string& path, bool in_folder,
                                                       Redactor& redactor, std::string& why);

// Gives the redacted text of an input, decompressed, to `take`, until that says false. Why nothing
// or not all of it could be read; "" when it was.
[[nodiscard]] std::string copy_redacted(const std::string& path, Redactor& redactor,
                                        const std::function<bool(std::string_view)>& take);

}  // namespace trtlens
