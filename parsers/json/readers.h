// Reads one JSON document, with a mender in front or without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/json/collector.h"

namespace trtlens::json_detail {

// Where and why a document is read no further.
struct Stop {
  // The last thing that was read.
  enum class Behind : std::uint8_t { nothing, bracket, key, value };
  std::size_t offset = 0;  // behind it
  Behind behind = Behind::nothing;
  bool is_cut = false, is_too_deep = false;  // the text ends; else what follows is no JSON
  std::string open_brackets;
};

// What is wrong with `text` at a Stop that is neither cut nor too deep.
struct Fault {
  std::size_t offset = 0;
  std::string_view expected;
};
[[nodiscard]] Fault fault_at(const Stop& stop, std::string_view text);

// Reads the next document of `source` with nlohmann's parser; none when it is valid JSON.
[[nodiscard]] std::optional<Stop> read_document(TextSource& source, Collector& collector);

}  // namespace trtlens::json_detail
