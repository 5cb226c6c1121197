// Data inside the page, compressed: an engine of 5,000 layers is 1.5 MB of JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "report/formats/text_stream.h"

namespace trtlens {

// A script element that a browser does not run: what `write` puts into its stream, deflated and in
// base64. `name` is what report.js asks for.
void html_packed(std::string_view name, const std::function<void(TextStream&)>& write,
                 TextStream& out);

// Numbers of distinct texts, which are numbered in the order in which they come: 0 is the next one,
// k + 1 is text k. Names of layers are mostly new, and zeros take no room.
void html_word_numbers(const std::vector<std::uint32_t>& numbers, TextStream& out);

}  // namespace trtlens
