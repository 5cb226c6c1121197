// Three matrix products that read one tensor in front of attention.
#include <map>
#include <set>
#include <string_view>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::qkv_not_fused {

// A word of the names that models give these projections; 0 for none.
static char part_of(const std::string& name) {
  if (has_word(name, {"query", "q_proj", "to_q", "/wq", "q_lin", "/q/"})) return 'q';
  if (has_word(name, {"/key", "_key", "k_proj", "to_k", "/wk", "k_lin", "/k/"})) return 'k';
  if (has_word(name, {"value", "v_proj", "to_v", "/wv", "v_lin", "/v/"})) return 'v';
  return 0;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::map<std::string_view, std::vector<std::size_t>> by_input;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (c.graph.takes_part(i) && c.verdict(i).role == LayerRole::gemm && !layer.inputs.empty() &&
        part_of(layer.name) != 0) {
      by_input[layer.inputs[0].name.str()].push_back(i);
    }
  }
  std::vector<std::size_t> products;
  std::size_t blocks = 0;
  for (const auto& [tensor, layers] : by_input) {
    std::set<char> parts;
    for (const std::size_t i : layers) parts.insert(part_of(c.layer(i).name));
    if (layers.size() != 3 || parts.size() != 3) continue;
    ++blocks;
    products.insert(products.end(), layers.begin(), layers.end());
  }
  products = unclaimed(c, products);
  if (products.empty() || !takes_share(c, products, c.threshold("min_share"))) return;
  Finding finding = c.finding(products, {{"blocks", count_text(blocks, "attention block")}});
  if (finding.severity > Severity::minor) finding.severity = Severity::minor;
  show_layers(c, products, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"qkv-not-fused", Pass::symptom, check};

}  // namespace trtlens::checks::qkv_not_fused
