// A calibration that gave nothing: scales are missing and no layer is INT8.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::missing_scale_only_warnings_no_int8_at_all {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  if (build.missing_scales.size() < static_cast<std::size_t>(c.threshold("min_count")) ||
      is_explicitly_quantized(c)) {
    return;
  }
  const ArithmeticCount count = count_arithmetic(c);
  if (count.all == 0 || count.narrow > 0 || count.unknown > 0 || count.has_region) return;
  const std::vector<std::size_t> layers =
      unclaimed(c, layers_where(c, [&](std::size_t i) {
                  const LayerRole role = c.verdict(i).role;
                  const bool conversion = role == LayerRole::reformat &&
                                          !c.layer(i).inputs.empty() && !reads_network_input(c, i);
                  return is_arithmetic(role) || conversion;
                }));
  if (layers.empty()) return;
  Finding finding =
      c.finding(layers, {{"tensors", count_text(build.missing_scales.size(), "tensor")},
                         {"lack", build.missing_scales.size() == 1 ? "lacks" : "lack"}});
  for (const MissingScale& missing : first_of(build.missing_scales, 3)) {
    finding.evidence.push_back(c.line(missing.pos, ""));
  }
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"missing-scale-only-warnings-no-int8-at-all", Pass::cause, check};

}  // namespace trtlens::checks::missing_scale_only_warnings_no_int8_at_all
