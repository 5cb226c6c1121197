// The interactive table: columns as JSON, repeated texts once.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/html/packed.h"
#include "report/formats/html/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kStaticRows = 50;  // without script

const char* kind_name(ColumnKind kind) {
  return name_of<ColumnKind::delta>(
      kind, {"text", "name", "number", "share", "label", "precision", "delta"});
}

// The distinct texts of a column, numbered in the order in which they come. Texts may be many (the
// names of all layers): what is remembered of each is its hash and the row that has it.
class Words {
 public:
  Words(const Table& table, std::size_t column) : table_(table), column_(column) {}

  // The number of the text of a row; one that is new is written to `out` as an item of a list.
  std::uint32_t number_of(std::size_t row, TextStream& out);

 private:
  struct Word {
    std::uint32_t number = 0, row = 0;
  };

  const Table& table_;
  std::size_t column_;
  std::unordered_multimap<std::size_t, Word> words_;  // by hash
};

std::uint32_t Words::number_of(std::size_t row, TextStream& out) {
  const std::string text = table_.rows.cell(row, column_).text;
  const std::size_t hash = std::hash<std::string>()(text);
  const auto [first, last] = words_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const Word& word = known->second;
    if (table_.rows.cell(word.row, column_).text == text) return word.number;
  }
  if (!words_.empty()) out += ",";
  out += json_in_html(text);
  const auto number = static_cast<std::uint32_t>(words_.size());
  words_.insert({hash, {number, static_cast<std::uint32_t>(row)}});
  return number;
}

std::string value_json(const Column& column, const Cell& cell) {
  if (!cell.value || !std::isfinite(*cell.value)) return "null";
  // A share is drawn as a bar.
  return column.kind == ColumnKind::share ? fmt::format("{:.4g}", *cell.value)
                                          : fmt::format("{:.7g}", *cell.value);
}

// Each text is what its value says already, as of a rank.
bool is_of_values(const Table& table, std::size_t column) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Cell cell = table.rows.cell(r, column);
    const bool has_value = cell.value && std::isfinite(*cell.value);
    if (!has_value || cell.text != value_json(table.columns[column], cell)) return false;
  }
  return !table.rows.empty();
}

// Nothing when no row has a value.
void values_json(const Table& table, std::size_t column, TextStream& out) {
  const std::size_t rows = table.rows.size();
  bool any = false;
  for (std::size_t r = 0; r < rows && !any; ++r) any = table.rows.cell(r, column).value.has_value();
  if (!any) return;
  out += ",\"value\":[";
  for (std::size_t r = 0; r < rows; ++r) {
    if (r > 0) out += ",";
    out += value_json(table.columns[column], table.rows.cell(r, column));
  }
  out += "]";
}

// Nothing when no row has a page.
void pages_json(const Table& table, std::size_t column, TextStream& out) {
  const std::size_t rows = table.rows.size();
  // Where rows have pages, all but the first may: that of a base has none.
  const auto has_page = [&](std::size_t row) {
    return row < rows && !table.rows.cell(row, column).page.empty();
  };
  if (table.columns[column].kind != ColumnKind::name || !(has_page(0) || has_page(1))) return;
  out += ",\"page\":[";
  for (std::size_t r = 0; r < rows; ++r) {
    if (r > 0) out += ",";
    out += json_in_html(table.rows.cell(r, column).page);
  }
  out += "]";
}

void texts_json(const Table& table, std::size_t column, TextStream& out) {
  out += ",\"words\":[";
  std::vector<std::uint32_t> word_of(table.rows.size());
  Words words(table, column);
  for (std::size_t r = 0; r < word_of.size(); ++r) word_of[r] = words.number_of(r, out);
  out += "],\"word\":[";
  html_word_numbers(word_of, out);
  out += "]";
}

// {"title":…,"kind":…,"detail":…,"hint":…,"words":[distinct texts],"word":[one per
// row],"value":[…]}; without words the values are the texts.
void column_json(const Table& table, std::size_t c, TextStream& out) {
  const Column& column = table.columns[c];
  out += fmt::format("{{\"title\":{},\"kind\":\"{}\",\"detail\":{}", json_in_html(column.title),
                     kind_name(column.kind), column.detail ? "true" : "false");
  if (!column.hint.empty()) out += ",\"hint\":" + json_in_html(column.hint);
  if (!is_of_values(table, c)) texts_json(table, c, out);
  values_json(table, c, out);
  pages_json(table, c, out);
  out += "}";
}

}  // namespace

void html_interactive_table(const Table& table, std::size_t id, TextStream& out) {
  out +=
      fmt::format("<div class=\"grid\" id=\"grid-{}\"{}></div>", id, html_table_name(table.name));
  Table without_note = table;  // the page has it below the grid
  without_note.note.clear();
  out += "<noscript>" + html_table(without_note, kStaticRows) + "</noscript>\n";
  const auto data = [&](TextStream& json) {
    json += fmt::format("{{\"title\":{},\"rows\":{},\"columns\":[", json_in_html(table.title),
                        table.rows.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) json += ",";
      column_json(table, c, json);
    }
    json += "]}";
  };
  html_packed(fmt::format("grid-{}", id), data, out);
}

}  // namespace trtlens
