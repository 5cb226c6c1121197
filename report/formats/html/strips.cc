// Strips of layers and bars of a way, as SVG: what a page shows without script.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzers/text.h"
#include "report/charts/palette.h"
#include "report/formats/escape.h"
#include "report/formats/html/packed.h"
#include "report/formats/html/parts.h"

namespace trtlens {
namespace {

std::string css_of(const std::string& kind) {
  const std::string_view css = precision_colour(kind).css;
  return "p-" + std::string(css.empty() ? "unknown" : css);
}

void strips(const ComparisonView& screen, std::string_view suffix, TextStream& out) {
  const double whole_ms = std::max(sum_ms(screen.strips[0]), sum_ms(screen.strips[1]));
  if (whole_ms <= 0) return;
  for (const std::size_t side : {0U, 1U}) {
    const std::vector<StripPart>& strip = screen.strips.at(side);
    const char* const name = side == 0 ? "base" : "candidate";
    out += fmt::format(
        "<figure class=\"strip\" id=\"strip-{}{}\">\n<figcaption><b>{}</b>{}"
        "<span class=\"marked\" hidden></span></figcaption>\n",
        name, suffix, side == 0 ? "Base" : "Candidate", html_strip_legend(screen.kinds.at(side)));
    out += html_strip(strip, whole_ms) + "</figure>\n";
  }
}

// A step leads to the table of layers; with script it selects its own.
void way(const std::vector<ShiftStep>& steps, std::string_view suffix, TextStream& out) {
  double most_ms = 0;
  for (const ShiftStep& step : steps) most_ms = std::max({most_ms, step.from_ms, step.to_ms});
  if (most_ms <= 0) return;
  out +=
      "<table class=\"ladder\"><caption>Profile time, from the base to the candidate</caption>"
      "<tbody>";
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const ShiftStep& step = steps[k];
    const bool has_layers = !step.layers.base.empty() || !step.layers.candidate.empty();
    const std::string label = has_layers
                                  ? fmt::format("<a href=\"#tab-groups{}\" data-part=\"{}\">{}</a>",
                                                suffix, k, escape_html(step.label))
                                  : escape_html(step.label);
    const double left = std::min(step.from_ms, step.to_ms),
                 right = std::max(step.from_ms, step.to_ms);
    const char* const css = step.from_ms == 0           ? "sure"
                            : step.to_ms > step.from_ms ? "more"
                                                        : "less";
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td><svg aria-hidden=\"true\"><rect x=\"{:.2f}%\" "
        "width=\"{:.2f}%\" height=\"100%\" class=\"{}\"/></svg></td><td class=\"num\">{}</td></tr>",
        label, 100 * left / most_ms, 100 * (right - left) / most_ms, css, escape_html(step.text));
  }
  out += "</tbody></table>\n";
}

}  // namespace

std::string html_patterns() {
  std::string patterns;
  for (const char* const kind : {"qdq", "reformat", "unknown"}) {
    const bool falls = std::string_view(kind) == "unknown";
    patterns += fmt::format(
        "<pattern id=\"hatch-{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate({})\"><rect width=\"6\" height=\"6\"/><path "
        "d=\"M0 3H6\"/></pattern>",
        kind, falls ? 45 : -45);
  }
  return "<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>" + patterns +
         "</defs></svg>\n";
}

std::string html_strip(const std::vector<StripPart>& strip, double whole_ms) {
  std::string rects;
  double at_ms = 0;
  for (const StripPart& part : drawn_parts(strip, whole_ms)) {
    rects += fmt::format("<rect x=\"{:.2f}\" width=\"{:.2f}\" height=\"34\" class=\"{}\"/>",
                         at_ms / whole_ms * 1000, part.ms / whole_ms * 1000, css_of(part.kind));
    at_ms += part.ms;
  }
  return "<svg viewBox=\"0 0 1000 34\" preserveAspectRatio=\"none\" role=\"img\" "
         "aria-label=\"Layers in the order of execution, coloured by precision\">" +
         rects + "</svg>";
}

std::string html_spark(const Chart& chart) {
  constexpr std::size_t kSlices = 100;
  std::vector<double> sorted;
  for (const Point& point : chart.points) sorted.push_back(point.y);
  std::ranges::sort(sorted);
  // A few outliers would leave a line: they are cut at twice the median.
  const double low = sorted.front();
  const double high = std::min(sorted.back(), 2 * sorted[sorted.size() / 2]);
  const auto y = [&](double value) {
    return high > low ? 19 - 18 * (std::min(value, high) - low) / (high - low) : 10;
  };
  std::string path;
  const std::size_t slices = std::min(kSlices, chart.points.size());
  for (std::size_t s = 0; s < slices; ++s) {
    const auto begin =
        chart.points.begin() + static_cast<std::ptrdiff_t>(chart.points.size() * s / slices);
    const auto end =
        chart.points.begin() + static_cast<std::ptrdiff_t>(chart.points.size() * (s + 1) / slices);
    const auto [least, most] =
        std::minmax_element(begin, end, [](const Point& a, const Point& b) { return a.y < b.y; });
    path += fmt::format("{}{:.1f} {:.1f}V{:.1f}", s == 0 ? "M" : "L",
                        120.0 * static_cast<double>(s) / static_cast<double>(slices), y(least->y),
                        y(most->y));
  }
  return "<svg viewBox=\"0 0 120 20\" role=\"img\" aria-label=\"" + escape_html(chart.title) +
         ": " + escape_html(chart.alt) + "\"><title>" + escape_html(chart.alt) +
         "</title><path d=\"" + path + "\"/></svg>";
}

// Kinds in the order of their time.
std::string html_strip_legend(const std::vector<KindShare>& kinds) {
  std::string legend;
  for (const KindShare& one : kinds) {
    legend += fmt::format("<li>{}{} <b>{}</b></li>", html_swatch(one.kind), escape_html(one.kind),
                          share_text(one.share));
  }
  return "<ul class=\"legend\">" + legend + "</ul>";
}

void html_comparison_view(const ComparisonView& screen, std::string_view suffix, TextStream& out) {
  strips(screen, suffix, out);
  way(screen.steps, suffix, out);
}

void html_groups(const ComparisonView& screen, std::string_view suffix, TextStream& out) {
  const auto pair = [](const LayersOfSides& of) {
    return fmt::format("[[{}],[{}]]", fmt::join(of.base, ","), fmt::join(of.candidate, ","));
  };
  const auto write = [&](TextStream& json) {
    json += "{\"tables\":[";
    for (std::size_t t = 0; t < screen.groups.size(); ++t) {
      json += t == 0 ? "[" : ",[";
      bool first = true;
      for (const LayersOfSides& group : screen.groups[t]) {
        json += (first ? "" : ",") + pair(group);
        first = false;
      }
      json += "]";
    }
    json += "],\"steps\":[";
    for (std::size_t k = 0; k < screen.steps.size(); ++k) {
      json += (k == 0 ? "" : ",") + pair(screen.steps[k].layers);
    }
    json += "]}";
  };
  html_packed("groups" + std::string(suffix), write, out);
}

}  // namespace trtlens
