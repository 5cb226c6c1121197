// The list of the writers.
#include "report/formats/writer.h"

namespace trtlens {

const Writer writer_csv{"csv", "csv"};
const Writer writer_json{"json", "json"};

const std::vector<const Writer*>& all_writers() {
  static const std::vector<const Writer*> all = {
      &writer_baseline, &writer_brief, &writer_csv,          &writer_github,
      &writer_gitlab,   &writer_html,  &writer_json,         &writer_junit,
      &writer_markdown, &writer_sarif, &writer_step_summary, &writer_text};
  return all;
}

}  // namespace trtlens
