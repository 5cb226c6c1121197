// The lines of a log around those that findings quote.
#pragma once

#include "report/document/document.h"

namespace trtlens {

// Reads the quoted logs again, as far as they are files that can be. A line that does not hold what
// its finding quotes gets no window: the file has changed, or was compressed.
void add_log_windows(Document& document);

}  // namespace trtlens
