// Where the time goes: charts, time by precision and type, the layers against a query.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kParetoBars = 24;
constexpr std::size_t kTypeBars = 16;
constexpr std::size_t kHistogramBins = 32;
constexpr std::size_t kTracePoints = 2000;

std::string display_label(const std::string& label) {
  return label.empty() ? "unknown" : label;
}

std::optional<Chart> pareto_chart(const Context& context) {
  Chart chart;
  chart.kind = ChartKind::pareto;
  chart.title = "Time by layer";
  chart.x_label = "ms per query (profile)";
  chart.has_table = true;
  std::vector<std::size_t> shown;
  for (const std::size_t i : context.by_time) {
    const std::optional<double> ms = layer_ms(context.build.layers[i]);
    if (!ms || *ms <= 0 || shown.size() == kParetoBars) break;
    shown.push_back(i);
  }
  double sum = 0;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const double ms = *layer_ms(context.build.layers[shown[k]]);
    sum += ms;
    chart.bars.push_back({label_of(context.analysis, shown[k]), ms, ms_text(ms),
                          context.share_of(sum).value_or(0), kind_of(context, shown[k])});
  }
  if (chart.bars.empty() || context.profile_ms <= 0) return std::nullopt;
  chart.alt = fmt::format(
      "Bars: the {} take {} of {} profile time; line: cumulative share. Colour: precision or "
      "conversion.",
      chart.bars.size() == 1 ? std::string("slowest layer")
                             : fmt::format("{} slowest layers", chart.bars.size()),
      share_text(chart.bars.back().cumulative), ms_text(context.profile_ms));
  return chart;
}

using ShareRows = std::vector<const ShareRow*>;

// What the layers of each type spend their time on; "" where they do not agree.
std::unordered_map<std::string, std::string> kinds_by_type(const Context& context) {
  std::unordered_map<std::string, std::string> kinds;
  for (const std::size_t i : context.by_time) {
    const Layer& layer = context.build.layers[i];
    if (layer_ms(layer).value_or(0) <= 0) break;
    const std::string type = layer.parameter_type.empty() ? layer.layer_type : layer.parameter_type;
    const std::string kind = kind_of(context, i);
    const auto [known, is_new] = kinds.try_emplace(type, kind);
    if (!is_new && known->second != kind) known->second.clear();
  }
  return kinds;
}

std::optional<Chart> share_chart(const Context& context, const ShareRows& rows, const char* title,
                                 bool by_precision) {
  Chart chart;
  chart.title = title;
  chart.x_label = "ms per query (profile)";
  chart.has_table = true;
  std::vector<std::string> leading;
  std::unordered_map<std::string, std::string> kinds;
  if (!by_precision) kinds = kinds_by_type(context);
  for (const ShareRow* row : rows) {
    if (row->time_ms <= 0 || chart.bars.size() == kTypeBars) continue;
    const std::string label = display_label(row->label);
    chart.bars.push_back(
        {label, row->time_ms, ms_text(row->time_ms), 0, by_precision ? label : kinds[label]});
    if (leading.size() < 4) leading.push_back(label + " " + share_text(row->share));
  }
  if (chart.bars.empty() || context.profile_ms <= 0) return std::nullopt;
  chart.alt = fmt::format("{}: {}.", title, join(leading, ", "));
  const bool is_mixed =
      std::ranges::any_of(chart.bars, [](const Bar& bar) { return bar.colour_label.empty(); });
  if (is_mixed) chart.alt += " Blue-grey: layers of several kinds.";
  return chart;
}

ShareRows by_time(const std::vector<ShareRow>& all) {
  ShareRows rows = pointers_to(all);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ShareRow* a, const ShareRow* b) { return a->time_ms > b->time_ms; });
  return rows;
}

std::optional<Table> share_table(const Context& context, const FactsOf<ShareRow>& facts,
                                 const ShareRows& rows, const char* title, const Column& what) {
  if (rows.empty()) return std::nullopt;
  const bool timed = context.profile_ms > 0;
  const auto label = [](const ShareRow& row) { return display_label(row.label); };
  Table table = table_of(context, facts, rows,
                         {{what, label},
                          "layers",
                          ColumnOf<ShareRow>("time_ms").only_if(timed),
                          ColumnOf<ShareRow>("share").only_if(timed)});
  table.title = title;
  table.shown = context.rows_shown(12);
  return table;
}

