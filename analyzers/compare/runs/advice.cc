// The chance of a verdict with more runs, over the shifts that the estimate leaves open.
#include "analyzers/compare/runs/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "analyzers/compare/runs/intervals.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::size_t kMostRuns = 50;  // nobody runs more
constexpr double kPower = 0.8;
// What processes of one engine usually differ by (builds of ours: 0.4 to 1.1 %), and how many
// degrees of freedom that knowledge is worth beside a few runs that may agree by luck.
constexpr double kUsualScatter = 0.01;
constexpr double kUsualFreedom = 2;
// Fewer runs a side cannot leave a slow process out.
constexpr std::size_t kLeastAdvice = 4;
// A run that is slower than its side's others by so many scatters is taken for a slow process.
constexpr double kSuspectScatters = 5;
constexpr std::size_t kLeastWithSuspect = 5;

// Midpoints of equally likely parts: sums over them are means over the distribution.
constexpr std::size_t kScatterNodes = 7;
constexpr std::size_t kShiftNodes = 15;

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

struct Quantiles {                                     // of two sides of n runs each
  double two_sided = 0, one_sided = 0;                 // of Student's
  std::array<double, kScatterNodes> scatter_ratios{};  // of the scatter seen to the true one
};

const Quantiles& quantiles_of(std::size_t n) {
  static const std::vector<Quantiles> table = [] {
    std::vector<Quantiles> rows(kMostRuns + 1);
    for (std::size_t i = 2; i <= kMostRuns; ++i) {
      const double freedom = 2 * static_cast<double>(i) - 2;
      const boost::math::students_t student(freedom);
      const boost::math::chi_squared squares(freedom);
      rows[i].two_sided = boost::math::quantile(student, 0.975);
      rows[i].one_sided = boost::math::quantile(student, 0.95);
      for (std::size_t k = 0; k < kScatterNodes; ++k) {
        const double at = (static_cast<double>(k) + 0.5) / kScatterNodes;
        rows[i].scatter_ratios.at(k) = std::sqrt(boost::math::quantile(squares, at) / freedom);
      }
    }
    return rows;
  }();
  return table.at(n);
}

struct Chances {
  double in_direction = 0, against = 0, no_change = 0;
};

Chances chances_of(std::size_t n, double shift, double scatter, double margin) {
  const Quantiles& q = quantiles_of(n);
  const double size = std::fabs(shift);
  const double error = std::max(scatter, 1e-9) * std::sqrt(2 / static_cast<double>(n));
  Chances chances;
  for (const double ratio : q.scatter_ratios) {
    const double least = std::max(margin, q.two_sided * ratio * error);
    chances.in_direction += normal_cdf((size - least) / error);
    chances.against += normal_cdf((-size - least) / error);
    const double most = margin - q.one_sided * ratio * error;
    if (most > 0) {
      chances.no_change += normal_cdf((most - size) / error) - normal_cdf((-most - size) / error);
    }
  }
  for (double* chance : {&chances.in_direction, &chances.against, &chances.no_change}) {
    *chance /= kScatterNodes;
  }
  return chances;
}

// Chance of a verdict, over the shifts that the estimate leaves open.
double chance_of_verdict(std::size_t n, const Outlook& outlook) {
  static const std::array<double, kShiftNodes> nodes = [] {
    std::array<double, kShiftNodes> at{};
    for (std::size_t k = 0; k < kShiftNodes; ++k) {
      at.at(k) = boost::math::quantile(boost::math::normal(),
                                       (static_cast<double>(k) + 0.5) / kShiftNodes);
    }
    return at;
  }();
  double sum = 0;
  for (const double node : nodes) {
    const Chances chances =
        chances_of(n, outlook.estimate + node * outlook.error, outlook.scatter, outlook.margin);
    sum += chances.in_direction + chances.against + chances.no_change;
  }
  return sum / kShiftNodes;
}

