// What had to be mended to read a JSON text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/json/positions.h"
#include "parsers/model/diagnostic.h"

namespace trtlens::json_detail {

enum class Repair : std::uint8_t {
  encoding,
  nul_tail,
  nan,
  control_byte,
  invalid_utf8,
  unescaped_quote,
  backslash,
  trailing_comma,
  unexpected,
  damaged,
  depth,
  truncated,
  trailing_text
};
inline constexpr std::size_t kRepairCount = 13;

// A piece of the input for a message: one short line, no control bytes.
[[nodiscard]] std::string excerpt(std::string_view found);

// Counts the repairs of one file; each kind becomes one Diagnostic at its first place.
class Repairs {
 public:
  Repairs(std::string_view text, std::uint32_t file) : lines_(text, file) {}
  void note(Repair kind, std::size_t offset, std::string_view found);
  // Ends the document, of which `records` were read.
  void damaged(std::size_t offset, std::string_view expected, std::string_view found,
               std::size_t records);
  void report(const std::string& path, std::vector<Diagnostic>& diagnostics) const;

 private:
  struct Entry {
    std::uint64_t count = 0;
    SourcePos pos;
    std::string found, expected;
  };
  LineCounter lines_;
  std::array<Entry, kRepairCount> entries_;
};

}  // namespace trtlens::json_detail
