// OpenMetrics text, as node_exporter's textfile collector and GitLab's metrics reports read it.
#include <fmt/format.h>

#include <cmath>

#include "report/escape.h"
#include "report/gate_report.h"

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

// The name of a sample's own label, and what its name ends in, by the type of its family.
std::string sample_name(const MetricFamily& family) {
  return family.type == "info" ? family.name + "_info" : family.name;
}

void write_sample(const MetricFamily& family, const MetricSample& sample, TextStream& out) {
  std::string labels;
  for (const auto& [name, value] : sample.labels) {
    // The state of a set stands in a label with the name of the family.
    const std::string& label = family.type == "stateset" && name == "name" ? family.name : name;
    labels += fmt::format("{}{}=\"{}\"", labels.empty() ? "" : ",", label, escaped(value));
  }
  out += fmt::format("{}{{{}}} {}\n", sample_name(family), labels, sample.value);
}

void write_openmetrics(const GateReport& report, const std::string& /*version*/, TextStream& out) {
  for (const MetricFamily& family : report.metrics) {
    out += fmt::format("# TYPE {} {}\n", family.name, family.type);
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