std::optional<Table> precision_table(const Context& context, const ShareRows& rows) {
  std::optional<Table> table = share_table(context, kPrecisionShareFacts, rows, "By precision",
                                           {"Computes in", ColumnKind::precision});
  const bool has_none = std::any_of(rows.begin(), rows.end(),
                                    [](const ShareRow* row) { return row->label == "none"; });
  if (table && has_none) {
    table->note = "none: kinds without arithmetic, such as reformats, no-ops and shape work.";
  }
  return table;
}

std::string totals_sentence(const Context& context) {
  const Build& build = context.build;
  std::string text = fmt::format("{}, {} with a time, {} in all.",
                                 count_text(build.layers.size(), "layer", "layers"),
                                 context.analysis.timed_layers, ms_text(context.profile_ms));
  if (build.unattributed_ms > 0) {
    text += fmt::format(" {} of it belongs to profile records that the layer info lacks.",
                        ms_text(build.unattributed_ms));
  }
  if (build.profile_iterations) {
    text += fmt::format(" Averages over {}.",
                        count_text(*build.profile_iterations, "iteration", "iterations"));
  }
  return text;
}

std::string reconciliation_sentence(const Context& context, const Reconciliation& r) {
  std::string text = r.launches == 1
                         ? "The only layer with a time above 0 takes " + ms_text(r.layers_ms)
                         : fmt::format("{} layers with a time above 0 add up to {}", r.launches,
                                       ms_text(r.layers_ms));
  const std::string reasons =
      r.reasons.empty() ? "" : " " + sentence_start(join(r.reasons, "; ")) + ".";
  if (!r.gpu_compute_ms) return text + "; what a query takes is unknown." + reasons;
  const double difference = r.layers_ms - *r.gpu_compute_ms;
  text += fmt::format(", {} {} than the {} of GPU compute time of a query ({})",
                      share_text(std::abs(difference) / *r.gpu_compute_ms),
                      difference >= 0 ? "more" : "less", context.gpu_compute_what,
                      ms_text(*r.gpu_compute_ms));
  if (r.overhead_per_launch_ms) {
    text += fmt::format(": {} a layer", us_text(std::abs(*r.overhead_per_launch_ms)));
  }
  return text + "." + reasons;
}

// Why the layers do not add up to a query; nothing without a profile.
void add_reconciliation(const Context& context, Section& section) {
  if (!context.analysis.reconciliation) return;
  const Reconciliation& r = *context.analysis.reconciliation;
  section.say(reconciliation_sentence(context, r));
  FactList facts("Layers against a query");
  add_facts(context, kReconciliationFacts, r,
            {"layers_ms", "gpu_compute_ms", "latency_ms", "enqueue_ms"}, facts);
  if (r.transfer_share) {
    facts.add("H2D and D2H, of the latency",
              fmt::format("{} + {}, {}", ms_text(r.h2d_ms), ms_text(r.d2h_ms),
                          share_text(*r.transfer_share)));
  }
  if (r.overhead_per_launch_ms) {
    facts.add("Difference a layer", us_text(*r.overhead_per_launch_ms));
  }
  if (r.launches > 0) {
    facts.add("Layers below 0.005 ms, bound by their launch",
              fmt::format("{} of {}, {} ({})", r.below_floor.size(), r.launches,
                          ms_text(r.below_floor_ms), share_text(r.below_floor_ms / r.layers_ms)));
  }
  facts.add_to(section);
}

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

}  // namespace

Section time_section(const Context& context) {
  Section section{"time", "Where the time goes", {}};
  const Build& build = context.build;
  const bool timed = context.profile_ms > 0;
  if (timed) section.say(totals_sentence(context));
  if (!timed && !build.layers.empty()) {
    section.say(profile_is_zero(context)
                    ? "Times per layer are unknown: the profile holds nothing but zeros."
                    : "Times per layer are unknown: --dumpProfile --exportProfile=profile.json "
                      "--separateProfileRun records them.");
  }
  const ShareRows precisions = by_time(context.analysis.by_precision);
  const ShareRows types = by_time(context.analysis.by_type);
  section.add(pareto_chart(context));
  section.add(share_chart(context, precisions, "Time by precision", true));
  section.add(share_chart(context, types, "Time by type", false));
  if (!build.layers.empty()) {
    section.add(precision_table(context, precisions));
    section.add(
        share_table(context, kTypeShareFacts, types, "By type", {"Type", ColumnKind::name}));
  }
  add_reconciliation(context, section);
  section.add(histogram_chart(context));
  section.add(trace_chart(context));
  return section;
}

}  // namespace trtlens
