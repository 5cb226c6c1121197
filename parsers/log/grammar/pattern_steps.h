// A pattern of RE2's syntax as the steps that LinePattern takes through a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/text/byte_set.h"

namespace trtlens {

// One step of a way through a pattern; the next one stands behind it.
struct PatternStep {
  // id: 0x[0-9a-f]+|-?\d+ with neither behind it.
  enum class Kind : std::uint8_t {
    text,
    bytes,
    id,
    begin_group,
    end_group,
    no_group,
    fork,
    jump,
    end
  };
  Kind kind = Kind::end;
  bool is_group = false;       // bytes and id: all of a group
  bool is_lazy = false;        // bytes
  bool has_choice = false;     // bytes: more than one number of them may lead on
  bool may_end = false;        // behind bytes, or at the first way of a fork, the text may end
  bool other_may_end = false;  // at the second way of a fork
  std::size_t group = 0;
  std::uint32_t least = 0, most = 0;  // bytes
  std::int32_t target = 0;            // jump, and of a fork its second way; counted from here
  std::string words;                  // text; bytes with a choice: what must stand behind them
  std::size_t rare = 0;               // in `words`, for WordSearch
  ByteSet set;                        // bytes
  ByteRanges ranges;                  // of `set`
  ByteSet next;                       // begins what stands behind bytes, or the first way of a fork
  ByteSet other;                      // begins the second way of a fork
};

// Empty when a part of `regex` is not of the syntax, or it has more groups.
std::vector<PatternStep> pattern_steps(std::string_view regex, std::size_t max_groups,
                                       std::size_t& groups);
// Tells each step what may stand behind it; the steps are complete.
void look_ahead(std::vector<PatternStep>& steps);

}  // namespace trtlens
