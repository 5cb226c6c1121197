// The ways to read a log, which must not differ. For tests and the fuzzer; standard library only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parsers/log/log_parser.h"
#include "parsers/log/prepared_lines.h"

namespace trtlens {

// As chunks come, each line the long way, and prepared as by the threads that read big logs.
enum class Way : std::uint8_t { usual, no_short_cuts, prepared };

inline LogResult read_in_chunks(LogParser& parser, std::string_view text, std::size_t chunk,
                                Way way) {
  if (way == Way::no_short_cuts) parser.take_no_short_cuts();
  PreparedChunk prepared;
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    const std::string_view piece = text.substr(at, chunk);
    // What a byte order mark says must be known.
    if (way == Way::prepared && at >= 2 && !parser.is_utf16()) {
      prepared.prepare(piece);
      parser.feed(prepared);
    } else {
      parser.feed(piece);
    }
  }
  LogResult result = parser.finish();
  for (std::size_t i = 0; i < result.builds.size(); ++i) {
    make_whole(result.builds[i], result.rests[i]);
  }
  return result;
}

}  // namespace trtlens
