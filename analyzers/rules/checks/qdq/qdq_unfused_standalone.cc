// Q and DQ that no neighbour took in; what other findings name of them is told apart.
#include <algorithm>

#include "analyzers/graph/neighbours.h"
#include "analyzers/graph/quantizers.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::qdq_unfused_standalone {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> open, quantizers, dequantizers;
  for (const ReformatEntry& entry : c.analysis.reformats) {
    const std::size_t i = entry.layer;
    const LayerRole role = c.verdict(i).role;
    if (role != LayerRole::quantize && role != LayerRole::dequantize) continue;
    const bool is_at_border = entry.removable == false;
    if (is_at_border || !c.graph.takes_part(i)) continue;
    (role == LayerRole::quantize ? quantizers : dequantizers).push_back(i);
    if (c.claimed.count(i) == 0) open.push_back(i);
  }
  if (open.size() < static_cast<std::size_t>(c.threshold("min_count"))) return;
  std::ranges::sort(open);  // the ledger has the slowest first
  Finding finding = c.finding(open, {{"kernels", count_text(open.size(), "unfused Q/DQ kernel")}});
  const auto show = [&](const std::vector<std::size_t>& kernels, const char* what) {
    if (!kernels.empty()) show_sum(c, kernels, count_text(kernels.size(), what), finding);
  };
  show(quantizers, "QuantizeLinear kernel");
  show(dequantizers, "DequantizeLinear kernel");
  if (const std::size_t all = quantizers.size() + dequantizers.size(); open.size() < all) {
    finding.evidence.push_back(
        {.note = std::to_string(all - open.size()) + " of them in other findings"});
  }
  if (const UnfusedReasons reasons = unfused_reasons(c, open); reasons.any()) {
    finding.why += " Here " + text_of(c, reasons) + ".";
    finding.remedies = {remedy_of(reasons)};
  }
  finding.gain = gain_without(c.analysis, open);
  show_first(c, open, 8, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"qdq-unfused-standalone", Pass::symptom, check};

}  // namespace trtlens::checks::qdq_unfused_standalone
