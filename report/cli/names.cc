// The nearest name by its beginning, then by a part of it, then by letters in common.
#include "report/cli/names.h"

#include <algorithm>

namespace trtlens {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = wanted.size() / 2 + 3;
  for (const std::string& name : names) {
    // The beginning of a name counts most, then a part of it, then letters in common.
    const bool begins = name.compare(0, wanted.size(), wanted) == 0;
    const bool contains = name.find(wanted) != std::string::npos;
    const std::size_t d = begins ? 0 : contains ? 1 : edit_distance(wanted, name) + 1;
    if (d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}

}  // namespace trtlens
