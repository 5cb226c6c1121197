// Folders of many builds: what lies in each, so that one build at a time can be read and let go.
#pragma once

#include <string>
#include <vector>

#include "parsers/parse.h"

namespace trtlens {

// Files of one folder that join: all of them, or those of one engine.
struct FolderPart {
  std::string name;                // of the build: the folder's, or the log's
  std::vector<std::string> files;  // in the order of reading
};

struct Folder {
  std::vector<FolderPart> parts;
  std::vector<std::string> directories;
  std::string error;  // why it cannot be listed; "" when it can
};

// A sweep leaves the logs of many engines in one folder: each log that builds an engine is a part
// by itself, with the log that times it and the exports that its command names. Only the first
// bytes of the logs are read. `redactor`: names are those of ParseOptions::redactor.
[[nodiscard]] Folder look_into(const std::string& folder, Redactor* redactor = nullptr);

// As parse_inputs(). Runs are numbered from `runs_before` + 1 on.
[[nodiscard]] ParseResult parse_part(const FolderPart& part, int runs_before,
                                     const ParseOptions& options);

// Folders below one that is itself a build, or that lies `depth` folders deep, are not read.
inline constexpr int kMaxFolderDepth = 2;
[[nodiscard]] bool reads_folders_below(const Reading& folder, int depth);
// Says that they were not.
void note_folders_not_read(const std::string& folder, std::size_t below, Reading& reading);

// A folder that was named beside other inputs and holds nothing; `shown`: as reports call it.
[[nodiscard]] Input nothing_in(const std::string& folder, const std::string& shown);
// Whether one of the inputs is a log or an export.
[[nodiscard]] bool knows_any(const std::vector<Input>& inputs, std::size_t from = 0);

// Says that what `path` names was read, as `first`.
[[nodiscard]] Diagnostic input_twice(const std::string& path, const std::string& first);

}  // namespace trtlens
