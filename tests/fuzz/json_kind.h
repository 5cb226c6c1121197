// The kind of JSON that a fuzz target is about.
#pragma once

#include <string_view>

namespace trtlens {

// The name of an InputKind.
[[nodiscard]] std::string_view fuzz_kind();

}  // namespace trtlens
