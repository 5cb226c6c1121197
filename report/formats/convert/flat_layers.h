// Facts on layers as columns: a fact of an object is called by both names ("time_mean_ms"), one of
// the items of a list is a list ("inputs_type").
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/facts/fact.h"

namespace trtlens {

struct FlatColumn {
  std::string name;
  const FactEntry* fact = nullptr;
  bool is_list = false;  // of the values of items
};

// In the order of the JSON report.
[[nodiscard]] const std::vector<FlatColumn>& layer_columns();

// What a layer says in a column: one value, or of a list as many as it has items.
using FlatCell = std::vector<FactValue>;
void for_each_layer_row(const Analysis& analysis,
                        const std::function<void(const std::vector<FlatCell>&)>& each);

}  // namespace trtlens
