// Which project a plugin or custom operator comes from: whoever misses it needs that library.
#pragma once

#include <string>
#include <string_view>

namespace trtlens::message_rules {

// "libyolo_layer.so of tensorrt_demos"; empty: not known. The message that misses the plugin says
// its namespace, too, by which projects are known whose names are anybody's ("Gemm").
[[nodiscard]] std::string_view plugin_home(std::string_view name, const std::string& message);

}  // namespace trtlens::message_rules
