// Sentences on a comparison that its screen, its tiles and its sections share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"

namespace trtlens {

// The sides have no other figure in common: Comparison::why_profile.
[[nodiscard]] bool is_by_profile(const EngineVerdict& e);
// "a_r18", "a_r18 and 9 more"; of the base (0) or the candidate (1).
[[nodiscard]] std::string side_name(const Comparison& c, std::size_t side);

// "Regressed", and the whole sentence.
[[nodiscard]] std::string verdict_word(const Comparison& c);
[[nodiscard]] std::string verdict_sentence(const Comparison& c);
// Of a verdict that no figure explains: sentences.
[[nodiscard]] std::vector<std::string> why_no_verdict(const Comparison& c);
// What the shift is held against: "beyond the noise floor of 5.0 % (assumed)"; "" without a shift.
[[nodiscard]] std::string shift_note(const EngineVerdict& e);
// With as many digits as tell the floor from the shift. A floor is of the faster side, which is
// said where -4.9 % are beyond 5 %.
struct ShiftTexts {
  std::string shift, floor;
  int digits = 1;
};
[[nodiscard]] ShiftTexts shift_texts(const EngineVerdict& e);
// "-0.0660": without the unit, which stands above.
[[nodiscard]] std::string ms_change_text(double ms);
[[nodiscard]] std::string floor_source(const EngineVerdict& e);

// ", 10th percentile", ", p10": `analyze` gives the median of the same run.
[[nodiscard]] std::string statistic_text(const EngineVerdict& e);
[[nodiscard]] std::string short_statistic(const EngineVerdict& e);

// What stands on a side of a difference: "not given", "unknown".
[[nodiscard]] std::string side_text(const Difference& d, const std::optional<std::string>& side);
// Of a GPU that was shared; notes_before_numbers() says it in a sentence.
[[nodiscard]] bool is_throughput(const Difference& d);
// Whose build the inputs do not show: a sentence; "" where they show both.
[[nodiscard]] std::string unknown_build_text(const Comparison& c);
// What the reader must know before any number: sentences.
[[nodiscard]] std::vector<std::string> notes_before_numbers(const Comparison& c);
// Commands that time the engines, and whose: "base", "both sides".
[[nodiscard]] std::vector<std::pair<std::string, std::string>> timing_commands(
    const Settle& settle);

}  // namespace trtlens
