// Shifts between means of logarithms, the tests for slow runs, and the correction for many groups.
#include "analyzers/compare/runs/intervals.h"

#include <algorithm>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace trtlens {
namespace {

constexpr double kOutlierShift = 0.02;  // at least so much slower than the others,
constexpr double kOutlierScatters = 6;  // and so many of their standard deviations

struct Moments {
  double mean = 0, variance = 0;  // variance 0 of one value
};

Moments moments_of(const std::vector<double>& v) {
  Moments m;
  m.mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  if (v.size() < 2) return m;
  for (const double x : v) m.variance += (x - m.mean) * (x - m.mean);
  m.variance /= static_cast<double>(v.size() - 1);
  return m;
}

double student(double freedom, double probability) {
  return boost::math::quantile(boost::math::students_t(freedom), probability);
}

}  // namespace

std::vector<std::size_t> slow_runs(const std::vector<double>& logs) {
  std::vector<std::size_t> order(logs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::size_t a) { return logs[a]; });
  const std::size_t most = logs.empty() ? 0 : (logs.size() - 1) / 2;
  // The fewest that, once out, leave a side that agrees with itself.
  for (std::size_t out = 1; out <= most; ++out) {
    std::vector<double> others;
    for (std::size_t i = 0; i + out < order.size(); ++i) others.push_back(logs[order[i]]);
    const Moments rest = moments_of(others);
    // The standard deviation of two or three values says little.
    const auto n = static_cast<double>(others.size());
    const double limit = std::max(std::log1p(kOutlierShift),
                                  kOutlierScatters * (1 + 2 / (n * n)) * std::sqrt(rest.variance));
    if (logs[order[order.size() - out]] - rest.mean <= limit) continue;
    std::vector<std::size_t> slow(order.end() - static_cast<std::ptrdiff_t>(out), order.end());
    std::ranges::sort(slow);
    return slow;
  }
  return {};
}

double log_of_mean(const std::vector<double>& logs) {
  // About the largest, so that no exponential overflows.
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double x : logs) sum += std::exp(x - most);
  return most + std::log(sum / static_cast<double>(logs.size()));
}

double Shift::half_width(double confidence) const {
  return student(freedom, 0.5 + confidence / 2) * error;
}

std::optional<Shift> shift_between(const std::vector<double>& base_logs,
                                   const std::vector<double>& candidate_logs,
                                   double least_scatter) {
  if (base_logs.empty() || candidate_logs.empty()) return std::nullopt;
  const auto n_b = static_cast<double>(base_logs.size());
  const auto n_c = static_cast<double>(candidate_logs.size());
  if (n_b + n_c < 3) return std::nullopt;
  const Moments b = moments_of(base_logs);
  const Moments c = moments_of(candidate_logs);
  Shift shift;
  shift.estimate = log_of_mean(candidate_logs) - log_of_mean(base_logs);
  const double pooled = ((n_b - 1) * b.variance + (n_c - 1) * c.variance) / (n_b + n_c - 2);
  const double least = least_scatter * least_scatter;
  shift.scatter = std::sqrt(std::max(pooled, least));
  if (base_logs.size() == 1 || candidate_logs.size() == 1 || n_b == n_c) {
    // One run has the scatter of the other side's; with equal numbers the pooled test keeps its
    // level whatever the two variances are.
    shift.error = shift.scatter * std::sqrt(1 / n_b + 1 / n_c);
    shift.freedom = n_b + n_c - 2;
  } else {  // Welch
    const double of_b = std::max(b.variance, least) / n_b;
    const double of_c = std::max(c.variance, least) / n_c;
    shift.error = std::sqrt(of_b + of_c);
    shift.freedom =
        (of_b + of_c) * (of_b + of_c) / (of_b * of_b / (n_b - 1) + of_c * of_c / (n_c - 1));
  }
  const double t = std::fabs(shift.estimate) / shift.error;
  shift.p_value =
      2 * boost::math::cdf(boost::math::complement(boost::math::students_t(shift.freedom), t));
  return shift;
}

double chance_of_slow(std::size_t slow, std::size_t runs, std::size_t other_slow,
                      std::size_t other_runs) {
  const auto all_slow = static_cast<unsigned>(slow + other_slow);
  const boost::math::hypergeometric_distribution<> drawn(
      all_slow, static_cast<unsigned>(other_runs), static_cast<unsigned>(runs + other_runs));
  return other_slow == 0 ? 1.0
                         : boost::math::cdf(
                               boost::math::complement(drawn, static_cast<double>(other_slow - 1)));
}

double floor_of_many(double floor, std::size_t number) {
  if (number < 2) return floor;
  const boost::math::normal normal;
  const double one = boost::math::quantile(normal, 0.975);
  const double many = boost::math::quantile(normal, 1 - 0.025 / static_cast<double>(number));
  return std::expm1(std::log1p(floor) * many / one);
}

std::vector<bool> discoveries(const std::vector<double>& p_values, double rate) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::size_t a) { return p_values[a]; });
  std::size_t stand = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double limit = rate * static_cast<double>(k + 1) / static_cast<double>(order.size());
    if (p_values[order[k]] <= limit) stand = k + 1;
  }
  std::vector<bool> found(p_values.size(), false);
  for (std::size_t k = 0; k < stand; ++k) found[order[k]] = true;
  return found;
}

}  // namespace trtlens
