// Files compiled into the binary by cmake/embed.cmake.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trtlens {

struct EmbeddedFile {
  std::string_view name;  // without folder
  std::string text;
};

// Of {name, gzip of the text}. Throws std::logic_error where the build embedded what is no gzip.
[[nodiscard]] std::vector<EmbeddedFile> inflate_files(
    const std::vector<std::pair<std::string_view, std::string_view>>& compressed);

[[nodiscard]] const std::vector<EmbeddedFile>& embedded_knowledge();  // analyzers/rules/data/*.json
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_web();        // report/web/*.{js,css}
[[nodiscard]] const std::vector<EmbeddedFile>&
embedded_schemas();  // report/formats/json/schemas/*.json

}  // namespace trtlens
