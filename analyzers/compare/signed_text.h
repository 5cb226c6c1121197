// Shifts as every report of a comparison prints them: a plain "-", and no sign on what rounds to 0.
#pragma once

#include <string>

namespace trtlens {

[[nodiscard]] std::string signed_ms_text(double ms);        // "+0.254 ms", "-0.0133 ms"
[[nodiscard]] std::string signed_share_text(double share);  // "+2.4 %", "0.0 %"

}  // namespace trtlens
