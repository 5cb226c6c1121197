// What comes again and again in one document or log, kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens::json_detail {

// Texts that come again, often or a few times not far apart: formats, types and tactics; the name
// of a tensor, by the layer that writes it and those that read it. Remembers the last ones only,
// none of more than 4 KiB.
class RecentTexts {
 public:
  [[nodiscard]] SharedText text(std::string_view text);
  // With the type that the text names.
  [[nodiscard]] std::pair<SharedText, DataType> text_and_type(std::string_view text);

 private:
  struct Slot {
    SharedText text;
    std::optional<DataType> type;
  };
  // The slots hold at most 16 MiB, not a line of 1 MiB each.
  static constexpr std::size_t kMostBytes = 4096;

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
