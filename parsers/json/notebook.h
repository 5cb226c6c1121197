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

struct NotebookEnd {
  std::uint64_t lines = 0;        // of outputs
  std::uint64_t defect_line = 0;  // of the file: what stands behind it was not read; 0: all was
};

// Hands on the lines of every "text" of every output, in order; of one longer than a log's may be,
// so much that it is seen to be longer. Bytes that are no UTF-8 become U+FFFD. `next` gives the
// file piece by piece, an empty one at its end.
[[nodiscard]] NotebookEnd read_notebook(const std::function<std::string_view()>& next,
                                        const NotebookSink& sink);

}  // namespace trtlens
