// Leaves out runs that failed or were slow, and joins the layers' times of the rest.
#include "analyzers/compare/runs/side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzers/compare/runs/intervals.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Repeated builds of one network may differ in a conversion or two; less in common is another
// engine.
constexpr double kSameEngine = 0.9;

using Names = std::map<std::string_view, std::size_t>;  // with their number

Names names_of(const Analysis& run, bool timed) {
  Names names;
  for (const Layer& layer : run.build.layers) {
    if (!timed || time_or_zero(layer) > 0) ++names[std::string_view(layer.name.str())];
  }
  return names;
}

std::size_t size_of(const Names& names) {
  std::size_t size = 0;
  for (const auto& name : names) size += name.second;
  return size;
}

bool other_layers(const Analysis& a, const Analysis& b) {
  // Sources name other sets of layers: a log leaves out what a profile lists.
  const bool timed = a.build.has_profile && b.build.has_profile;
  if (!timed && !(a.build.has_layer_info && b.build.has_layer_info)) return false;
  const Names of_a = names_of(a, timed);
  const Names of_b = names_of(b, timed);
  std::size_t common = 0;
  for (const auto& [name, count] : of_a) {
    const auto found = of_b.find(name);
    if (found != of_b.end()) common += std::min(count, found->second);
  }
  const std::size_t most = std::max(size_of(of_a), size_of(of_b));
  return most > 0 && static_cast<double>(common) < kSameEngine * static_cast<double>(most);
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string why_failed(const Analysis& run) {
  if (run.build.outcome != Outcome::failed) return "it has no time";
  return run.findings.empty() ? std::string("it failed") : "it failed: " + run.findings[0].title;
}

// What failed and what has no time, when other runs can stand for the side.
void leave_failed_out(Side& side) {
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < side.runs.size(); ++i) {
    const Analysis& run = side.runs[i];
    if (run.build.outcome != Outcome::failed && has_any_time(run)) good.push_back(i);
  }
  for (std::size_t i = 0; good.empty() && i < side.runs.size(); ++i) {
    if (has_any_time(side.runs[i])) good.push_back(i);
  }
  for (std::size_t i = 0; i < side.runs.size(); ++i) {
    const bool is_good = std::ranges::find(good, i) != good.end();
    if (is_good || good.empty()) {
      side.counted.push_back(i);
    } else {
      side.left_out.push_back({side.runs[i].name, why_failed(side.runs[i])});
    }
  }
}

// Runs of another engine than most: what the side shows is of one engine.
void find_mixed(Side& side) {
  struct Like {
    std::vector<std::size_t> runs;
    std::string why;  // it is unlike the first
  };
  std::vector<Like> engines;
  for (const std::size_t i : side.counted) {
    std::string why;
    const auto known = std::ranges::find_if(engines, [&](const Like& engine) {
      std::string reason = unlike(side.runs[engine.runs[0]], side.runs[i]);
      if (why.empty()) why = reason;
      return reason.empty();
    });
    if (known != engines.end()) {
      known->runs.push_back(i);
    } else {
      engines.push_back({{i}, std::move(why)});
    }
  }
  if (engines.size() < 2) return;
  side.mixed = side.runs[engines[0].runs[0]].name + " and " + side.runs[engines[1].runs[0]].name +
               " (" + engines[1].why + ")";
  if (engines.size() > 2) side.mixed += fmt::format(", {} in all", engines.size());
  std::ranges::stable_sort(engines, std::ranges::greater(),
                           [](const Like& a) { return a.runs.size(); });
  side.counted = engines[0].runs;
}

// Indices into side.counted of runs that are slow by these figures.
std::set<std::size_t> slow_by(const std::vector<double>& logs) {
  const std::vector<std::size_t> out = slow_runs(logs);
  return {out.begin(), out.end()};
}

// Slower than the mean of the runs that stay.
double slower_by(const std::vector<double>& logs, const std::set<std::size_t>& out, std::size_t i) {
  std::vector<double> kept;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    if (out.count(k) == 0) kept.push_back(logs[k]);
  }
  return std::expm1(logs[i] - log_of_mean(kept));
}

