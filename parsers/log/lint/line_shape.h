// The shape of a log line: its words, with everything that varies folded into placeholders. For
// lint: a thousand lines that differ in names and numbers are one shape.
#pragma once

#include <string>
#include <string_view>

namespace trtlens {

// "Layer(Conv) /m/conv1 took 0.5 ms, 0x1f" -> "Layer(<…>) <name> took <n> ms, <hex>". Placeholders:
// <n> numbers, <hex>, <name> (paths, layers, identifiers), <type> of data, <…> what brackets hold,
// <text> what quotes hold; "…" repetitions of what stands before it. Words of letters are kept.
[[nodiscard]] std::string line_shape(std::string_view body);
// Whether it is a word of the message, such as "Layer", "non-conforming", "doesn't", "Q/DQ",
// "--fp16".
[[nodiscard]] bool is_plain_word(std::string_view text);

}  // namespace trtlens
