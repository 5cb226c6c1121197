// Times and verdicts of groups of layers: over runs where there are several, with a correction for
// the number of groups; else by the floor, the printed digits and what average and median disagree
// by.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "analyzers/compare/intervals.h"
#include "analyzers/compare/verdict.h"

namespace trtlens {
namespace {

constexpr double kFalseDiscoveries = 0.05;
// A layer's mean differs between processes by that at least (measured: 0.2 to 1.5 %).
constexpr double kLeastLayerScatter = 0.002;

// Times of the layers of one run, in the order of the layers that the groups count in.
using LayerTimes = std::vector<std::optional<double>>;

// Equal names are told apart by their order.
LayerTimes times_in(const Analysis& run, const Analysis& of) {
  std::unordered_map<std::string_view, std::vector<std::optional<double>>> by_name;
  for (const Layer& layer : run.build.layers) {
    by_name[layer.name].push_back(layer.time ? std::optional<double>(layer.time->mean_ms)
                                             : std::nullopt);
  }
  std::unordered_map<std::string_view, std::size_t> seen;
  LayerTimes times;
  for (const Layer& layer : of.build.layers) {
    const std::size_t nth = seen[layer.name]++;
    const auto found = by_name.find(layer.name);
    times.push_back(found != by_name.end() && nth < found->second.size() ? found->second[nth]
                                                                         : std::nullopt);
  }
  return times;
}

struct Side {
  const Analysis& run;          // that the groups count in
  std::vector<LayerTimes> all;  // of every run of the side

  Side(const std::vector<Analysis>& runs, std::size_t at) : run(runs[at]) {
    for (const Analysis& other : runs) all.push_back(times_in(other, run));
  }

  // One sum a run that has all of these layers which the side's run has a time for.
  [[nodiscard]] std::vector<double> sums(const std::vector<std::size_t>& layers) const {
    std::vector<double> found;
    for (const LayerTimes& times : all) {
      double sum = 0;
      bool complete = true;
      for (const std::size_t i : layers) {
        if (!run.build.layers[i].time) continue;
        complete = complete && times[i];
        sum += times[i].value_or(0);
      }
      if (complete) found.push_back(sum);
    }
    return found;
  }

  // What the figures themselves leave open: the last printed digit, and how far the average is from
  // the median.
  [[nodiscard]] double slack_ms(const std::vector<std::size_t>& layers) const {
    double slack = 0;
    for (const std::size_t i : layers) {
      const auto& time = run.build.layers[i].time;
      if (!time) continue;
      slack += time->quantum_ms;
      if (time->median_ms) slack += std::fabs(time->mean_ms - *time->median_ms);
    }
    return slack;
  }
};

double mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return v.empty() ? 0 : sum / static_cast<double>(v.size());
}

std::vector<double> logs_of(const std::vector<double>& sums) {
  std::vector<double> logs;
  logs.reserve(sums.size());
  for (const double x : sums) {
    if (std::isfinite(x) && x > 0) logs.push_back(std::log(x));
  }
  return screen_runs(logs).kept;
}

void judge_single(double slack_ms, double floor, LayerGroup& group) {
  if (std::fabs(group.delta_ms) <= slack_ms) return;
  if (std::fabs(std::log(group.candidate_ms / group.base_ms)) <= std::log1p(floor)) return;
  group.verdict = group.delta_ms > 0 ? Verdict::regressed : Verdict::improved;
}

struct Judged {
  LayerGroup* group = nullptr;
  Shift shift;
};

void judge_repeated(std::vector<Judged>& judged, double margin) {
  std::vector<double> p_values;
  p_values.reserve(judged.size());
  for (const Judged& j : judged) p_values.push_back(j.shift.p_value);
  const std::vector<bool> stands = discoveries(p_values, kFalseDiscoveries);
  for (std::size_t k = 0; k < judged.size(); ++k) {
    LayerGroup& group = *judged[k].group;
    const Shift& shift = judged[k].shift;
    group.p_value = shift.p_value;
    if (stands[k] && std::fabs(shift.estimate) >= margin) {
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

void judge_groups(const std::vector<Analysis>& base, std::size_t base_at,
                  const std::vector<Analysis>& candidate, std::size_t candidate_at,
                  const CompareOptions& options, std::vector<LayerGroup>& groups) {
  const Side b(base, base_at);
  const Side c(candidate, candidate_at);
  const auto compared =
      static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), both_sides));
  const double floor = floor_of_many(std::max(options.noise_floor, options.margin), compared);
  std::vector<Judged> judged;
  for (LayerGroup& group : groups) {
    const std::vector<double> base_sums = b.sums(group.base);
    const std::vector<double> candidate_sums = c.sums(group.candidate);
    group.base_ms = mean_of(base_sums);
    group.candidate_ms = mean_of(candidate_sums);
    group.delta_ms = group.candidate_ms - group.base_ms;
    if (!both_sides(group) || group.base_ms <= 0 || group.candidate_ms <= 0) continue;
    if (const auto shift =
            shift_between(logs_of(base_sums), logs_of(candidate_sums), kLeastLayerScatter)) {
      judged.push_back({&group, *shift});
    } else {
      judge_single(b.slack_ms(group.base) + c.slack_ms(group.candidate), floor, group);
    }
  }
  judge_repeated(judged, std::log1p(options.margin));
}

}  // namespace trtlens
