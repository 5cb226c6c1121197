// Bisects the series where the energy statistic is largest, as long as permutations hardly reach
// it.
#include "analyzers/trend/change_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <random>

namespace trtlens {
namespace {

constexpr double kOfNormal = 1.4826;  // standard deviation over median deviation, of normal noise

double median_of(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*half + *std::max_element(values.begin(), half)) / 2;
}

// Sums and counts of what was added below a place (Fenwick, 1994).
class Sums {
 public:
  explicit Sums(std::size_t size) : nodes_(size + 1) {}
  void add(std::size_t place, double value) {
    for (++place; place < nodes_.size(); place += place & (~place + 1)) {
      nodes_[place].sum += value;
      nodes_[place].count += 1;
    }
  }
  struct Node {
    double sum = 0, count = 0;
  };
  [[nodiscard]] Node below(std::size_t place) const {
    Node all;
    for (; place > 0; place -= place & (~place + 1)) {
      all.sum += nodes_[place].sum;
      all.count += nodes_[place].count;
    }
    return all;
  }

 private:
  std::vector<Node> nodes_;
};

struct Split {
  std::size_t at = 0;  // elements before it
  double energy = 0;
};

// The best split of values in some order, by the energy statistic with exponent 1.
class Splitter {
 public:
  Splitter(const std::vector<double>& values, std::size_t least)
      : values_(values), places_(values.size()), rows_(values.size()), least_(least) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    for (std::size_t place = 0; place < order.size(); ++place) places_[order[place]] = place;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (const double other : values) rows_[i] += std::fabs(values[i] - other);
      all_ += rows_[i] / 2;
    }
  }

  [[nodiscard]] Split best(const std::vector<std::size_t>& order) const {
    const std::size_t size = order.size();
    Sums left(size);
    double between = 0, in_left = 0, in_right = all_, sum = 0;
    Split best;
    for (std::size_t k = 0; k + 1 < size; ++k) {
      const std::size_t i = order[k];
      const Sums::Node below = left.below(places_[i]);
      const double above_sum = sum - below.sum;
      const double above_count = static_cast<double>(k) - below.count;
      const double to_left = values_[i] * (below.count - above_count) - below.sum + above_sum;
      const double to_right = rows_[i] - to_left;
      between += to_right - to_left;
      in_left += to_left;
      in_right -= to_right;
      left.add(places_[i], values_[i]);
      sum += values_[i];
      const std::size_t n = k + 1, m = size - n;
      if (n < least_ || m < least_) continue;
      const double energy =
          energy_of(between, in_left, in_right, static_cast<double>(n), static_cast<double>(m));
      if (energy > best.energy) best = {n, energy};
    }
    return best;
  }

 private:
  static double energy_of(double between, double in_left, double in_right, double n, double m) {
    const auto pairs = [](double of) { return of < 2 ? 1 : of * (of - 1) / 2; };
    const double distance = 2 * between / (n * m) - in_left / pairs(n) - in_right / pairs(m);
    return n * m / (n + m) * distance;
  }

  const std::vector<double>& values_;
  std::vector<std::size_t> places_;  // of each value among the sorted ones
  std::vector<double> rows_;         // its distances to all others
  double all_ = 0;                   // of all pairs
  std::size_t least_;
};

struct Found {
  Split split;
  double p_value = 1;
};

// None: no split is better than what permutations have, so often that it may be chance.
std::optional<Found> significant_split(const std::vector<double>& values,
                                       const ChangeOptions& options) {
  if (values.size() < 2 * options.least_stretch) return std::nullopt;
  const Splitter splitter(values, options.least_stretch);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  Found found;
  found.split = splitter.best(order);
  if (found.split.energy <= 0) return std::nullopt;
  std::mt19937 random(static_cast<unsigned>(values.size()));  // the same answer every time
  const auto all = static_cast<double>(options.permutations + 1);
  const double most = options.level * all;
  double reached = 1;
  for (std::size_t k = 0; k < options.permutations; ++k) {
    for (std::size_t i = order.size() - 1; i > 0; --i) {  // std::shuffle differs by library
      std::swap(order[i], order[random() % (i + 1)]);
    }
    // Equal within rounding counts as reached.
    if (splitter.best(order).energy >= found.split.energy * (1 - 1e-9)) ++reached;
    if (reached > most) return std::nullopt;
  }
  found.p_value = reached / all;
  return found;
}

void bisect(const std::vector<double>& values, std::size_t begin, std::size_t end,
            const ChangeOptions& options, std::map<std::size_t, double>& changes) {
  const std::vector<double> part(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                 values.begin() + static_cast<std::ptrdiff_t>(end));
  const std::optional<Found> found = significant_split(part, options);
  if (!found) return;
  const std::size_t at = begin + found->split.at;
  changes.emplace(at, found->p_value);
  bisect(values, begin, at, options, changes);
  bisect(values, at, end, options, changes);
}

Stretch stretch_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  Stretch stretch;
  stretch.begin = begin;
  stretch.end = end;
  std::vector<double> logs;
  for (std::size_t i = begin; i < end; ++i) logs.push_back(std::log(values[i]));
  const double middle = median_of(logs);
  stretch.median = std::exp(middle);
  for (double& log : logs) log = std::fabs(log - middle);
  stretch.scatter = kOfNormal * median_of(std::move(logs));
  return stretch;
}

std::vector<Stretch> between(const std::vector<double>& values,
                             const std::map<std::size_t, double>& changes) {
  std::vector<Stretch> all;
  std::size_t begin = 0;
  double p_value = 1;
  const auto add = [&](std::size_t end) {
    all.push_back(stretch_of(values, begin, end));
    all.back().p_value = p_value;
    if (all.size() > 1) all.back().shift = all.back().median / all[all.size() - 2].median - 1;
    begin = end;
  };
  for (const auto& [at, p] : changes) {
    add(at);
    p_value = p;
  }
  add(values.size());
  return all;
}

double size_of(const Stretch& stretch) {
  return std::fabs(std::log1p(stretch.shift));
}

}  // namespace

std::vector<Stretch> stretches_of(const std::vector<double>& values, const ChangeOptions& options) {
  if (values.empty()) return {};
  std::vector<double> logs;  // up and down alike
  logs.reserve(values.size());
  for (const double value : values) logs.push_back(std::log(value));
  std::map<std::size_t, double> changes;
  bisect(logs, 0, logs.size(), options, changes);
  std::vector<Stretch> all = between(values, changes);
  // What is too small to matter, smallest first: its removal changes its neighbours' shifts.
  while (all.size() > 1) {
    const auto least = std::min_element(
        all.begin() + 1, all.end(),
        [](const Stretch& a, const Stretch& b) { return size_of(a) < size_of(b); });
    if (size_of(*least) >= std::log1p(options.margin)) break;
    changes.erase(least->begin);
    all = between(values, changes);
  }
  return all;
}

}  // namespace trtlens
