// The nearest name by its beginning, then by a part of it, then by few enough letters that differ.
#include "analyzers/nearest_name.h"

#include <algorithm>
#include <utility>

namespace trtlens {
namespace {

// How many letters may differ: as rustc decides it, one in three. `foo` is not `top`.
std::size_t most_edits(const std::string& wanted) {
  constexpr std::size_t kLettersOfAnEdit = 3;
  return std::max(wanted.size(), kLettersOfAnEdit) / kLettersOfAnEdit;
}

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> two_above, above, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, std::move(row));
    row.assign(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& names) {
  constexpr std::size_t kBeginning = 2, kPart = 3;  // letters that say something
  std::string best;
  std::size_t least = most_edits(wanted) + 2;
  for (const std::string& name : names) {
    const bool begins = wanted.size() >= kBeginning && name.starts_with(wanted);
    const bool contains = wanted.size() >= kPart && name.find(wanted) != std::string::npos;
    // A wanted name may be a megabyte: what is so much longer or shorter is not looked at.
    const std::size_t apart =
        std::max(wanted.size(), name.size()) - std::min(wanted.size(), name.size());
    if (!begins && !contains && apart + 1 >= least) continue;
    const std::size_t d = begins ? 0 : contains ? 1 : edit_distance(wanted, name) + 1;
    if (d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names) {
  const std::string near = nearest_name(wanted, names);
  return near.empty() ? near : "; did you mean '" + near + "'?";
}

}  // namespace trtlens
