// One plot a chart, sized by its rows; labels are escaped for gnuplot's data blocks.
#include "report/charts/chart_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/charts/palette.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::size_t kLongLabel = 44;
constexpr std::size_t kShortLabel = 26;
constexpr std::size_t kStepLabel = 72;  // a sentence of ours

// Rows of "position value colour cumulative% "label" "value as shown"".
std::string bar_rows(const Chart& chart, std::size_t label_width) {
  std::string rows;
  std::size_t n = 0;
  for (const Bar& bar : chart.bars) {
    if (n == kMostBars) break;
    if (!std::isfinite(bar.value) || !std::isfinite(bar.cumulative)) continue;
    const std::string_view colour = precision_colour(bar.colour_label).colour;
    rows += fmt::format("{} {:.9g} 0x{} {:.6g} {} {}\n", ++n, bar.value, colour.substr(1),
                        bar.cumulative * 100, gnuplot_label(bar.label, label_width),
                        gnuplot_label(bar.text, kShortLabel));
  }
  return rows;
}

std::string point_rows(const Chart& chart) {
  std::string rows;
  std::size_t n = 0;
  for (const Point& point : chart.points) {
    if (n == kMostPoints) break;
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    rows += fmt::format("{:.9g} {:.9g}\n", point.x, point.y);
    ++n;
  }
  return rows;
}

std::size_t bar_count(const Chart& chart) {
  return std::min(chart.bars.size(), kMostBars);
}

// Texts of ours, the only ones in a command; anything but plain words is dropped.
std::string plain_words(const std::string& text) {
  static constexpr std::string_view kPunctuation = " ,.()%/-";
  std::string plain;
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word || kPunctuation.find(c) != std::string_view::npos) plain += c;
  }
  return plain;
}

std::string axis_label(const char* axis, const std::string& text) {
  const std::string plain = plain_words(text);
  if (plain.empty()) return "";
  return fmt::format("set {}label '{}' textcolor rgb '#4a5360'\n", axis, plain);
}

// Bars lie, so that names can be read; the longest is on top.
std::string lying_bars(const Chart& chart) {
  const bool pareto = chart.kind == ChartKind::pareto;
  std::string out = "$d << END\n" + bar_rows(chart, pareto ? kLongLabel : kShortLabel) + "END\n";
  out += fmt::format("set yrange [{}.5:0.5]\nset xrange [0:*]\n", bar_count(chart));
  out += "set ytics nomirror scale 0\nset xtics nomirror scale 0\n";
  out += "unset grid\nset grid xtics lt 1 lc rgb '#dfe3e8' lw 1\n";
  const std::string boxes =
      "$d using 2:1:(0):2:($1-0.36):($1+0.36):3:ytic(5) with boxxyerror fs solid noborder lc rgb "
      "variable";
  if (pareto) {
    out += "set x2range [0:100]\nset x2tics 0,20,100 nomirror scale 0 format '%.0f %%'\n";
    out += "set x2label 'cumulative share' textcolor rgb '#4a5360'\n";
    out += "plot " + boxes +
           ", $d using 4:1 axes x2y1 with linespoints lw 1.5 pt 7 ps 0.3 lc rgb '#5b6673'\n";
  } else {
    double most = 0;
    for (const Bar& bar : chart.bars) most = std::max(most, bar.value);
    if (most > 0) out += fmt::format("set xrange [0:{:.9g}]\n", most * 1.2);  // room for texts
    out += "plot " + boxes +
           ", $d using 2:1:6 with labels left offset 0.6,0 textcolor rgb '#4a5360'\n";
  }
  return out;
}

// The whole times are blue, what goes back is green, what goes on is orange: as in the page.
std::string way(const Chart& chart) {
  std::string rows;
  std::size_t n = 0;
  double most = 0;
  for (const Bar& bar : chart.bars) {
    if (n == kMostBars) break;
    if (!std::isfinite(bar.value) || !std::isfinite(bar.from)) continue;
    const double end = bar.from + bar.value;
    most = std::max({most, bar.from, end});
    const char* const colour = bar.from == 0 ? "1d5fae" : bar.value < 0 ? "2c7a35" : "bf4316";
    rows += fmt::format("{} {:.9g} {:.9g} 0x{} {} {}\n", ++n, std::min(bar.from, end),
                        std::max(bar.from, end), colour, gnuplot_label(bar.label, kStepLabel),
                        gnuplot_label(bar.text, kShortLabel));
  }
  std::string out = "$d << END\n" + rows + "END\n";
  out += fmt::format("set yrange [{}.5:0.5]\n", n);
  if (most > 0) out += fmt::format("set xrange [0:{:.9g}]\nset rmargin 10\n", most);
  out += "set border 2\nset ytics nomirror scale 0\nunset xtics\nunset grid\n";
  return out +
         "plot $d using 3:1:2:3:($1-0.36):($1+0.36):4:ytic(5) with boxxyerror fs solid noborder lc "
         "rgb variable, $d using 3:1:6 with labels left offset 0.6,0 textcolor rgb '#4a5360'\n";
}

