// Mutations of whole files take an hour: who sets TRTLENS_WHOLE_MUTATIONS asks for them.
#pragma once

#include <cstdlib>

namespace trtlens {

inline bool whole_files() {
  return std::getenv("TRTLENS_WHOLE_MUTATIONS") != nullptr;
}

}  // namespace trtlens
