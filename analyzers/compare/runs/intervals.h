// Intervals over runs: two sides, one figure a run, on the scale of logarithms so that exchanging
// the sides only turns the sign. Method and sources: docs/compare.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace trtlens {

// Indices of runs that are slower than their side's others by far more than these differ, to be
// left out: one process in eight is 10 % slower for no visible cause. Fewer than half of the runs,
// and never a fast one.
[[nodiscard]] std::vector<std::size_t> slow_runs(const std::vector<double>& logs);

// Log of the mean of the values whose logarithms these are: of what a report prints.
[[nodiscard]] double log_of_mean(const std::vector<double>& logs);

// Of log(candidate) − log(base), of the means.
struct Shift {
  double estimate = 0;
  double error = 0;    // standard error
  double freedom = 0;  // degrees of freedom of it
  double scatter = 0;  // standard deviation of a run's logarithm, both sides together
  double p_value = 1;  // of no shift, two-sided

  // Half the width of the interval that holds the shift with that probability.
  [[nodiscard]] double half_width(double confidence) const;
};

// `least_scatter`: what is known of the scatter of a run from inside it; two runs that agree by
// luck are not trusted further. None unless a side has two runs.
[[nodiscard]] std::optional<Shift> shift_between(const std::vector<double>& base_logs,
                                                 const std::vector<double>& candidate_logs,
                                                 double least_scatter);

// Fisher's exact test, one-sided: how likely so many or more of the other side's runs are slow when
// slow runs fall on both sides alike.
[[nodiscard]] double chance_of_slow(std::size_t slow, std::size_t runs, std::size_t other_slow,
                                    std::size_t other_runs);

// A floor that one comparison in twenty of equal things reaches, raised so that one set of `number`
// such comparisons in twenty has one that reaches it (Bonferroni, normal tails).
[[nodiscard]] double floor_of_many(double floor, std::size_t number);

// Benjamini and Hochberg: which of these p-values stand when the share of false ones among them is
// to be at most `rate`.
[[nodiscard]] std::vector<bool> discoveries(const std::vector<double>& p_values, double rate);

}  // namespace trtlens
