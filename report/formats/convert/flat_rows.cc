// Walks the facts of a row, and puts each into its column.
#include "report/formats/convert/flat_rows.h"

#include "report/facts/facts.h"

namespace trtlens {
namespace {

void add_columns(const FactTable& table, const std::string& prefix, bool is_list,
                 std::vector<FlatColumn>& columns) {
  for (const FactEntry& fact : table) {
    if (fact.of == nullptr) {
      columns.push_back({prefix + fact.name, &fact, is_list});
    } else {
      add_columns(*fact.of, prefix + fact.name + "_", is_list || fact.is_list, columns);
    }
  }
}

}  // namespace

std::vector<FlatColumn> flat_columns(const FactTable& table) {
  std::vector<FlatColumn> columns;
  add_columns(table, "", false, columns);
  return columns;
}

const std::vector<FlatColumn>& layer_columns() {
  static const std::vector<FlatColumn> columns = [] {
    std::vector<FlatColumn> all = flat_columns(kLayerFacts);
    all.push_back({"build_name"});
    return all;
  }();
  return columns;
}

FlatRow::FlatRow(const std::vector<FlatColumn>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) places_.emplace(columns[i].name, i);
  cells.resize(columns.size());
}

void FlatRow::clear() {
  for (FlatCell& cell : cells) cell.clear();
}

void FlatRow::fact(const FactEntry& fact, const FactValue& value) {
  const auto place = places_.find(prefix() + fact.name);
  if (place != places_.end()) cells[place->second].push_back(value);
}

std::string FlatRow::prefix() const {
  std::string text;
  for (const FactEntry* fact : path_) {
    if (fact != nullptr) text += std::string(fact->name) + "_";
  }
  return text;
}

void for_each_layer_row(const Analysis& analysis,
                        const std::function<void(const std::vector<FlatCell>&)>& each) {
  FlatRow row(layer_columns());
  for (const Layer& layer : analysis.build.layers) {
    row.clear();
    kLayerFacts.write(analysis, &layer, row);
    row.cells.back() = {analysis.name};
    each(row.cells);
  }
}

}  // namespace trtlens
