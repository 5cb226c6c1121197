// Branches of a concatenation with a quantizing kernel each.
#include <string_view>
#include <unordered_set>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::concat_scale_mismatch {

// A Q, or a kernel that turns one INT8 scale into another.
static bool rescales(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (c.verdict(i).role == LayerRole::quantize) return true;
  return layer.origin == "QDQ" && !layer.inputs.empty() && !layer.outputs.empty() &&
         is_narrow(layer.inputs[0].type) && is_narrow(layer.outputs[0].type);
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::size_t> kernels;
  for (const Layer& layer : c.analysis.build.layers) {
    for (const Tensor& t : layer.outputs) {
      if (!is_narrow(t.type)) continue;
      const Places writers = c.graph.writers(t.name.str());
      // A concatenation is a tensor that several layers write, each its part.
      if (writers.size() < 2 || !seen.insert(t.name.str()).second) continue;
      std::vector<std::size_t> own;
      for (const std::size_t w : writers) {
        if (c.graph.takes_part(w) && rescales(c, w)) own.push_back(w);
      }
      if (own.size() < static_cast<std::size_t>(c.threshold("min_count"))) continue;
      kernels.insert(kernels.end(), own.begin(), own.end());
    }
  }
  kernels = unclaimed(c, kernels);
  if (kernels.empty()) return;
  Finding finding = c.finding(kernels, {{"inputs", count_text(kernels.size(), "input")},
                                        {"have", kernels.size() == 1 ? "has" : "have"}});
  show_layers(c, kernels, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"concat-scale-mismatch", Pass::placement, check};

}  // namespace trtlens::checks::concat_scale_mismatch
