// What comes again and again in one document, kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens::json_detail {

// Texts of a vocabulary: formats, types, tactics.
class SharedTexts {
 public:
  [[nodiscard]] SharedText text(std::string_view text);
  // The type that the text names.
  [[nodiscard]] DataType type_of(std::string_view text);
  // Both, looked up once.
  [[nodiscard]] std::pair<SharedText, DataType> text_and_type(std::string_view text);

 private:
  struct Entry {
    SharedText text;
    std::optional<DataType> type;
  };
  // Texts beyond a number that no engine has are not kept.
  static constexpr std::size_t kMaxTexts = 65536;

  [[nodiscard]] Entry* find_or_add(std::string_view text);
  [[nodiscard]] static DataType type_of(Entry& entry);

  std::unordered_map<std::string_view, Entry> entries_;  // the keys are the entries' own texts
};

// Texts without end of which each comes a few times, not far apart: a tensor is named by the layer
// that writes it and those that read it. Remembers the last ones only, none of more than 4 KiB.
class RecentTexts {
 public:
  [[nodiscard]] SharedText text(std::string_view text) {
    return text.size() > kMostBytes ? copy_of(text) : slot_of(text).text;
  }
  // With the type that the text names.
  [[nodiscard]] std::pair<SharedText, DataType> text_and_type(std::string_view text);

 private:
  struct Slot {
    SharedText text;
    std::optional<DataType> type;
  };
  // The slots hold at most 16 MiB, not a line of 1 MiB each.
  static constexpr std::size_t kMostBytes = 4096;

  [[nodiscard]] static SharedText copy_of(std::string_view text);
  Slot& slot_of(std::string_view text);

  std::vector<Slot> slots_;
};

// The same for the sizes of tensors and windows.
class RecentDims {
 public:
  [[nodiscard]] Dims dims(const std::vector<std::int64_t>& dims);

 private:
  std::vector<Dims> slots_;
};

// Both, 80 KB: one for all runs of a log.
struct RecentValues {
  RecentTexts texts;
  RecentDims dims;
};

}  // namespace trtlens::json_detail
