// Helpers of the log tests: one log from a string, every line's verdict, small readers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/log/log_parser.h"
#include "tests/unit/log_ways.h"

namespace trtlens {

struct SeenLine {
  std::string text, kind;
  LineClass line_class = LineClass::foreign;
};

struct ParsedLog {
  LogResult result;
  std::vector<SeenLine> lines;

  [[nodiscard]] const Build& build(std::size_t i = 0) const { return result.builds.at(i); }
  [[nodiscard]] const Run& run(std::size_t i = 0) const { return result.runs.at(i); }
};

inline ParsedLog parse_log(std::string_view text, std::size_t chunk = 0, Way way = Way::usual,
                           const KnownMessage& known = {}) {
  ParsedLog parsed;
  LogOptions options;
  options.known_message = known;
  options.observe = [&](std::string_view line, const LineVerdict& verdict) {
    parsed.lines.push_back({std::string(line), verdict.kind, verdict.line_class});
  };
  if (chunk == 0) chunk = std::max<std::size_t>(1, text.size());
  parsed.result = read_in_chunks(0, text, chunk, way, options);
  return parsed;
}

// Puts trtexec's stamp and `prefix` in front of every line of `bodies`.
inline std::string stamped(const std::string& prefix, const std::vector<std::string>& bodies) {
  std::string text;
  for (const std::string& body : bodies) {
    text += "[07/07/2026-02:11:00] ";
    text += prefix;
    text += body;
    text += '\n';
  }
  return text;
}
inline std::string own_lines(const std::vector<std::string>& bodies) {
  return stamped("[I] ", bodies);
}
inline std::string library_lines(const std::vector<std::string>& bodies) {
  return stamped("[V] [TRT] ", bodies);
}

inline std::string running(const std::string& arguments, const std::string& version = "8501") {
  return "&&&& RUNNING TensorRT.trtexec [TensorRT v" + version + "] # trtexec " + arguments + "\n";
}
inline std::string closing(const std::string& status, const std::string& arguments) {
  return "&&&& " + status + " TensorRT.trtexec [TensorRT v8501] # trtexec " + arguments + "\n";
}

inline const Layer* find_layer(const Build& build, std::string_view name) {
  for (const Layer& layer : build.layers) {
    if (layer.name == name) return &layer;
  }
  return nullptr;
}

// ASCII as PowerShell writes it, with a byte order mark.
inline std::string utf16(const std::string& ascii, bool little_endian) {
  std::string text = little_endian ? "\xFF\xFE" : "\xFE\xFF";
  for (const char c : ascii) {
    if (!little_endian) text += '\0';
    text += c;
    if (little_endian) text += '\0';
  }
  return text;
}

}  // namespace trtlens
