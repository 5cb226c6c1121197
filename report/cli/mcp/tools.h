// The tools of `trtlens mcp`: what the commands of the same names do, in replies of at most 4096
// bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/cli/mcp/arguments.h"

namespace trtlens::mcp {

struct Reply {
  std::string text;
  bool is_error = false;
};

struct Tool {
  const char *name, *title;
  std::string meaning;
  std::vector<Argument> arguments;
  Reply (*call)(const nlohmann::json& arguments);  // that have no problem
};

[[nodiscard]] const std::vector<Tool>& all_tools();

// Layers of a build that the arguments ask for.
[[nodiscard]] Tool layers_tool();
[[nodiscard]] Argument build_argument();

// The lines of `text` from `offset` on that fit, and a last line that says where the next page
// begins.
[[nodiscard]] Reply page_of(const std::string& text, std::size_t offset);
// What was said about inputs that could not be read: an error.
[[nodiscard]] Reply error_of(const std::string& complaints);

inline constexpr std::size_t kMostReplyBytes = 4096;

}  // namespace trtlens::mcp
