// Series of a figure, and the base of a comparison.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analyzers/text.h"
#include "report/history/pages.h"

namespace trtlens {
namespace {

// Runs of one level that a base stands for: older ones say little of today's machine.
constexpr std::size_t kMostEarlier = 30;

constexpr std::array<const char*, 5> kFigures{"GPU compute, 10th percentile", "GPU compute, median",
                                              "GPU compute, mean", "trace, 10th percentile",
                                              "profile sum"};

using FigureOf = std::optional<double> (*)(const BuildLine&);

struct Metric {
  const char* name;
  const char* what;
  const char* unit;
  FigureOf figure;  // null: what all builds of the series have
};

template <std::size_t Which>
std::optional<double> speed(const BuildLine& build) {
  return build.speed.ms[Which];
}
template <std::optional<double> BuildLine::*Member>
std::optional<double> of(const BuildLine& build) {
  return build.*Member;
}
template <std::optional<std::int64_t> BuildLine::*Member>
std::optional<double> bytes(const BuildLine& build) {
  const std::optional<std::int64_t> known = build.*Member;
  return known ? std::optional<double>(static_cast<double>(*known)) : std::nullopt;
}

constexpr Metric kMetrics[] = {
    {"time", "", "ms", nullptr},
    {"gpu_p10_ms", kFigures[0], "ms", speed<0>},
    {"gpu_median_ms", kFigures[1], "ms", speed<1>},
    {"gpu_mean_ms", kFigures[2], "ms", speed<2>},
    {"trace_p10_ms", kFigures[3], "ms", speed<3>},
    {"profile_ms", kFigures[4], "ms", speed<4>},
    {"latency_ms", "latency, median", "ms", of<&BuildLine::latency_ms>},
    {"throughput_qps", "throughput", "queries/s", of<&BuildLine::throughput_qps>},
    {"build_s", "time of the engine's build", "s", of<&BuildLine::build_s>},
    {"engine_bytes", "size of the engine", "bytes", bytes<&BuildLine::engine_bytes>},
    {"device_bytes", "device memory of the engine", "bytes", bytes<&BuildLine::device_bytes>}};

const Metric& metric_of(const std::string& name) {
  const auto* const found =
      std::ranges::find_if(kMetrics, [&](const Metric& one) { return name == one.name; });
  return found == std::end(kMetrics) ? kMetrics[0] : *found;
}

// What all builds with a time have, else what most have, else the better one.
std::size_t best_figure(const std::vector<BuildLine>& builds) {
  std::array<std::size_t, 5> counts{};
  for (const BuildLine& build : builds) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts.at(i) += build.speed.ms.at(i) ? 1 : 0;
  }
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

std::vector<std::vector<BuildLine>> by_series(const std::vector<BuildLine>& builds) {
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<BuildLine>> all;
  for (const BuildLine& build : builds) {
    const auto [place, is_new] = places.emplace(build.series, all.size());
    if (is_new) all.emplace_back();
    all[place->second].push_back(build);
  }
  return all;
}

template <typename Figure>
Trend trend_of(const std::vector<BuildLine>& builds, const Figure& figure,
               const ChangeOptions& options) {
  Trend trend;
  trend.series = builds.front().series;
  for (const BuildLine& build : builds) {
    const std::optional<double> value = figure(build);
    if (!value || !std::isfinite(*value) || *value <= 0) {
      ++trend.left_out;
      continue;
    }
    trend.builds.push_back(build);
    trend.values.push_back(*value);
  }
  trend.stretches = stretches_of(trend.values, options);
  return trend;
}

std::string note_of(const BuildLine& last, std::size_t builds, const BuildLine& first) {
  const std::string start = fmt::format("#{} is the last good build of the history; ", last.id);
  return builds < 2
             ? start + "no other of its level says how far runs differ"
             : start +
                   fmt::format("the {} builds of its level, from #{} on, say how far runs differ",
                               builds, first.id);
}

}  // namespace

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Metric& metric : kMetrics) all.emplace_back(metric.name);
    return all;
  }();
  return names;
}

