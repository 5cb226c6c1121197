// Mutations of whole files, with ../shared: of logs half a minute, of JSON exports half an hour.
// Who sets TRTLENS_WHOLE_MUTATIONS asks for them.
#pragma once

#include <cstdlib>

namespace trtlens {

inline bool whole_files() {
  return std::getenv("TRTLENS_WHOLE_MUTATIONS") != nullptr;
}

}  // namespace trtlens
