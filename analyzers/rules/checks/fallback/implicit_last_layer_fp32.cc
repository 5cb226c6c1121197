// The last layers of a network with implicit INT8, which TensorRT may keep wide on purpose.
#include "analyzers/graph/neighbours.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"

namespace trtlens::checks::implicit_last_layer_fp32 {

// Then the times decided, not TensorRT's care for the outputs.
static bool was_timed_narrower(const RuleContext& c, std::size_t layer) {
  return c.reasons.narrower_kernel_ms(layer).has_value();
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const ArithmeticCount count = count_arithmetic(c);
  if (count.all < 3 || is_explicitly_quantized(c) ||
      static_cast<double>(count.narrow) <
          c.threshold("min_narrow_share") * static_cast<double>(count.all)) {
    return;
  }
  const std::vector<std::size_t> layers =
      unclaimed(c, layers_where(c, [&](std::size_t i) {
                  return is_arithmetic(c.verdict(i).role) && width_of(c.verdict(i).compute) > 8 &&
                         ends_network(c, i) && !was_timed_narrower(c, i);
                }));
  if (layers.empty()) return;
  Finding finding = c.finding(layers, {{"layers", arithmetic_text(c, layers)},
                                       {"compute", layers.size() == 1 ? "computes" : "compute"}});
  if (finding.severity > Severity::minor) finding.severity = Severity::minor;
  show_layers(c, layers, finding, [&](std::size_t i) { return compute_text(c, i); });
  out.push_back(std::move(finding));
}

extern const Rule rule{"implicit-last-layer-fp32", Pass::placement, check};

}  // namespace trtlens::checks::implicit_last_layer_fp32
