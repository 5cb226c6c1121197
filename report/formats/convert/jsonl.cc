// An object a layer and line, with the columns of CSV; lists are lists.
#include "report/formats/convert/convert.h"
#include "report/formats/convert/flat_rows.h"
#include "report/formats/json/facts.h"

namespace trtlens {
namespace {

Json known(const FactValue& value) {
  Json json = json_of(value);
  const auto* const text = json.get_ptr<const Json::string_t*>();
  return text != nullptr && text->empty() ? Json() : json;
}

void write_jsonl(const Analysis& analysis, TextStream& out) {
  for_each_layer_row(analysis, [&](const std::vector<FlatCell>& cells) {
    out += json_line(layer_columns(), cells);
  });
}

}  // namespace

std::string json_line(const std::vector<FlatColumn>& columns, const std::vector<FlatCell>& cells) {
  Json row = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Json& to = row[columns[i].name];
    if (!columns[i].is_list) {
      if (!cells[i].empty()) to = known(cells[i].front());
      continue;
    }
    to = Json::array();
    for (const FactValue& value : cells[i]) to.push_back(known(value));
  }
  return json_one_line(row) + "\n";
}

const Converter kJsonl{"jsonl", false, write_jsonl, true};

}  // namespace trtlens
