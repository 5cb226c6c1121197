// The command `history export`: builds of a history as files for other engines.
#pragma once

#include "report/cli/commands.h"
#include "report/history/history.h"

namespace trtlens {

// The exit status. The history is open and sound.
[[nodiscard]] int export_history(const HistoryArguments& arguments, History& history);

}  // namespace trtlens
