// Several builds among the inputs: the overview of all, and the section beside the report on one.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/document.h"

namespace trtlens {

// Whether two of them at least are builds: a file of query times by itself is none.
[[nodiscard]] bool are_builds(const std::vector<Analysis>& analyses);

// "62 passed, 3 failed": how they ended, most frequent first.
[[nodiscard]] std::string outcomes_of(const std::vector<Analysis>& analyses);

// Which rows a table of builds has, and in which order.
struct BuildOrder {
  std::string sort;    // "": by number; where not all are shown, failed first
  std::string filter;  // rows that say this, in any case; empty: all
  std::function<std::string(const Analysis&)> page;  // of a build, beside this one; null: none
  std::size_t shown = 15;                            // where rows cannot scroll; 0: all

  // By number; by name; by time, the fastest first; failed ones first; the worst finding first.
  static constexpr std::array<const char*, 5> kSorts = {"number", "name", "time", "outcome",
                                                        "finding"};
};
[[nodiscard]] std::vector<std::size_t> rows_of(const std::vector<Analysis>& analyses,
                                               const std::vector<GateResult>& gates,
                                               const BuildOrder& order);

// A table with a line a build, and which first findings are frequent. `gates`: as many as analyses.
[[nodiscard]] Document overview_of(const std::vector<Analysis>& analyses,
                                   const std::vector<GateResult>& gates,
                                   const BuildOrder& order = {});

// The same table as a section of the report on the first.
void add_builds(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                Document& document);

}  // namespace trtlens