// Runs whose layers' times are those of the side.
std::vector<std::size_t> layer_runs(const Side& side) {
  std::vector<std::size_t> runs = side.counted;
  runs.insert(runs.end(), side.layers_only.begin(), side.layers_only.end());
  return runs;
}

// The run of a side whose layers stand for it.
std::size_t most_telling(const Side& side) {
  const auto tells = [&](std::size_t i) {
    const Analysis& run = side.runs[i];
    return (run.build.has_profile ? 4 : 0) + (has_any_time(run) ? 2 : 0) +
           (run.build.has_layer_info ? 1 : 0);
  };
  const std::vector<std::size_t> runs = layer_runs(side);
  return *std::max_element(runs.begin(), runs.end(),
                           [&](std::size_t a, std::size_t b) { return tells(a) < tells(b); });
}

// Times of `run` for the layers of `of`; equal names are told apart by their order.
LayerTimes times_in(const Build& run, const Build& of) {
  std::unordered_map<std::string_view, LayerTimes> by_name;
  for (const Layer& layer : run.layers) {
    by_name[std::string_view(layer.name.str())].push_back(layer.time);
  }
  std::unordered_map<std::string_view, std::size_t> seen;
  LayerTimes times;
  times.reserve(of.layers.size());
  for (const Layer& layer : of.layers) {
    const std::string_view name(layer.name.str());
    const std::size_t nth = seen[name]++;
    const auto found = by_name.find(name);
    const bool known = found != by_name.end() && nth < found->second.size();
    times.push_back(known ? found->second[nth] : std::nullopt);
  }
  return times;
}

// The mean of what every run knows; none when one does not.
std::optional<double> mean_of(const std::vector<LayerTimes>& runs, std::size_t layer,
                              std::optional<double> LayerTime::*what) {
  double sum = 0;
  for (const LayerTimes& times : runs) {
    if (!times[layer] || !((*times[layer]).*what)) return std::nullopt;
    sum += *((*times[layer]).*what);
  }
  return sum / static_cast<double>(runs.size());
}

// Means over the runs, in place of the times of the one that the build is of.
void set_means(const std::vector<LayerTimes>& runs, Build& build) {
  const auto n = static_cast<double>(runs.size());
  build.profile_sum_ms = 0;
  build.unattributed_ms = 0;
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    Layer& layer = build.layers[i];
    if (!layer.time) continue;
    double sum = 0;
    for (const LayerTimes& times : runs) sum += times[i] ? times[i]->mean_ms : 0;
    layer.time->mean_ms = sum / n;
    layer.time->median_ms = mean_of(runs, i, &LayerTime::median_ms);
    layer.time->total_ms = mean_of(runs, i, &LayerTime::total_ms);
    if (layer.time->total_ms) *layer.time->total_ms *= n;
    build.profile_sum_ms += layer.time->mean_ms;
    if (build.has_layer_info && (layer.found_in & kFoundInLayerInfo) == 0) {
      build.unattributed_ms += layer.time->mean_ms;
    }
  }
}

}  // namespace

std::string unlike(const Analysis& a, const Analysis& b) {
  if (other_layers(a, b)) return "other layers";
  for (const Difference& d : differences_of(a.build, b.build)) {
    if (!d.matters || d.what == "clock" || d.what == "timing") continue;
    if (d.what != "option" && (!d.base || !d.candidate)) continue;
    if (d.name == "--device") continue;
    // One file may lie in several places.
    if (d.base && d.candidate && file_name(*d.base) == file_name(*d.candidate)) continue;
    return d.name + ": " + d.base.value_or("not given") + " and " +
           d.candidate.value_or("not given");
  }
  return {};
}

SideFigures figures_of(const std::vector<RunTime>& runs, const std::vector<std::size_t>& left_out) {
  SideFigures side;
  double squares = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunTime& run = runs[i];
    if (std::ranges::find(left_out, i) != left_out.end()) {
      side.left_out.push_back(std::log(run.value_ms));
      continue;
    }
    side.runs.push_back(run);
    side.logs.push_back(std::log(run.value_ms));
    const double error = inner_error_of(run).value_or(0);
    squares += error * error;
  }
  if (!side.runs.empty()) {
    side.inner_error = std::sqrt(squares / static_cast<double>(side.runs.size()));
  }
  return side;
}

