// The lines of a chunk, recognised ahead of their turn by any thread. Only what needs no knowledge
// of the lines before is done: LogParser puts the facts where they belong, or reads a line itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parsers/log/framing/header.h"
#include "parsers/log/framing/line_ends.h"
#include "parsers/log/grammar/line_kind.h"

namespace trtlens {

struct PreparedLine {
  std::string_view raw;
  const LineKind* kind = nullptr;  // null: nothing is known of it
  std::uint64_t tactic = 0;        // Match::tactic, if has_tactic
  std::uint32_t first_field = 0;   // of those of its chunk
  std::uint8_t fields = 0;
  std::uint8_t header_bytes = 0;
  LogSeverity severity = LogSeverity::unknown;
  bool library = false;
  bool has_tactic = false;
};

class PreparedChunk {
 public:
  // `text` stays valid as long as what is asked of this object.
  void prepare(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }
  // Up to the first line's end, and behind the last one: pieces of lines, without any when the
  // chunk has no line end.
  [[nodiscard]] std::string_view head() const { return head_; }
  [[nodiscard]] std::string_view tail() const { return tail_; }
  [[nodiscard]] const std::vector<PreparedLine>& lines() const { return lines_; }
  // The fields of `line` as find() gave them, valid as long as lines().
  void fields_of(const PreparedLine& line, Match& match) {
    match.field = fields_.data() + line.first_field;
    match.fields = line.fields;
    if (line.has_tactic) {
      match.tactic = line.tactic;
    } else {
      match.tactic.reset();
    }
  }
  // An escape or a carriage return may stand in it.
  [[nodiscard]] bool has_controls() const { return has_controls_; }

 private:
  void prepare_line(std::string_view raw);

  std::string_view text_, head_, tail_;
  std::vector<PreparedLine> lines_;
  std::vector<std::string_view> fields_;  // with room for those of the next line
  std::size_t known_fields_ = 0;
  bool has_controls_ = false;
  LineEnds ends_;
  const LineKindTable& kinds_ = LineKindTable::instance();
  PlainHeader header_;
  Match match_;
};

// Whether an escape or a carriage return stands in `text`.
[[nodiscard]] inline bool holds_controls(std::string_view text) {
  return text.find('\x1b') != std::string_view::npos || text.find('\r') != std::string_view::npos;
}

}  // namespace trtlens
