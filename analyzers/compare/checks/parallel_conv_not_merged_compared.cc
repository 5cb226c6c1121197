// Looks for convolutions that are one kernel on one side and several on the quantized side.
#include "analyzers/compare/compare_rule.h"
#include "analyzers/graph/graph.h"

namespace trtlens::compare_checks::parallel_conv_not_merged_compared {

static bool is_merged(const Layer& layer) {
  return layer.name.find(" || ") != std::string::npos;
}

static std::size_t convolutions(const Analysis& side, const std::vector<std::size_t>& layers,
                                bool& merged) {
  std::size_t count = 0;
  for (const std::size_t i : layers) {
    if (!is_arithmetic(side.verdicts[i].role)) continue;
    ++count;
    merged = merged || is_merged(side.build.layers[i]);
  }
  return count;
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& apart : sides_of(c)) {
    const SideView together{c, !apart.is_base};
    if (!has_quantizers(apart.analysis()) || has_quantizers(together.analysis())) continue;
    double sum = 0;
    Finding finding = context.finding();
    for (const LayerGroup& group : c.groups) {
      bool merged_here = false, merged_there = false;
      const std::size_t here = convolutions(apart.analysis(), apart.layers(group), merged_here);
      const std::size_t there =
          convolutions(together.analysis(), together.layers(group), merged_there);
      if (!merged_there || merged_here || here <= there || there == 0) continue;
      for (const std::size_t i : apart.layers(group)) {
        const Layer& layer = apart.analysis().build.layers[i];
        if (!is_arithmetic(apart.analysis().verdicts[i].role)) continue;
        finding.layers.push_back(layer.name);
        sum += time_or_zero(layer);
        finding.evidence.push_back(layer_evidence(layer, time_or_zero(layer), "on its own"));
      }
    }
    if (finding.layers.empty()) continue;
    finding.stake_ms = sum;
    finding.title = count_text(finding.layers.size(), "parallel convolution") +
                    (finding.layers.size() == 1 ? " is" : " are") +
                    " merged only in the build without Q/DQ";
    out.push_back(std::move(finding));
  }
}

extern const CompareRule rule{"parallel-conv-not-merged-compared", check};

}  // namespace trtlens::compare_checks::parallel_conv_not_merged_compared
