// Q and DQ that no neighbour took in; what other findings name of them is told apart.
#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::qdq_unfused_standalone {
namespace {

bool at_border(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  return (!layer.inputs.empty() && c.graph.is_at_input(layer.inputs[0].name)) ||
         (!layer.outputs.empty() && c.graph.is_at_output(layer.outputs[0].name));
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> open;
  std::size_t quantize = 0, dequantize = 0;
  double quantize_ms = 0, dequantize_ms = 0;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const LayerRole role = c.verdict(i).role;
    if (role != LayerRole::quantize && role != LayerRole::dequantize) continue;
    if (at_border(c, i) || !c.graph.takes_part(i)) continue;
    const double time = time_or_zero(c.layer(i));
    (role == LayerRole::quantize ? quantize : dequantize) += 1;
    (role == LayerRole::quantize ? quantize_ms : dequantize_ms) += time;
    if (c.claimed.count(i) == 0) open.push_back(i);
  }
  if (open.size() < static_cast<std::size_t>(c.threshold("min_count"))) return;
  const auto part = [](std::size_t n, const char* op, double ms) {
    return n == 0 ? std::string() : std::to_string(n) + " " + op + " (" + ms_text(ms) + ")";
  };
  const std::string q = part(quantize, "QuantizeLinear", quantize_ms);
  const std::string dq = part(dequantize, "DequantizeLinear", dequantize_ms);
  const double open_ms = c.time_ms(open);
  const double told_ms = quantize_ms + dequantize_ms - open_ms;
  Finding finding = c.finding(open, {{"kernels", q + (q.empty() || dq.empty() ? "" : " and ") + dq},
                                     {"told_time", told_ms > 0 ? ms_text(told_ms) : ""},
                                     {"open", count_text(open.size(), "kernel")},
                                     {"open_time", ms_text(open_ms)}});
  finding.gain = gain_without(c.analysis, open);
  show_first(c, open, 8, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{"qdq-unfused-standalone", Pass::symptom, check};

}  // namespace trtlens::checks::qdq_unfused_standalone