std::vector<Trend> trends_of(const std::vector<BuildLine>& builds, const std::string& metric,
                             const ChangeOptions& options) {
  const Metric& wanted = metric_of(metric);
  std::vector<Trend> trends;
  for (const std::vector<BuildLine>& series : by_series(builds)) {
    const std::size_t best = best_figure(series);
    trends.push_back(trend_of(
        series,
        [&](const BuildLine& build) {
          return wanted.figure == nullptr ? build.speed.ms.at(best) : wanted.figure(build);
        },
        options));
    trends.back().what = wanted.figure == nullptr ? kFigures.at(best) : wanted.what;
    trends.back().unit = wanted.unit;
  }
  // Builds that failed may lack what names their series.
  const auto is_empty = [](const Trend& trend) { return trend.values.empty(); };
  if (!std::ranges::all_of(trends, is_empty)) std::erase_if(trends, is_empty);
  return trends;
}

std::vector<Trend> trends_of(const std::vector<BuildLine>& builds,
                             const std::vector<FigureOfBuild>& figures, const std::string& what,
                             const ChangeOptions& options) {
  const std::map<std::int64_t, double> known(figures.begin(), figures.end());
  std::vector<Trend> trends;
  for (const std::vector<BuildLine>& series : by_series(builds)) {
    Trend trend = trend_of(
        series,
        [&](const BuildLine& build) -> std::optional<double> {
          const auto found = known.find(build.id);
          return found == known.end() ? std::nullopt : std::optional<double>(found->second);
        },
        options);
    if (trend.values.empty()) continue;
    trend.what = what;
    trend.unit = "ms";
    trends.push_back(std::move(trend));
  }
  return trends;
}

HistoryBase base_in(History& history, const std::string& series, const std::string& identity) {
  HistoryBase base;
  std::vector<BuildLine> good;
  std::vector<std::string> others;
  for (const BuildLine& build : history.builds()) {
    if (build.series != series) {
      if (std::ranges::find(others, build.series) == others.end()) others.push_back(build.series);
      continue;
    }
    if (build.identity == identity) break;
    if (is_good(build)) good.push_back(build);
  }
  if (!history.ok()) {
    base.error = history.error();
    return base;
  }
  if (good.empty()) {
    base.error = "no good build of '" + series + "' before this one";
    if (!others.empty())
      base.error += "; --series picks another series, such as '" + others[0] + "'";
    return base;
  }
  return base_of(history, good);
}

HistoryBase base_of(History& history, const std::vector<BuildLine>& good) {
  HistoryBase base;
  const BuildLine& last = good.back();
  const std::optional<BuildRecord> record = history.build(last.id);
  if (!record) {
    base.error = history.ok() ? "another process has removed its last build" : history.error();
    return base;
  }
  base.analysis = analysis_of(*record);
  const std::size_t slash = last.name.find_last_of('/');
  base.analysis.name = fmt::format(
      "#{} {}", last.id, slash == std::string::npos ? last.name : last.name.substr(slash + 1));
  const auto recent = good.size() - std::min(good.size(), kMostOfSeries);
  const std::vector<Trend> trends =
      trends_of({good.begin() + static_cast<std::ptrdiff_t>(recent), good.end()},
                metric_names().front(), ChangeOptions());
  const Trend& trend = trends.front();
  if (!trend.builds.empty() && trend.builds.back().id == last.id) {
    const Stretch& level = trend.stretches.back();
    const std::size_t from = std::max(level.begin, level.end - std::min(level.end, kMostEarlier));
    for (std::size_t i = from; i < level.end; ++i) base.earlier.push_back(trend.builds[i].speed);
    base.note = note_of(last, base.earlier.size(), trend.builds[from]);
  }
  // Where the last one lacks what most have, it stands for itself.
  if (base.earlier.empty()) base.earlier.push_back(last.speed);
  return base;
}

}  // namespace trtlens
