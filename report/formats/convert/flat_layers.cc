// Walks the facts of every layer, and puts each into its column.
#include "report/formats/convert/flat_layers.h"

#include <unordered_map>

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

class FlatWriter : public FactWriter {
 public:
  FlatWriter() {
    const std::vector<FlatColumn>& columns = layer_columns();
    for (std::size_t i = 0; i < columns.size(); ++i) places_.emplace(columns[i].name, i);
    cells.resize(columns.size());
  }

  void clear() {
    for (FlatCell& cell : cells) cell.clear();
  }
  void fact(const FactEntry& fact, const FactValue& value) override {
    const auto place = places_.find(prefix() + fact.name);
    if (place != places_.end()) cells[place->second].push_back(value);
  }
  void irregular(const FactEntry& /*fact*/, const Analysis& /*analysis*/) override {}
  void begin_object(const FactEntry* fact) override { path_.push_back(fact); }
  void begin_list(const FactEntry* fact) override { path_.push_back(fact); }
  void end() override { path_.pop_back(); }

  std::vector<FlatCell> cells;

 private:
  [[nodiscard]] std::string prefix() const {
    std::string text;
    for (const FactEntry* fact : path_) {
      if (fact != nullptr) text += std::string(fact->name) + "_";
    }
    return text;
  }

  std::unordered_map<std::string, std::size_t> places_;
  std::vector<const FactEntry*> path_;
};

}  // namespace

const std::vector<FlatColumn>& layer_columns() {
  static const std::vector<FlatColumn> columns = [] {
    std::vector<FlatColumn> all;
    add_columns(kLayerFacts, "", false, all);
    return all;
  }();
  return columns;
}

void for_each_layer_row(const Analysis& analysis,
                        const std::function<void(const std::vector<FlatCell>&)>& each) {
  FlatWriter writer;
  for (const Layer& layer : analysis.build.layers) {
    writer.clear();
    kLayerFacts.write(analysis, &layer, writer);
    each(writer.cells);
  }
}

}  // namespace trtlens
