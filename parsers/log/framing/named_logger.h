// Programs that nothing but the header of their logger names.
#pragma once

#include <string_view>

namespace trtlens {

// "[2023-04-04 14:09:51.908] [mmdeploy] [error] text": "mmdeploy". Empty: none is known by it.
[[nodiscard]] std::string_view program_of_logger(std::string_view line);

}  // namespace trtlens
