// The records of --keep-tactics, one a line.
#include <fmt/format.h>

#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"

namespace trtlens {

// As text: a log has millions of them.
void write_tactic_records(const Analysis& analysis, JsonStream& out) {
  const TacticRecords& records = analysis.build.tactic_records;
  std::vector<std::string> texts, files;
  texts.reserve(records.texts.size());
  for (const std::string& text : records.texts) texts.push_back(json_one_line(json_text(text)));
  for (const Input& input : analysis.reading->inputs)
    files.push_back(json_one_line(json_text(input.path)));
  out.list(records.rows, [&](const TacticRecord& r) {
    out.raw_item(fmt::format(
        R"({{"layer": {}, "formats": {}, "runner": {}, "name": {}, "id": {}, "time_ms": {}, )"
        R"("skipped": {}, "file": {}, "line": {}}})",
        texts.at(r.layer), texts.at(r.format_combination), texts.at(r.runner), texts.at(r.name),
        r.id ? fmt::format("\"0x{:016x}\"", *r.id) : "null",
        r.time_ms ? Json(*r.time_ms).dump() : "null", texts.at(r.skipped),
        r.pos.file < files.size() ? files[r.pos.file] : "null", r.pos.line));
  });
}

}  // namespace trtlens
