// Facts as columns: a fact of an object is called by both names ("time_mean_ms"), one of
// the items of a list is a list ("inputs_type").
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/facts/fact.h"

namespace trtlens {

struct FlatColumn {
  std::string name;
  const FactEntry* fact = nullptr;  // null: not of the facts on a row
  bool is_list = false;             // of the values of items
};

// In the order of the JSON report.
[[nodiscard]] std::vector<FlatColumn> flat_columns(const FactTable& table);
// Those of kLayerFacts; the last is "build_name", as kBuildRowFacts has it.
[[nodiscard]] const std::vector<FlatColumn>& layer_columns();

// What a row says in a column: one value, or of a list as many as it has items.
using FlatCell = std::vector<FactValue>;

// Puts the facts of a row into its columns, which must outlive it.
class FlatRow : public FactWriter {
 public:
  explicit FlatRow(const std::vector<FlatColumn>& columns);

  void clear();
  void fact(const FactEntry& fact, const FactValue& value) override;
  void irregular(const FactEntry& /*fact*/, const Analysis& /*analysis*/) override {}
  void begin_object(const FactEntry* fact) override { path_.push_back(fact); }
  void begin_list(const FactEntry* fact) override { path_.push_back(fact); }
  void end() override { path_.pop_back(); }

  std::vector<FlatCell> cells;

 private:
  [[nodiscard]] std::string prefix() const;

  std::unordered_map<std::string, std::size_t> places_;
  std::vector<const FactEntry*> path_;
};

// A heading, and a row, as lines of CSV (csv.cc); a row as a line of JSON (jsonl.cc).
[[nodiscard]] std::string csv_header(const std::vector<FlatColumn>& columns);
[[nodiscard]] std::string csv_line(const std::vector<FlatCell>& cells);
[[nodiscard]] std::string json_line(const std::vector<FlatColumn>& columns,
                                    const std::vector<FlatCell>& cells);

void for_each_layer_row(const Analysis& analysis,
                        const std::function<void(const std::vector<FlatCell>&)>& each);

}  // namespace trtlens
