// A Jupyter notebook (nbformat 4): the lines that its cells printed, as a log.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace trtlens {

// From the first bytes of what looks like JSON. No export of trtexec has such keys.
[[nodiscard]] bool looks_like_notebook(std::string_view first_bytes);

// A line of an output, and the line of the file on which its string begins.
using NotebookSink = std::function<void(std::string_view line, std::uint64_t number)>;

// Hands on the lines of every "text" of every output, in order; what stands behind a defect of the
// JSON is not read. Returns how many lines there were.
std::uint64_t read_notebook(std::string_view text, const NotebookSink& sink);

}  // namespace trtlens
