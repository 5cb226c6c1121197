// Headers of the programs around TensorRT: those in front of TensorRT's messages, and those in
// front of their own.
#pragma once

#include <string_view>

#include "parsers/log/framing/header.h"
#include "parsers/text/ascii.h"

namespace trtlens::header {

// Matches `shape` at the start of `text`: '0' stands for a digit, anything else for itself.
[[nodiscard]] bool has_shape(std::string_view text, std::string_view shape);
// Removes `prefix` from the start of `text`, when it is there.
bool take(std::string_view& text, std::string_view prefix);
void take_blanks(std::string_view& text);
// "[V] ", or "[V]" at the end of the line: a letter of the samples logger.
LogSeverity take_letter(std::string_view& text);

// Takes the header of a TensorRT message from the start of `text`, and says in `line` whose it is.
// `own` without `library`: a header that its program also puts in front of its own text.
[[nodiscard]] bool take_producer(std::string_view& text, LogLine& line);
// "[TRT] [I] text": Python's order, also behind trtexec's time stamp.
[[nodiscard]] bool take_tag(std::string_view& text, LogLine& line);
// "ERROR: text", the samples' logger up to 7.x; other programs write the same.
[[nodiscard]] bool take_old_samples(std::string_view& text, LogLine& line);
// Takes a header that no message of TensorRT has: what follows is another program's. Such a line
// is not `own`, but has a severity.
[[nodiscard]] bool take_foreign(std::string_view& text, LogLine& line);

}  // namespace trtlens::header
