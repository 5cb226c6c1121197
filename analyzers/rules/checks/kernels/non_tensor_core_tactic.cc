// Kernels whose name says that they multiply off the tensor cores.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::non_tensor_core_tactic {

// Compute capability from which on there are tensor cores for it; 0 when it does not count.
static int first_sm_for(Precision compute) {
  switch (compute) {
    case Precision::fp16:
      return 70;
    case Precision::int8:
      return 72;
    case Precision::bf16:
      return 80;
    case Precision::fp8:
      return 89;
    default:
      return 0;
  }
}

static bool has_units_for(const RuleContext& c, Precision compute) {
  const int first = first_sm_for(compute);
  const int sm = c.analysis.build.gpu ? c.analysis.build.gpu->sm().value_or(first) : first;
  return first > 0 && sm >= first;
}

static bool misses_tensor_cores(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (!is_arithmetic(c.verdict(i).role) || layer.inputs.empty() ||
      !has_units_for(c, c.verdict(i).compute) || layer.groups.value_or(1) != 1) {
    return false;
  }
  const std::int64_t channels = channels_of(layer.inputs[0]);
  const bool few =
      channels > 0 && channels < static_cast<std::int64_t>(c.threshold("min_channels"));
  return !few && avoids_tensor_cores(layer.tactic_name);
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const std::vector<std::size_t> layers =
      unclaimed(c, layers_where(c, [&](std::size_t i) { return misses_tensor_cores(c, i); }));
  if (layers.empty() || !takes_share(c, layers, c.threshold("min_share"))) return;
  Finding finding = c.finding(layers, {{"layers", arithmetic_text(c, layers)},
                                       {"run", layers.size() == 1 ? "runs" : "run"}});
  if (finding.severity > Severity::moderate) finding.severity = Severity::moderate;
  finding.gain_unknown = "whether a kernel on tensor cores fits, only a build tells";
  show_layers(c, layers, finding, [&](std::size_t i) { return c.layer(i).tactic_name.str(); });
  out.push_back(std::move(finding));
}

extern const Rule rule{"non-tensor-core-tactic", Pass::rest, check};

}  // namespace trtlens::checks::non_tensor_core_tactic
