// A log that stands in JSON strings: where its lines go.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace trtlens {

// A line of the log, and the line of the file on which its string begins.
using ContainedLogSink = std::function<void(std::string_view line, std::uint64_t number)>;

struct ContainedLogEnd {
  std::uint64_t lines = 0;        // of the log
  std::uint64_t defect_line = 0;  // of the file: where it is not what it seemed to be; 0: nowhere
};

// A kind of file that holds a log so, and the words for it.
struct LogContainer {
  // `next` gives the file piece by piece, an empty one at its end.
  ContainedLogEnd (*read)(const std::function<std::string_view()>& next,
                          const ContainedLogSink& sink);
  const char* id;          // of the note that it was one
  const char* name;        // "a notebook"
  const char* read_lines;  // behind their number
  const char* empty;       // why there are none
  const char* broken_id;   // of the warning that it is damaged
  const char* broken_expected;
  const char* broken_found;
  bool reads_on;  // behind a defect
};

// From the first bytes of what looks like JSON; null: none of them.
[[nodiscard]] const LogContainer* log_container_of(std::string_view first_bytes);

}  // namespace trtlens
