#include "parsers/json/contained_log.h"

#include "parsers/json/json_inputs.h"
#include "parsers/json/json_lines.h"
#include "parsers/json/notebook.h"

namespace trtlens {
namespace {

constexpr LogContainer kNotebook = {
    .read = read_notebook,
    .id = "notebook",
    .name = "a notebook",
    .read_lines = "lines that its cells printed are read",
    .empty =
        "a notebook whose cells printed nothing: save it with its outputs, or give the log alone "
        "(in a cell: !trtexec ... 2>&1 | tee build.log)",
    .broken_id = "notebook-broken",
    .broken_expected = "JSON to the end of the notebook",
    .broken_found = "text that is no JSON: what stands behind it is not read",
    .reads_on = false,
};
constexpr LogContainer kJsonLines = {
    .read = read_json_lines,
    .id = "json-lines",
    .name = "a logger's records",
    .read_lines = "lines that they hold are read",
    .empty = "a logger's records that say nothing",
    .broken_id = "json-lines-broken",
    .broken_expected = "a record that says something (log, message, msg, ...)",
    .broken_found =
        "another line: text is read as it stands, JSON is left out (journalctl needs --all)",
    .reads_on = true,
};

}  // namespace

const LogContainer* log_container_of(std::string_view first_bytes) {
  if (!looks_like_json(first_bytes)) return nullptr;
  if (looks_like_notebook(first_bytes)) return &kNotebook;
  return looks_like_json_lines(first_bytes) ? &kJsonLines : nullptr;
}

}  // namespace trtlens
