// Files compiled into the binary by cmake/embed.cmake.
#pragma once

#include <string_view>
#include <vector>

namespace trtlens {

struct EmbeddedFile {
  std::string_view name;  // without folder
  std::string_view text;
};

[[nodiscard]] const std::vector<EmbeddedFile>& embedded_knowledge();  // analyzers/knowledge/*.json
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_web();        // report/web/*.{js,css}
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_schemas();    // report/schemas/*.json

}  // namespace trtlens
