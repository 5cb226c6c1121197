// Which file a path names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace trtlens {

// Device and inode: equal for every path to one file or directory. None of pipes and what is not
// there.
using FileId = std::pair<std::uint64_t, std::uint64_t>;
[[nodiscard]] std::optional<FileId> file_id(const std::string& path);

}  // namespace trtlens
