// Q and DQ that no neighbour took in; what other findings name of them is told apart.
#include <algorithm>

#include "analyzers/graph/neighbours.h"
#include "analyzers/graph/quantizers.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::qdq_unfused_standalone {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> open;
  std::size_t quantize = 0, dequantize = 0;
  double quantize_ms = 0, dequantize_ms = 0;
  for (const ReformatEntry& entry : c.analysis.reformats) {
    const std::size_t i = entry.layer;
    const LayerRole role = c.verdict(i).role;
    if (role != LayerRole::quantize && role != LayerRole::dequantize) continue;
    const bool is_at_border = entry.removable == false;
    if (is_at_border || !c.graph.takes_part(i)) continue;
    const double time = time_or_zero(c.layer(i));
    (role == LayerRole::quantize ? quantize : dequantize) += 1;
    (role == LayerRole::quantize ? quantize_ms : dequantize_ms) += time;
    if (c.claimed.count(i) == 0) open.push_back(i);
  }
  if (open.size() < static_cast<std::size_t>(c.threshold("min_count"))) return;
  std::ranges::sort(open);  // the ledger has the slowest first
  const auto part = [](std::size_t n, const char* op, double ms) {
    return n == 0 ? std::string() : std::to_string(n) + " " + op + " (" + ms_text(ms) + ")";
  };
  const std::string q = part(quantize, "QuantizeLinear", quantize_ms);
  const std::string dq = part(dequantize, "DequantizeLinear", dequantize_ms);
  const double open_ms = c.time_ms(open);
  const bool is_told = open.size() < quantize + dequantize;
  Finding finding =
      c.finding(open, {{"kernels", q + (q.empty() || dq.empty() ? "" : " and ") + dq},
                       {"told_time", is_told ? ms_text(quantize_ms + dequantize_ms - open_ms) : ""},
                       {"open", count_text(open.size(), "kernel")},
                       {"open_time", ms_text(open_ms)}});
  if (const UnfusedReasons reasons = unfused_reasons(c, open); reasons.any()) {
    finding.why += " Here " + text_of(c, reasons) + ".";
    finding.remedies[0] = remedy_of(reasons);
  }
  finding.gain = gain_without(c.analysis, open);
  show_first(c, open, 8, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{"qdq-unfused-standalone", Pass::symptom, check};

}  // namespace trtlens::checks::qdq_unfused_standalone
