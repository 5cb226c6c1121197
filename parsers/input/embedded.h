// Files compiled into the binary by cmake/embed.cmake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trtlens {

struct EmbeddedFile {
  std::string_view name;  // without folder
  std::string_view packed;

  // Inflated anew. Throws std::logic_error where the build embedded what is no gzip.
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] const std::vector<EmbeddedFile>& embedded_knowledge();  // analyzers/rules/data/*.json
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_web();        // report/web/*.{js,css}
[[nodiscard]] const std::vector<EmbeddedFile>&
embedded_schemas();  // report/formats/json/schemas/*.json

// What analyzers/rules/engine/tables.h reads: at every start, and so not packed.
[[nodiscard]] std::string_view embedded_rules();
// Where a message is no rule's.
[[nodiscard]] std::string_view embedded_words();

}  // namespace trtlens
