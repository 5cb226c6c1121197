// Matrix product, softmax and matrix product, one after another.
#include <algorithm>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::mha_not_fused {

// The products and what stands between them and the softmax; none when it is no attention.
static std::vector<std::size_t> attention_of(const RuleContext& c, std::size_t softmax) {
  std::vector<std::size_t> layers{softmax};
  for (const Direction direction : {Direction::backward, Direction::forward}) {
    const Walk steps = walk(c, softmax, direction, is_layout_or_pointwise);
    bool product = false;
    for (const std::size_t n : steps.ends) {
      if (c.verdict(n).role != LayerRole::gemm) continue;
      product = true;
      layers.push_back(n);
    }
    if (!product) return {};
    layers.insert(layers.end(), steps.between.begin(), steps.between.end());
  }
  return layers;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> all;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::softmax) continue;
    const std::vector<std::size_t> layers = attention_of(c, i);
    const bool explained = std::ranges::any_of(layers, [&](std::size_t n) {
      return c.claimed.count(n) != 0 && c.verdict(n).role == LayerRole::gemm;
    });
    if (layers.empty() || explained) continue;
    ++blocks;
    all.insert(all.end(), layers.begin(), layers.end());
  }
  all = unclaimed(c, all);
  if (all.empty() || !takes_share(c, all, c.threshold("min_share"))) return;
  Finding finding = c.finding(all, {{"blocks", count_text(blocks, "attention block")},
                                    {"run", blocks == 1 ? "runs" : "run"}});
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"mha-not-fused", Pass::symptom, check};

}  // namespace trtlens::checks::mha_not_fused
