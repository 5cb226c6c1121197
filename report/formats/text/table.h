// Tables and wrapped text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "report/document/document.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// ANSI sequences when colour is on, nothing otherwise.
struct Ink {
  bool on = false;
  [[nodiscard]] std::string bold(const std::string& text) const;
  [[nodiscard]] std::string dim(const std::string& text) const;
  [[nodiscard]] std::string tone(Tone tone, const std::string& text) const;
};

// Lines of visible text, none wider than `width`; words longer than that are cut.
[[nodiscard]] std::vector<std::string> wrap(const std::string& text, std::size_t width);
// `text` wrapped, the first line after `first`, the others after as many blanks; ends with '\n'.
[[nodiscard]] std::string hanging(const std::string& first, const std::string& text,
                                  std::size_t width);
// Each on lines of its own that a shell can be given: what is too wide goes on behind a backslash,
// but for what stands between quotes. `first` stands in front of them, as deep as they are.
[[nodiscard]] std::string command_lines(const std::string& first,
                                        const std::vector<std::string>& commands,
                                        std::size_t width);
void text_table(const Table& table, std::size_t width, const Ink& ink, TextStream& out);

}  // namespace trtlens