// The colours in a key below: conversions and what is unknown are hatched, as in the page.
std::string strips(const Chart& chart) {
  std::vector<std::string> rows, kinds;
  std::string data;
  const auto place_of = [](std::vector<std::string>& all, const std::string& one) {
    const auto known = std::ranges::find(all, one);
    if (known != all.end()) return known - all.begin();
    all.push_back(one);
    return static_cast<std::ptrdiff_t>(all.size()) - 1;
  };
  for (const Bar& bar : chart.bars) {
    if (!std::isfinite(bar.value) || !std::isfinite(bar.from)) continue;
    data += fmt::format("{} {:.9g} {:.9g} {}\n", place_of(rows, bar.label) + 1, bar.from,
                        bar.from + bar.value, place_of(kinds, bar.colour_label));
  }
  std::string out = "$d << END\n" + data + "END\n";
  std::string tics;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    tics += fmt::format("{}'{}' {}", r == 0 ? "" : ", ", plain_words(rows[r]), r + 1);
  }
  out += fmt::format("set ytics ({}) nomirror scale 0\nset yrange [{}.5:0.5]\n", tics, rows.size());
  out += "set xrange [0:*]\nset xtics nomirror scale 0\nunset grid\n";
  out += "set key above horizontal left textcolor rgb '#4a5360' width 1\n";
  std::string plots;
  const auto add = [&](std::size_t kind, std::string_view fill, std::string_view title) {
    plots += fmt::format(
        "{}$d using 3:($4=={}?$1:1/0):2:3:($1-0.4):($1+0.4) with boxxyerror fs {} noborder lc rgb "
        "'{}' {}",
        plots.empty() ? "plot " : ", ", kind, fill, precision_colour(kinds[kind]).colour, title);
  };
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::string title = "title '" + plain_words(kinds[k]) + "'";
    const bool is_conversion = kinds[k] == "Q/DQ" || kinds[k] == "reformat";
    if (!is_conversion && kinds[k] != "unknown") {
      add(k, "solid", title);
      continue;
    }
    add(k, "solid 0.4", "notitle");
    add(k, is_conversion ? "transparent pattern 4" : "transparent pattern 5", title);
  }
  return out + plots + "\n";
}

// Builds and windows are counted: no tick stands between two of them. 0: not whole numbers.
double whole_step(const std::vector<Point>& points) {
  if (points.empty()) return 0;
  const auto whole = [](const Point& point) {
    return std::isfinite(point.x) && std::nearbyint(point.x) == point.x;
  };
  if (!std::ranges::all_of(points, whole)) return 0;
  const auto [least, most] = std::ranges::minmax(points, {}, &Point::x);
  constexpr double kTicks = 10;
  for (double step = 1;; step *= 10) {
    for (const double part : {1.0, 2.0, 5.0}) {
      if ((most.x - least.x) / (step * part) <= kTicks) return step * part;
    }
  }
}

std::string upright(const Chart& chart) {
  const std::string colour = " lc rgb '" + std::string(kDefaultColour) + "'\n";
  std::string out = "$d << END\n" + point_rows(chart) + "END\n";
  out += "set yrange [0:*]\nset xtics nomirror out scale 0.5\nset ytics nomirror scale 0\n";
  if (chart.kind == ChartKind::histogram) {
    const double step = chart.points.size() > 1 ? chart.points[1].x - chart.points[0].x : 1.0;
    out += fmt::format("set boxwidth {:.9g}\n", step * 0.9);
    out += "plot $d using 1:2 with boxes fs solid noborder" + colour;
  } else {
    const double step = whole_step(chart.points);
    if (step > 0) out += fmt::format("set xtics {:.9g}\n", step);
    out += "set autoscale xfix\nplot $d using 1:2 with lines lw 1" + colour;
  }
  return out;
}

std::string plot_of(const Chart& chart) {
  switch (chart.kind) {
    case ChartKind::pareto:
    case ChartKind::bars:
      return lying_bars(chart);
    case ChartKind::histogram:
    case ChartKind::trace:
      return upright(chart);
    case ChartKind::way:
      return way(chart);
    case ChartKind::strips:
      return strips(chart);
  }
  return "";
}

std::string one_chart(const Chart& chart, PictureKind kind) {
  const ChartSize size = chart_size(chart);
  // `reset` keeps the terminal, which is set anew for the size.
  std::string out = "reset\n";
  // A PNG in twice as many dots, for screens that have them.
  out += kind == PictureKind::svg
             ? fmt::format("set terminal svg size {},{} noenhanced font 'Helvetica,13'\n",
                           size.width, size.height)
             : fmt::format(
                   "set terminal pngcairo size {},{} noenhanced font 'Helvetica,13' fontscale 2 "
                   "linewidth 2 pointscale 2\n",
                   2 * size.width, 2 * size.height);
  out += "set border 3 lc rgb '#9aa3ae' lw 1\nunset key\nset tics textcolor rgb '#4a5360'\n";
  out += "set grid ytics lt 1 lc rgb '#dfe3e8' lw 1\n";
  out += axis_label("x", chart.x_label) + axis_label("y", chart.y_label);
  return out + plot_of(chart) + "set output\n";  // ends the picture
}

}  // namespace

std::string gnuplot_label(std::string_view text, std::size_t width) {
  return '"' + replaced(elide_middle(visible(text), width), {{'"', "'"}, {'`', "'"}, {'\\', "/"}}) +
         '"';
}

ChartSize chart_size(const Chart& chart) {
  const int bars = static_cast<int>(bar_count(chart));
  switch (chart.kind) {
    case ChartKind::pareto:
      return {1080, 110 + 21 * std::max(bars, 3)};
    case ChartKind::bars:
      return {540, 80 + 26 * std::max(bars, 4)};
    case ChartKind::histogram:
    case ChartKind::trace:
      return {540, 280};
    case ChartKind::way:
      return {1080, 30 + 26 * std::max(bars, 3)};
    case ChartKind::strips:
      return {1080, 220};
  }
  return {540, 280};
}

std::string gnuplot_script(const std::vector<const Chart*>& charts, PictureKind kind) {
  std::string out = "set encoding utf8\n";
  for (const Chart* chart : charts) out += one_chart(*chart, kind);
  return out;
}

}  // namespace trtlens
