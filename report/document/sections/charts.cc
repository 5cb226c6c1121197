// Charts of the per-query times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kHistogramBins = 32;
constexpr std::size_t kTracePoints = 2000;

std::vector<double> compute_times(const Build& build) {
  std::vector<double> times;
  times.reserve(build.queries.size());
  for (const Query& query : build.queries) {
    const double ms = static_cast<double>(query.compute_ms);
    if (std::isfinite(ms) && ms > 0) times.push_back(ms);
  }
  return times;
}

// Lowest and highest point of each of at most kTracePoints / 2 slices, so that no spike is lost.
std::vector<Point> downsample(const std::vector<Point>& points) {
  if (points.size() <= kTracePoints) return points;
  const std::size_t slices = kTracePoints / 2;
  std::vector<Point> out;
  out.reserve(kTracePoints);
  for (std::size_t s = 0; s < slices; ++s) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(points.size() * s / slices);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (s + 1) / slices);
    const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
    auto low = std::min_element(begin, end, lower);
    auto high = std::max_element(begin, end, lower);
    if (high < low) std::swap(low, high);
    out.push_back(*low);
    if (high != low) out.push_back(*high);
  }
  return out;
}

}  // namespace

std::optional<Chart> histogram_chart(const Context& context) {
  std::vector<double> times = compute_times(context.build);
  if (times.size() < 20) return std::nullopt;
  std::sort(times.begin(), times.end());
  const double low = times.front();
  // The axis ends at the 99th percentile: a few outliers would squeeze all else into one bar.
  const double high = times[(times.size() - 1) * 99 / 100];
  if (high <= low) return std::nullopt;
  const std::size_t bins =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(times.size())), 8, kHistogramBins);
  Chart chart;
  chart.kind = ChartKind::histogram;
  chart.title = "GPU compute time per query";
  chart.x_label = "GPU compute, ms";
  chart.y_label = "queries";
  const double step = (high - low) / static_cast<double>(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const double from = low + step * static_cast<double>(i);
    chart.bars.push_back({ms_number(from + step / 2), 0, "", 0, ""});
  }
  std::size_t beyond = 0;
  for (const double ms : times) {
    if (ms > high) {
      ++beyond;
      continue;
    }
    const auto bin = static_cast<std::size_t>((ms - low) / step);
    chart.bars[std::min(bin, bins - 1)].value += 1;
  }
  for (std::size_t i = 0; i < bins; ++i) {
    Bar& bar = chart.bars[i];
    bar.text = fmt::format("{:.0f}", bar.value);
    chart.points.push_back({low + step * (static_cast<double>(i) + 0.5), bar.value});
  }
  chart.alt = fmt::format("{}: median {}, 99 % at most {}, slowest {}.",
                          count_text(times.size(), "query", "queries"),
                          ms_text(times[times.size() / 2]), ms_text(high), ms_text(times.back()));
  if (beyond > 0) chart.alt += fmt::format(" {} beyond the 99th percentile not drawn.", beyond);
  return chart;
}

std::optional<Chart> trace_chart(const Context& context) {
  Chart chart;
  chart.kind = ChartKind::trace;
  std::vector<Point> points;
  for (const Query& query : context.build.queries) {
    const Point point{static_cast<double>(query.start_ms) / 1000.0,
                      static_cast<double>(query.compute_ms)};
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  }
  if (points.size() >= 2) {
    chart.title = "GPU compute time over the run";
    chart.x_label = "seconds since the run began";
    chart.y_label = "ms per query";
  } else {
    points.clear();
    for (const TraceWindow& window : context.build.trace) {
      const double ms = static_cast<double>(window.gpu_ms);
      if (std::isfinite(ms)) points.push_back({static_cast<double>(points.size() + 1), ms});
    }
    chart.title = "GPU compute time over the run (trtexec's averages)";
    chart.x_label = "window of the trace";
    chart.y_label = "ms per query, averaged";
  }
  if (points.size() < 2) return std::nullopt;
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), lower);
  chart.alt = fmt::format("{} from {} to {}.", count_text(points.size(), "point", "points"),
                          ms_text(low->y), ms_text(high->y));
  chart.points = downsample(points);
  return chart;
}

}  // namespace trtlens
