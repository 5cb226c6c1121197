// Layout work that stands between a DQ and its weighted layer.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "analyzers/graph/neighbours.h"
#include "analyzers/precision/precision.h"

namespace trtlens::checks::qdq_before_transpose {

static bool is_layout(LayerRole role) {
  return role == LayerRole::shuffle || role == LayerRole::reformat;
}

static bool computes_wide(const RuleContext& c, std::size_t i) {
  return c.graph.takes_part(i) && is_arithmetic(c.verdict(i).role) &&
         width_of(c.verdict(i).compute) > 8;
}

struct Found {
  std::vector<std::size_t> products, all;
};

// Kernels: DequantizeLinear, layout work, arithmetic that computes wide.
static void add_activations(const RuleContext& c, Found& found) {
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!computes_wide(c, i)) continue;
    const Walk back = walk(c, i, Direction::backward, is_layout);
    // A DQ directly in front of it is another fault: conv-fp32-weight-qdq-missing.
    if (!any_of_role(c, back.between, LayerRole::shuffle) ||
        any_of_role(c, c.graph.before(i), LayerRole::dequantize)) {
      continue;
    }
    std::vector<std::size_t> dequantize;
    for (const std::size_t n : back.ends) {
      if (c.verdict(n).role == LayerRole::dequantize) dequantize.push_back(n);
    }
    if (dequantize.empty()) continue;
    found.products.push_back(i);
    found.all = together({found.all, {i}, back.between, dequantize});
  }
}

using Producers = std::unordered_map<std::string_view, const OnnxNode*>;

static const OnnxNode* producer_of(const Producers& producers, const OnnxNode* node,
                                   std::size_t input) {
  if (node == nullptr || node->inputs.size() <= input) return nullptr;
  const auto found = producers.find(node->inputs[input].name.str());
  return found == producers.end() ? nullptr : found->second;
}

// Weight, QuantizeLinear, DequantizeLinear, layout work: the second input of this node.
static bool moves_quantized_weight(const Producers& producers, const OnnxNode& node) {
  const OnnxNode* layout = producer_of(producers, &node, 1);
  if (layout == nullptr ||
      (layout->op != "Transpose" && layout->op != "Reshape" && layout->op != "Cast")) {
    return false;
  }
  const OnnxNode* dequantize = producer_of(producers, layout, 0);
  const OnnxNode* quantize = producer_of(producers, dequantize, 0);
  return dequantize != nullptr && dequantize->op == "DequantizeLinear" && quantize != nullptr &&
         quantize->op == "QuantizeLinear" && producer_of(producers, quantize, 0) == nullptr;
}

// Nodes of the model whose weights are transposed behind their Q/DQ, by the log of the parser.
static void add_weights(const RuleContext& c, Found& found) {
  Producers producers;
  for (const OnnxNode& node : c.analysis.build.onnx_nodes) {
    for (const Tensor& t : node.outputs) producers.emplace(t.name.str(), &node);
  }
  std::unordered_set<std::string_view> nodes;
  for (const OnnxNode& node : c.analysis.build.onnx_nodes) {
    const bool weighted = node.op == "MatMul" || node.op == "Gemm" || node.op == "Conv";
    if (weighted && moves_quantized_weight(producers, node)) nodes.insert(node.name);
  }
  if (nodes.empty()) return;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const std::vector<SharedText>& own = c.layer(i).onnx_nodes;
    const bool named = std::ranges::any_of(
        own, [&](const SharedText& node) { return nodes.count(node.str()) != 0; });
    if (!named || !computes_wide(c, i)) continue;
    found.products.push_back(i);
    found.all.push_back(i);
  }
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  Found found;
  add_activations(c, found);
  add_weights(c, found);
  const std::vector<std::size_t> products = unclaimed(c, found.products);
  const std::vector<std::size_t> all = unclaimed(c, found.all);
  if (products.empty()) return;
  Finding finding = c.finding(all, {{"layers", arithmetic_text(c, products)}});
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"qdq-before-transpose", Pass::placement, check};

}  // namespace trtlens::checks::qdq_before_transpose
