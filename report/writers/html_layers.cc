// The interactive table: columns as JSON, repeated texts once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "report/charts/palette.h"
#include "report/escape.h"
#include "report/writers/html_parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kStaticRows = 50;  // without script

const char* kind_name(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::text:
      return "text";
    case ColumnKind::name:
      return "name";
    case ColumnKind::number:
      return "number";
    case ColumnKind::share:
      return "share";
    case ColumnKind::label:
      return "label";
    case ColumnKind::precision:
      return "precision";
  }
  return "text";
}

bool has_values(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [column](const auto& row) { return row[column].value.has_value(); });
}

// {"title":…,"kind":…,"detail":…,"words":[distinct texts],"word":[index per row],"value":[…]}
std::string column_json(const Table& table, std::size_t c) {
  const Column& column = table.columns[c];
  std::unordered_map<std::string, std::size_t> index;
  std::string words;
  std::string word;
  std::string values;
  for (const std::vector<Cell>& row : table.rows) {
    const auto [it, is_new] = index.emplace(row[c].text, index.size());
    if (is_new) words += (words.empty() ? "" : ",") + json_in_html(row[c].text);
    word += fmt::format("{}{}", word.empty() ? "" : ",", it->second);
    const std::optional<double>& value = row[c].value;
    values += values.empty() ? "" : ",";
    values += value && std::isfinite(*value) ? fmt::format("{:.7g}", *value) : "null";
  }
  std::string out = fmt::format("{{\"title\":{},\"kind\":\"{}\",\"detail\":{},\"words\":[{}],",
                                json_in_html(column.title), kind_name(column.kind),
                                column.detail ? "true" : "false", words);
  out += fmt::format("\"word\":[{}]", word);
  if (has_values(table, c)) out += fmt::format(",\"value\":[{}]", values);
  return out + "}";
}

// Class suffixes by label, so that script and style sheet use the same ones.
std::string classes_json() {
  std::string out;
  for (const PrecisionColour& entry : kPrecisionColours) {
    out += fmt::format("{}\"{}\":\"p-{}\"", out.empty() ? "" : ",", entry.label, entry.css);
  }
  return "{" + out + "}";
}

}  // namespace

std::string html_interactive_table(const Table& table, std::size_t id) {
  std::string columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns += (columns.empty() ? "" : ",\n") + column_json(table, c);
  }
  std::string out = fmt::format("<div class=\"grid\" id=\"grid-{}\"></div>", id);
  out += "<noscript>" + html_table(table, kStaticRows) + "</noscript>\n";
  out += fmt::format(
      "<script type=\"application/json\" data-grid=\"grid-{}\">{{\"title\":{},\"rows\":{},"
      "\"classes\":{},\"columns\":[\n{}]}}</script>\n",
      id, json_in_html(table.title), table.rows.size(), classes_json(), columns);
  return out;
}

}  // namespace trtlens
