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
// Texts and thresholds of the rules that are code.
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_rule_infos();
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_web();  // report/web/*.{js,css}
[[nodiscard]] const std::vector<EmbeddedFile>&
embedded_schemas();  // report/formats/json/schemas/*.json

// What says whether a rule of embedded_knowledge() fires, as a JSON object of its files: read at
// every start, so neither packed nor with the texts of the rules.
[[nodiscard]] std::string_view embedded_rule_heads();

}  // namespace trtlens
