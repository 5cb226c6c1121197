// Cuts both sequences at keys that stand once in each, and matches what is left by a table or in
// turn.
#include "analyzers/compare/align/work.h"

#include <algorithm>
#include <unordered_map>

namespace trtlens {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

struct Range {
  std::size_t left, left_end, right, right_end;
  [[nodiscard]] bool empty() const { return left == left_end || right == right_end; }
};

// Up to this many cells a range without a unique key is matched by the textbook table.
constexpr std::size_t kTableCells = 4096;

class Matcher {
 public:
  Matcher(const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right)
      : left_(left), right_(right) {}

  std::vector<Pair> run() {
    todo_.push_back({0, left_.size(), 0, right_.size()});
    while (!todo_.empty()) {
      Range range = todo_.back();
      todo_.pop_back();
      trim(range);
      if (range.empty() || split_at_unique(range)) continue;
      const std::size_t rows = range.left_end - range.left;
      const std::size_t columns = range.right_end - range.right;
      if (rows <= kTableCells / columns) {
        by_table(range, rows, columns);
      } else {
        by_turn(range);
      }
    }
    std::ranges::sort(pairs_);
    return std::move(pairs_);
  }

 private:
  void trim(Range& r) {
    while (!r.empty() && left_[r.left] == right_[r.right]) pairs_.emplace_back(r.left++, r.right++);
    while (!r.empty() && left_[r.left_end - 1] == right_[r.right_end - 1]) {
      pairs_.emplace_back(--r.left_end, --r.right_end);
    }
  }

  // Cuts the range at keys that occur once on each side of it; false when there is none.
  bool split_at_unique(const Range& r) {
    struct Seen {
      std::size_t left_count = 0, right_count = 0, right = 0;
    };
    std::unordered_map<std::uint64_t, Seen> seen;
    for (std::size_t i = r.left; i < r.left_end; ++i) ++seen[left_[i]].left_count;
    for (std::size_t j = r.right; j < r.right_end; ++j) {
      Seen& key = seen[right_[j]];
      ++key.right_count;
      key.right = j;
    }
    std::vector<Pair> unique;
    for (std::size_t i = r.left; i < r.left_end; ++i) {
      const Seen& key = seen[left_[i]];
      if (key.left_count == 1 && key.right_count == 1) unique.emplace_back(i, key.right);
    }
    if (unique.empty()) return false;
    std::size_t left = r.left, right = r.right;
    for (const Pair& pair : longest_increasing(unique)) {
      pairs_.push_back(pair);
      todo_.push_back({left, pair.first, right, pair.second});
      left = pair.first + 1;
      right = pair.second + 1;
    }
    todo_.push_back({left, r.left_end, right, r.right_end});
    return true;
  }

  // Patience sorting; `pairs` increase in their first member.
  std::vector<Pair> longest_increasing(const std::vector<Pair>& pairs) {
    std::vector<std::size_t> tails, before(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto at = std::lower_bound(
          tails.begin(), tails.end(), pairs[k].second,
          [&](std::size_t tail, std::size_t value) { return pairs[tail].second < value; });
      before[k] = at == tails.begin() ? pairs.size() : *(at - 1);
      if (at == tails.end()) {
        tails.push_back(k);
      } else {
        *at = k;
      }
    }
    std::vector<Pair> run;
    for (std::size_t k = tails.back(); k != pairs.size(); k = before[k]) run.push_back(pairs[k]);
    std::reverse(run.begin(), run.end());
    return run;
  }

  // Longest common subsequence of a small range.
  void by_table(const Range& r, std::size_t rows, std::size_t columns) {
    std::vector<std::uint32_t> best((rows + 1) * (columns + 1), 0);
    const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
      return best[i * (columns + 1) + j];
    };
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        cell(i, j) = left_[r.left + i] == right_[r.right + j]
                         ? cell(i + 1, j + 1) + 1
                         : std::max(cell(i + 1, j), cell(i, j + 1));
      }
    }
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
      if (left_[r.left + i] == right_[r.right + j]) {
        pairs_.emplace_back(r.left + i++, r.right + j++);
      } else if (cell(i + 1, j) >= cell(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  // A long range of repeated keys: each left one with the next equal right one behind the last
  // pair.
  void by_turn(const Range& r) {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> places;
    for (std::size_t j = r.right_end; j-- > r.right;) places[right_[j]].push_back(j);
    std::size_t next = r.right;
    for (std::size_t i = r.left; i < r.left_end; ++i) {
      const auto found = places.find(left_[i]);
      if (found == places.end()) continue;
      std::vector<std::size_t>& at = found->second;
      while (!at.empty() && at.back() < next) at.pop_back();
      // Far ahead: one wrong leap would take what the following ones need.
      if (at.empty() || at.back() > next + kLeap) continue;
      pairs_.emplace_back(i, at.back());
      next = at.back() + 1;
    }
  }

  static constexpr std::size_t kLeap = 16;

  const std::vector<std::uint64_t>& left_;
  const std::vector<std::uint64_t>& right_;
  std::vector<Range> todo_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> match_in_order(
    const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right) {
  return Matcher(left, right).run();
}

}  // namespace trtlens
