#include "parsers/json/contained_log.h"

#include "parsers/json/json_inputs.h"
#include "parsers/json/json_lines.h"
#include "parsers/json/notebook.h"

namespace trtlens {
namespace {

constexpr LogContainer kNotebook = {
    read_notebook,
    "notebook",
    "a notebook",
    "lines that its cells printed are read",
    "a notebook whose cells printed nothing: save it with its outputs, or give the log alone "
    "(in a cell: !trtexec ... 2>&1 | tee build.log)",
    "notebook-broken",
    "JSON to the end of the notebook",
    "text that is no JSON: what stands behind it is not read",
    false,
};
constexpr LogContainer kJsonLines = {
    read_json_lines,
    "json-lines",
    "a logger's records",
    "lines that they hold are read",
    "a logger's records that say nothing",
    "json-lines-broken",
    "a record that says something (log, message, msg, ...)",
    "another line: text is read as it stands, JSON is left out (journalctl needs --all)",
    true,
};

}  // namespace

const LogContainer* log_container_of(std::string_view first_bytes) {
  if (!looks_like_json(first_bytes)) return nullptr;
  if (looks_like_notebook(first_bytes)) return &kNotebook;
  return looks_like_json_lines(first_bytes) ? &kJsonLines : nullptr;
}

}  // namespace trtlens
