// The two ways to read one JSON document: strictly, and mending what trtexec gets wrong.
#pragma once

#include <cstddef>
#include <string_view>

#include "parsers/json/collector.h"
#include "parsers/json/repairs.h"

namespace trtlens::json_detail {

// Reads the next document of `source` with nlohmann's parser; false when it is not valid JSON, and
// the collector is then to be thrown away. The document must be an object or a list.
[[nodiscard]] bool read_strict(TextSource& source, Collector& collector);

struct TolerantResult {
  std::size_t end = 0;
  bool truncated = false;  // or given up
};

// Reads the document at `begin` whatever it is. Always ends, always moves on.
[[nodiscard]] TolerantResult read_tolerant(std::string_view text, std::size_t begin,
                                           Collector& collector, Repairs& repairs);

}  // namespace trtlens::json_detail
