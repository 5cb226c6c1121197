// Tables of facts, whatever their rows.
#include "report/facts/fact.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace trtlens {

const FactEntry& FactTable::at(std::string_view fact) const {
  const auto found = std::find_if(facts_.begin(), facts_.end(),
                                  [&](const FactEntry& entry) { return entry.name == fact; });
  if (found == facts_.end())
    throw std::out_of_range(std::string(name_) + " has no " + std::string(fact));
  return *found;
}

void FactTable::write(const Analysis& analysis, const void* row, FactWriter& out) const {
  for (const FactEntry& fact : facts_) {
    if (fact.write != nullptr) {
      fact.write(fact, analysis, row, out);
    } else if (fact.value != nullptr) {
      out.fact(fact, fact.value(analysis, row));
    } else {
      out.irregular(fact, analysis);
    }
  }
}

}  // namespace trtlens
