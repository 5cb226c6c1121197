// TensorRT's messages behind headers that others make: Python's logging, loguru, spdlog, the
// ILogger of a program; and behind none, where an ILogger prints only the message, or a filter cut.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "parsers/model/build.h"

namespace trtlens {

// What may be the message of a line that begins with another program's header.
struct LoggedText {
  LogSeverity severity = LogSeverity::unknown;  // unknown: no header of a logger
  // Behind the severity, and behind each field that follows it: "module:function:12", "name".
  std::array<std::string_view, 5> texts;
  std::size_t size = 0;
  // The logger is called "tensorrt": the last text is the library's, whatever its words.
  bool is_library = false;
};

// "DEBUG:tensorrt:text", "2024-05-17 17:06:02,351 - tensorrt - DEBUG - text",
// "2024-05-17 17:06:02.351 | DEBUG    | module:log:12 - text", "[2024-05-17 17:06:02] [info] text".
[[nodiscard]] LoggedText logged_text(std::string_view line);

// The severity that a word names, in any case: "Error", "warning"; unknown: it names none.
[[nodiscard]] LogSeverity severity_of_word(std::string_view word);

// Whether `text` begins as hardly anything but a message of TensorRT does. It need not be one.
[[nodiscard]] bool begins_as_library(std::string_view text);

}  // namespace trtlens
