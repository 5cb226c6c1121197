// The small part of RE2's syntax that line kinds use, matched by backtracking where lines need it
// and without where they do not: a few instructions a field instead of RE2's general search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace trtlens {

struct PatternStep;

// Matches whole texts, bytes as Latin-1, '.' any byte; groups as RE2 gives them (leftmost, first
// alternative first).
class LinePattern {
 public:
  static constexpr std::size_t kMaxGroups = 12;
  enum class Answer : std::uint8_t { no, yes, unknown };

  // Every text begins with `known`, which is not looked at again where the pattern begins with it,
  // too.
  explicit LinePattern(std::string_view regex, std::string_view known = {});
  ~LinePattern();
  LinePattern(const LinePattern&) = delete;
  LinePattern& operator=(const LinePattern&) = delete;

  // Of `yes`, `fields` holds groups() groups; one that took no part is empty. `unknown` when the
  // text has more ways to match than are worth trying, and always when the pattern is outside this
  // part of the syntax: flags, anchors, more groups, repeated groups that capture or may be empty.
  [[nodiscard]] Answer match(std::string_view text, std::string_view* fields) const;
  [[nodiscard]] std::size_t groups() const { return groups_; }
  [[nodiscard]] bool is_known() const;

 private:
  std::vector<PatternStep> steps_;
  std::size_t groups_ = 0;
  std::size_t known_bytes_ = 0;
};

}  // namespace trtlens
