// Where things are in a JSON text, and what had to be mended to read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/diagnostic.h"

namespace trtlens::json_detail {

// Turns offsets into lines and columns. Cheap for offsets that do not decrease; copy it to come
// back to an earlier one.
class LineCounter {
 public:
  LineCounter(std::string_view text, std::uint32_t file) : text_(text), file_(file) {}
  [[nodiscard]] SourcePos at(std::size_t offset);

 private:
  std::string_view text_;
  std::uint32_t file_ = 0;
  std::size_t offset_ = 0, line_start_ = 0;
  std::uint64_t line_ = 1;
};

enum class Repair : std::uint8_t {
  encoding,
  nul_tail,
  nan,
  control_byte,
  invalid_utf8,
  unescaped_quote,
  backslash,
  trailing_comma,
  missing_comma,
  literal,
  number,
  unexpected,
  depth,
  truncated,
  trailing_text
};
inline constexpr std::size_t kRepairCount = 15;

// Counts the repairs of one file; each kind becomes one Diagnostic at its first place.
class Repairs {
 public:
  Repairs(std::string_view text, std::uint32_t file) : lines_(text, file) {}
  void note(Repair kind, std::size_t offset, std::string_view found);
  [[nodiscard]] bool seen(Repair kind) const;
  void report(const std::string& path, std::vector<Diagnostic>& diagnostics) const;

 private:
  struct Entry {
    std::uint64_t count = 0;
    SourcePos pos;
    std::string found;
  };
  LineCounter lines_;
  std::array<Entry, kRepairCount> entries_;
};

}  // namespace trtlens::json_detail
