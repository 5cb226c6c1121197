// Messages of a log, equal ones folded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "parsers/model/diagnostic.h"

namespace trtlens {

enum class LogSeverity : std::uint8_t { unknown, verbose, info, warning, error, internal_error };

// Equal messages are one record with a count.
struct Message {
  LogSeverity severity = LogSeverity::unknown;
  std::string text;  // all physical lines of the message, joined with '\n'; without prefixes
  std::uint64_t count = 1;
  SourcePos pos;                 // of the first
  bool of_tensorrt = true;       // false: of a program around it, such as Polygraphy's own [E]
  bool before_progress = false;  // building or timing went on with or after the last one of them

  [[nodiscard]] bool is_error() const { return severity >= LogSeverity::error; }
};

// Knows TensorRT's messages by their words, whatever stands in front of them. `level` is what the
// header of the line says, unknown when it says nothing. The rules about messages are behind it
// (analyzers/rules/rule.h).
struct KnownWords {
  LogSeverity level = LogSeverity::unknown;  // of the message
  int rules = 0;                             // that know it; 0: it is none
  bool has_words = false;                    // false: no part of it is one either
  bool is_anybodys = false;                  // other programs say so, too: beside TensorRT only
};
using KnownMessage = std::function<KnownWords(const std::string& text, LogSeverity level)>;

}  // namespace trtlens
