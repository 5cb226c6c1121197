// The Model Context Protocol: what is answered to a message of the client.
#pragma once

#include <string>
#include <string_view>

namespace trtlens::mcp {

// The answer to a line, without a line feed; "" where none is due, as to a notification.
[[nodiscard]] std::string answer_to(std::string_view line);
// To a line that is longer than this.
inline constexpr std::size_t kMostMessageBytes = std::size_t{1} << 20;
[[nodiscard]] std::string answer_to_long_line();

}  // namespace trtlens::mcp
