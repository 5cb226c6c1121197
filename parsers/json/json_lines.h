// Records of a container's or a service's logger, one JSON object a line (docker's json-file,
// journalctl -o json, Loki, structured loggers): the lines that a program printed, as a log.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "parsers/json/contained_log.h"

namespace trtlens {

// From the first bytes of what looks like JSON: the first line is such a record.
[[nodiscard]] bool looks_like_json_lines(std::string_view first_bytes);

// Hands on what the records say, with the numbers of their lines. Docker cuts a line at 16 KiB into
// several records; standard output and error have each their own. Text that is no record is handed
// on as it is, JSON that says nothing is left out; the first of them is the end's defect_line.
// `next` as that of read_notebook().
[[nodiscard]] ContainedLogEnd read_json_lines(const std::function<std::string_view()>& next,
                                              const ContainedLogSink& sink);

}  // namespace trtlens
