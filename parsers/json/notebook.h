// A Jupyter notebook (nbformat 4): the lines that its cells printed, as a log.
#pragma once

#include <functional>
#include <string_view>

#include "parsers/json/contained_log.h"

namespace trtlens {

// From the first bytes of what looks like JSON. No export of trtexec has such keys.
[[nodiscard]] bool looks_like_notebook(std::string_view first_bytes);

// Hands on the lines of every "text" of every output, in order; of one longer than a log's may be,
// so much that it is seen to be longer. Behind a defect nothing is read. Bytes that are no UTF-8
// become U+FFFD. `next` gives the file piece by piece, an empty one at its end.
[[nodiscard]] ContainedLogEnd read_notebook(const std::function<std::string_view()>& next,
                                            const ContainedLogSink& sink);

}  // namespace trtlens
