// OpenMetrics text, as node_exporter's textfile collector and GitLab's metrics reports read it.
#include <fmt/format.h>

#include <cmath>

#include "report/formats/escape.h"
#include "report/formats/gates/gate_report.h"

namespace trtlens {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

void write_sample(const MetricFamily& family, const MetricSample& sample, TextStream& out) {
  std::string labels;
  for (const auto& [name, value] : sample.labels) {
    labels += fmt::format("{}{}=\"{}\"", labels.empty() ? "" : ",", name, escaped(value));
  }
  out += fmt::format("{}{{{}}} {}\n", family.name, labels, sample.value);
}

void write_openmetrics(const GateReport& report, const std::string& /*version*/, TextStream& out) {
  for (const MetricFamily& family : report.metrics) {
    out += fmt::format("# TYPE {} gauge\n", family.name);
    if (!family.unit.empty()) out += fmt::format("# UNIT {} {}\n", family.name, family.unit);
    out += fmt::format("# HELP {} {}\n", family.name, escaped(family.help));
    for (const MetricSample& sample : family.samples) {
      if (std::isfinite(sample.value)) write_sample(family, sample, out);
    }
  }
  out += "# EOF\n";
}

}  // namespace

const GateWriter writer_openmetrics{"openmetrics", "prom", write_openmetrics};

}  // namespace trtlens
