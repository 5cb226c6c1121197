// Texts that come again and again in one document, each kept once.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "parsers/build.h"

namespace trtlens::json_detail {

class SharedTexts {
 public:
  [[nodiscard]] SharedText text(std::string_view text);
  // The type that the text names.
  [[nodiscard]] DataType type_of(std::string_view text);

 private:
  struct Entry {
    SharedText text;
    std::optional<DataType> type;
  };
  // Texts beyond a number that no engine has are not kept.
  static constexpr std::size_t kMaxTexts = 65536;

  [[nodiscard]] Entry* find_or_add(std::string_view text);

  std::unordered_map<std::string_view, Entry> entries_;  // the keys are the entries' own texts
};

}  // namespace trtlens::json_detail
