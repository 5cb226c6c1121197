// The ways to read a log, which must not differ. For tests and the fuzzer; standard library only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parsers/log/log_parser.h"

namespace trtlens {

// As chunks come, and each line the long way.
enum class Way : std::uint8_t { usual, no_short_cuts };

inline LogResult read_in_chunks(LogParser& parser, std::string_view text, std::size_t chunk,
                                Way way) {
  if (way == Way::no_short_cuts) parser.take_no_short_cuts();
  for (std::size_t at = 0; at < text.size(); at += chunk) parser.feed(text.substr(at, chunk));
  LogResult result = parser.finish();
  for (std::size_t i = 0; i < result.builds.size(); ++i) {
    make_whole(result.builds[i], result.rests[i]);
  }
  return result;
}

}  // namespace trtlens
