// Times and verdicts of groups of layers: over runs where there are several, with a correction for
// the number of groups; else by the floor, the printed digits and what average and median disagree
// by.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "analyzers/compare/runs/intervals.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/graph/graph.h"

namespace trtlens {
namespace {

constexpr double kFalseDiscoveries = 0.05;
// A layer's mean differs between processes by that at least (measured: 0.2 to 1.5 %).
constexpr double kLeastLayerScatter = 0.002;
// Fewer times may all be multiples of something by chance.
constexpr std::size_t kLeastForTick = 4;

// Stamps of GPU events count in ticks: 1.024 us on some GPUs, far less on others. A profile of one
// query holds whole ticks; the mean of many knows parts of them.
double tick_share_ms(const SideLayers& layers) {
  const Build& build = layers.side->build;
  const auto tick = timer_tick_ms(build);
  if (!tick) return 0;
  const double iterations = static_cast<double>(std::max<std::uint64_t>(
      1, build.profile_iterations.value_or(1) / std::max<std::size_t>(1, layers.runs.size())));
  return *tick / std::sqrt(iterations);
}

class OneSide {
 public:
  explicit OneSide(const SideLayers& layers)
      : layers_(layers), tick_share_ms_(tick_share_ms(layers)) {}

  // One sum a run.
  [[nodiscard]] std::vector<double> logs(const std::vector<std::size_t>& group) const {
    std::vector<double> found;
    for (const LayerTimes& times : layers_.runs) {
      double sum = 0;
      for (const std::size_t i : group) sum += times[i] ? times[i]->mean_ms : 0;
      if (std::isfinite(sum) && sum > 0) found.push_back(std::log(sum));
    }
    return found;
  }

  [[nodiscard]] double sum_ms(const std::vector<std::size_t>& group) const {
    double sum = 0;
    for (const std::size_t i : group) sum += time_or_zero(layers_.side->build.layers[i]);
    return sum;
  }

  // What the figures leave open whatever the number of runs: the timer's tick.
  [[nodiscard]] double tick_slack_ms(const std::vector<std::size_t>& group) const {
    double slack = 0;
    for (const std::size_t i : group) {
      if (layers_.side->build.layers[i].time) slack += tick_share_ms_;
    }
    return slack;
  }

  // What single figures leave open beside that: the last printed digit, and how far the average is
  // from the median.
  [[nodiscard]] double slack_ms(const std::vector<std::size_t>& group) const {
    double slack = 0;
    for (const std::size_t i : group) {
      const auto& time = layers_.side->build.layers[i].time;
      if (!time) continue;
      slack += time->quantum_ms;
      if (time->median_ms) slack += std::fabs(time->mean_ms - *time->median_ms);
    }
    return slack;
  }

 private:
  const SideLayers& layers_;
  double tick_share_ms_;
};

void judge_group(double slack_ms, double floor, LayerGroup& group) {
  if (std::fabs(group.delta_ms) <= slack_ms) return;
  if (std::fabs(std::log(group.candidate_ms / group.base_ms)) <= std::log1p(floor)) return;
  group.verdict = group.delta_ms > 0 ? Verdict::regressed : Verdict::improved;
}

struct Judged {
  LayerGroup* group = nullptr;
  Shift shift;
  double slack_ms = 0;
};

void judge_groups(std::vector<Judged>& judged, double margin) {
  std::vector<double> p_values;
  p_values.reserve(judged.size());
  for (const Judged& j : judged) p_values.push_back(j.shift.p_value);
  const std::vector<bool> stands = discoveries(p_values, kFalseDiscoveries);
  for (std::size_t k = 0; k < judged.size(); ++k) {
    LayerGroup& group = *judged[k].group;
    const Shift& shift = judged[k].shift;
    group.p_value = shift.p_value;
    if (stands[k] && std::fabs(shift.estimate) >= margin) {
      if (std::fabs(group.delta_ms) <= judged[k].slack_ms) continue;
      group.verdict = shift.estimate > 0 ? Verdict::regressed : Verdict::improved;
    } else if (std::fabs(shift.estimate) + shift.half_width(0.90) < margin) {
      group.verdict = Verdict::no_change;
    }
  }
}

bool both_sides(const LayerGroup& group) {
  return !group.base.empty() && !group.candidate.empty();
}

}  // namespace

std::optional<double> timer_tick_ms(const Build& build) {
  std::vector<double> times;
  double quantum = 0;
  for (const Layer& layer : build.layers) {
    if (!layer.time || layer.time->mean_ms <= 0) continue;
    // A mean of many is no multiple of anything.
    if (!layer.time->median_ms && build.profile_iterations != 1) return std::nullopt;
    times.push_back(build.profile_iterations == 1 ? layer.time->mean_ms
                                                  : layer.time->median_ms.value_or(0));
    quantum = std::max(quantum, layer.time->quantum_ms);
  }
  times = sorted_once(std::move(times));
  if (times.size() < kLeastForTick) return std::nullopt;
  // Euclid's, with the last printed digit for zero.
  const double zero = std::max(quantum, 1e-9) * 1.5;
  double tick = times[0];
  for (const double time : times) {
    double rest = std::fmod(time, tick);
    while (rest > zero && tick - rest > zero) {
      const double next = std::fmod(tick, rest);
      tick = rest;
      rest = next;
    }
    if (tick < 4 * zero) return std::nullopt;
  }
  return tick;
}

void judge_groups(const SideLayers& base, const SideLayers& candidate,
                  const CompareOptions& options, bool judged, std::vector<LayerGroup>& groups) {
  const OneSide b(base);
  const OneSide c(candidate);
  const auto compared = static_cast<std::size_t>(std::ranges::count_if(groups, both_sides));
  const double inner = std::expm1(1.96 * std::hypot(base.inner_error, candidate.inner_error));
  const double floor =
      floor_of_many(std::max({options.noise_floor, options.margin, inner}), compared);
  const double least_scatter =
      std::max({kLeastLayerScatter, base.inner_error, candidate.inner_error});
  std::vector<Judged> repeated;
  for (LayerGroup& group : groups) {
    group.base_ms = b.sum_ms(group.base);
    group.candidate_ms = c.sum_ms(group.candidate);
    group.delta_ms = group.candidate_ms - group.base_ms;
    if (!judged || !both_sides(group) || group.base_ms <= 0 || group.candidate_ms <= 0) continue;
    const double ticks = b.tick_slack_ms(group.base) + c.tick_slack_ms(group.candidate);
    if (const auto shift =
            shift_between(b.logs(group.base), c.logs(group.candidate), least_scatter)) {
      repeated.push_back({&group, *shift, ticks});
    } else {
      judge_group(ticks + b.slack_ms(group.base) + c.slack_ms(group.candidate), floor, group);
    }
  }
  judge_groups(repeated, std::log1p(options.margin));
}

}  // namespace trtlens
