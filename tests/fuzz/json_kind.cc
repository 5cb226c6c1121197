// The only file of a JSON fuzz target that is compiled for each kind.
#include "tests/fuzz/json_kind.h"

namespace trtlens {

std::string_view fuzz_kind() {
  return TRTLENS_FUZZ_KIND;
}

}  // namespace trtlens
