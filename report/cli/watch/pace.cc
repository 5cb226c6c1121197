// The mean of the layers that are done, and how far a sum of as many as are left strays from it.
#include "report/cli/watch/pace.h"

#include <algorithm>
#include <cmath>

namespace trtlens {

void Pace::layer_begun(std::uint64_t begun, double now_s) {
  if (begun <= begun_) return;
  if (begun_ > 0) {
    const auto layers = static_cast<double>(begun - begun_);
    const double each_s = std::max(0.0, now_s - began_s_) / layers;
    sum_s_ += each_s * layers;
    squares_ += each_s * each_s * layers;
  }
  begun_ = begun;
  began_s_ = now_s;
}

std::optional<SecondsRange> Pace::remaining(std::uint64_t at_most, std::optional<double> passed,
                                            double now_s) const {
  constexpr std::uint64_t kLeast = 5;
  constexpr double kNineInTen = 1.64;
  if (begun_ <= kLeast || begun_ > at_most) return std::nullopt;
  const auto done = static_cast<double>(begun_ - 1);
  const double mean_s = sum_s_ / done;
  const double variance = std::max(0.0, squares_ / done - mean_s * mean_s) * done / (done - 1);
  // A sum of new values, and the mean itself is known from `done` of them.
  const auto spread_s = [&](double layers) {
    return kNineInTen * std::sqrt(variance * layers * (1 + layers / done));
  };
  const double most = static_cast<double>(at_most) - done;
  const double least = passed && *passed > 0 ? std::clamp(done / *passed - done, 1.0, most) : 1.0;
  const double since_s = std::max(0.0, now_s - began_s_);
  const double high_s = most * mean_s + spread_s(most) - since_s;
  if (high_s <= 0) return std::nullopt;
  return SecondsRange{std::max(0.0, least * mean_s - spread_s(least) - since_s), high_s};
}

}  // namespace trtlens
