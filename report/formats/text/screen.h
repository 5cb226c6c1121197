// The first screen on a terminal: at most 40 lines of 100 columns.
#pragma once

#include <cstddef>
#include <string>

#include "report/document/document.h"
#include "report/formats/text/table.h"
#include "report/formats/text_stream.h"

namespace trtlens {

// Of a first screen at 100 columns; 30 where something failed.
inline constexpr std::size_t kMostLines = 40, kMostFailureLines = 30;
inline constexpr std::size_t kStepsShown = 3;  // of a failure

// Why a build failed, what to do, and the lines that say so.
void text_failure(const ScreenFailure& failure, std::size_t most_steps, std::size_t width,
                  const Ink& ink, TextStream& out);
// Of a document that has comparisons.
void text_comparison_screen(const Document& document, std::size_t width, const Ink& ink,
                            TextStream& out);
// Of a document that has a contract.
void text_contract_screen(const Document& document, std::size_t width, const Ink& ink,
                          TextStream& out);
// Of a document that has a screen.
void text_screen(const Document& document, std::size_t width, const Ink& ink, TextStream& out);

inline constexpr std::size_t kBriefWidth = 100;
// The same for --format brief: no strips, advice with all its steps, the verdict in the first line.
// As much of it as `most_bytes` hold; more only where the least of it is longer.
[[nodiscard]] std::string brief_screen(const Document& document, std::size_t most_bytes);
[[nodiscard]] std::string brief_comparison_screen(const Document& document, std::size_t most_bytes);
[[nodiscard]] std::string brief_contract_screen(const Document& document, std::size_t most_bytes);

// What `draw` writes of `amounts`. Of the pairs in `gives_way` an amount after the other sinks to
// its least, until `fits` is true of the text or all have.
template <typename Amounts, typename GivesWay, typename Draw, typename Fits>
[[nodiscard]] std::string fitted(Amounts amounts, const GivesWay& gives_way, const Draw& draw,
                                 const Fits& fits) {
  const auto drawn = [&] { return text_of([&](TextStream& out) { draw(amounts, out); }); };
  std::string text = drawn();
  for (const auto& [amount, least] : gives_way) {
    if (fits(text)) break;
    if (amounts.*amount <= least) continue;
    amounts.*amount = least;
    text = drawn();
  }
  return text;
}

}  // namespace trtlens
