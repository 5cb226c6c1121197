// The ways to read a log, which must not differ. For tests and the fuzzer; standard library only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "parsers/log/log_parser.h"

namespace trtlens {

// As chunks come, and each line the long way.
enum class Way : std::uint8_t { usual, no_short_cuts };

inline LogResult read_in_chunks(std::uint32_t file, std::string_view text, std::size_t chunk,
                                Way way, LogOptions options) {
  options.take_short_cuts = way == Way::usual;
  LogParser parser(file, std::move(options));
  for (std::size_t at = 0; at < text.size(); at += chunk) parser.feed(text.substr(at, chunk));
  LogResult result = parser.finish();
  for (std::size_t i = 0; i < result.builds.size(); ++i) {
    make_whole(result.builds[i], result.rests[i]);
  }
  return result;
}

}  // namespace trtlens