// The least n of from … kMostRuns that holds; more runs never settle less.
template <typename Holds>
std::optional<std::size_t> least_runs(std::size_t from, const Holds& holds) {
  if (from > kMostRuns || !holds(kMostRuns)) return std::nullopt;
  std::size_t low = from, high = kMostRuns;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

// Runs that agree by luck are not trusted further than what is usual.
double scatter_to_expect(double seen, double freedom, double inner_error) {
  const double mixed =
      std::sqrt((freedom * seen * seen + kUsualFreedom * kUsualScatter * kUsualScatter) /
                (freedom + kUsualFreedom));
  return std::max({seen, mixed, std::hypot(freedom > 0 ? 0.0 : kUsualScatter, inner_error)});
}

// The runs without a slowest one that is far from its side's others, though too few to leave it
// out.
struct Suspected {
  std::vector<double> others;
  double slower_by = 0;  // 0: none is suspected
};

Suspected without_suspect(const std::vector<double>& logs) {
  Suspected found{logs, 0};
  if (logs.size() < 2) return found;
  const auto slowest = std::max_element(found.others.begin(), found.others.end());
  const double slow = *slowest;
  found.others.erase(slowest);
  double squares = 0;
  const double mean = mean_of(found.others);
  for (const double x : found.others) squares += (x - mean) * (x - mean);
  const auto freedom = static_cast<double>(found.others.size() - 1);
  const double scale =
      freedom > 0 ? std::max(kUsualScatter, std::sqrt(squares / freedom)) : kUsualScatter;
  if (slow - mean > kSuspectScatters * scale) {
    found.slower_by = std::expm1(slow - mean);
  } else {
    found.others = logs;
  }
  return found;
}

double pooled_scatter(const std::vector<double>& a, const std::vector<double>& b, double& freedom) {
  double squares = 0;
  freedom = 0;
  for (const std::vector<double>* v : {&a, &b}) {
    const double mean = mean_of(*v);
    for (const double x : *v) squares += (x - mean) * (x - mean);
    freedom += static_cast<double>(v->size() - 1);
  }
  return freedom > 0 ? std::sqrt(squares / freedom) : 0;
}

Outlook outlook_of(const SideFigures& base, const SideFigures& candidate,
                   const std::vector<double>& b, const std::vector<double>& c, double margin) {
  Outlook outlook;
  double freedom = 0;
  const double seen = pooled_scatter(b, c, freedom);
  outlook.margin = margin;
  outlook.scatter =
      scatter_to_expect(seen, freedom, std::max(base.inner_error, candidate.inner_error));
  outlook.estimate = log_of_mean(c) - log_of_mean(b);
  outlook.error = outlook.scatter *
                  std::sqrt(1 / static_cast<double>(b.size()) + 1 / static_cast<double>(c.size()));
  outlook.from = std::max(kLeastAdvice, std::max(base.logs.size(), candidate.logs.size()) + 1);
  return outlook;
}

std::string obstacle_of(Outlook outlook) {
  const std::string scatter = share_text(std::expm1(outlook.scatter));
  outlook.scatter = std::min(outlook.scatter, kUsualScatter);
  outlook.error = 0;
  if (runs_to_settle(outlook)) {
    return "runs that differ by " + scatter +
           " would need more than 50 a side: find out first what makes them unsteady";
  }
  return "a shift this close to the threshold of " + share_text(std::expm1(outlook.margin)) +
         " would need more than 50 runs a side; a few more would show whether it is";
}

}  // namespace

double chance_to_settle(std::size_t n, double shift, double scatter, double margin) {
  const Chances chances = chances_of(n, shift, scatter, margin);
  return std::fabs(shift) >= margin ? chances.in_direction : chances.no_change;
}

std::optional<std::size_t> runs_to_settle(const Outlook& outlook) {
  const std::size_t from = std::max<std::size_t>(outlook.from, 2);
  const auto known = least_runs(from, [&](std::size_t n) {
    return chance_to_settle(n, outlook.estimate, outlook.scatter, outlook.margin) >= kPower;
  });
  if (!known || outlook.error <= 0) return known;
  return least_runs(*known, [&](std::size_t n) { return chance_of_verdict(n, outlook) >= kPower; });
}

void advise(const SideFigures& base, const SideFigures& candidate, EngineVerdict& e) {
  Suspected b = without_suspect(base.logs);
  Suspected c = without_suspect(candidate.logs);
  // Two runs a side that all differ as much are no slow process among steady ones.
  if (b.slower_by > 0 && c.slower_by > 0 && base.logs.size() + candidate.logs.size() < 6) {
    b = {base.logs, 0};
    c = {candidate.logs, 0};
  }
  Outlook outlook = outlook_of(base, candidate, b.others, c.others, std::log1p(e.margin));
  const auto note = [&](const char* side, const Suspected& of) {
    if (of.slower_by <= 0) return;
    outlook.from = std::max(outlook.from, kLeastWithSuspect);
    e.notes.push_back(fmt::format(
        "a run of the {} is {:.1f} % slower than its others, which are too few to leave it out",
        side, of.slower_by * 100));
  };
  note("base", b);
  note("candidate", c);
  e.settle.emplace();
  e.settle->runs = runs_to_settle(outlook);
  if (!e.settle->runs) e.settle->obstacle = obstacle_of(outlook);
}

std::optional<std::size_t> runs_to_confirm(const SideFigures& base, const SideFigures& candidate,
                                           double margin) {
  return runs_to_settle(outlook_of(base, candidate, base.logs, candidate.logs, std::log1p(margin)));
}

}  // namespace trtlens