Side side_of_runs(std::vector<Analysis> runs) {
  Side side;
  side.runs = std::move(runs);
  const auto key = [](const Analysis& run) {
    return std::make_pair(
        run.name, run.compute_samples ? run.compute_samples->mean_ms : run.build.profile_sum_ms);
  };
  std::ranges::stable_sort(side.runs, {}, key);
  leave_failed_out(side);
  find_mixed(side);
  return side;
}

void set_profiles_aside(Side& base, Side& candidate) {
  const auto is_timed = [](const Side& side, std::size_t i) {
    return has_compute_time(side.runs[i]);
  };
  for (const Side* side : {&base, &candidate}) {
    if (std::ranges::none_of(side->counted, [&](std::size_t i) { return is_timed(*side, i); })) {
      return;
    }
  }
  for (Side* side : {&base, &candidate}) {
    const auto aside = std::stable_partition(side->counted.begin(), side->counted.end(),
                                             [&](std::size_t i) { return is_timed(*side, i); });
    side->layers_only.assign(aside, side->counted.end());
    for (const std::size_t i : side->layers_only) {
      side->left_out.push_back(
          {side->runs[i].name, "it has no GPU compute time (its profile counts for the layers)"});
    }
    side->counted.erase(aside, side->counted.end());
  }
}

void leave_slow_out(TimeSource source, Side& side) {
  std::vector<double> figures, sums;
  for (const std::size_t i : side.counted) {
    figures.push_back(std::log(run_time(side.runs[i], source)->value_ms));
    const auto sum = run_time(side.runs[i], TimeSource::profile);
    if (sum) sums.push_back(std::log(sum->value_ms));
  }
  std::set<std::size_t> out = slow_by(figures);
  std::set<std::size_t> by_sum;
  if (source != TimeSource::profile && sums.size() == figures.size()) by_sum = slow_by(sums);
  std::set<std::size_t> both = out;
  both.insert(by_sum.begin(), by_sum.end());
  // Fewer than half, whatever they are slow by.
  if (2 * both.size() < figures.size()) {
    out = std::move(both);
  } else {
    by_sum.clear();
  }
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < side.counted.size(); ++k) {
    const std::size_t i = side.counted[k];
    if (out.count(k) == 0) {
      kept.push_back(i);
      continue;
    }
    const double by = slower_by(figures, out, k);
    std::string why = fmt::format("{:.1f} % slower than the other runs", by * 100);
    if (by_sum.count(k) != 0 && slow_by(figures).count(k) == 0) {
      why = fmt::format("its layers are {:.1f} % slower than those of the other runs",
                        slower_by(sums, out, k) * 100);
    }
    side.slow.push_back(i);
    side.left_out.push_back({side.runs[i].name, std::move(why)});
  }
  side.counted = std::move(kept);
}

void take_together(Side& side, const AnalyzeOptions& options, Analysis& together,
                   SideLayers& layers) {
  const std::size_t chosen = most_telling(side);
  const Build& of = side.runs[chosen].build;
  const Names names = names_of(side.runs[chosen], true);
  std::uint64_t iterations = 0;
  std::optional<std::uint64_t> fewest;
  for (const std::size_t i : layer_runs(side)) {
    const Build& run = side.runs[i].build;
    if (!run.has_profile) continue;
    if (names_of(side.runs[i], true) != names) {
      layers.other_names.push_back(side.runs[i].name);
      continue;
    }
    layers.runs.push_back(times_in(run, of));
    if (!run.profile_iterations) continue;
    iterations += *run.profile_iterations;
    fewest = std::min(fewest.value_or(*run.profile_iterations), *run.profile_iterations);
  }
  layers.inner_error = side.inner_error;
  if (fewest && *fewest > 0) {
    const double of_few = kQueryScatter / std::sqrt(static_cast<double>(*fewest));
    layers.inner_error = std::max(layers.inner_error, of_few);
  }
  together = std::move(side.runs[chosen]);
  layers.side = &together;
  if (layers.runs.size() < 2) return;
  set_means(layers.runs, together.build);
  if (fewest) together.build.profile_iterations = iterations;
  together = analyze(std::move(together.build), together.name, together.reading, options);
}

}  // namespace trtlens
