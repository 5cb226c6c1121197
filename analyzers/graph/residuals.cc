// Follows the wide tensor of an Add upstream to the convolution that had to write float.
#include "analyzers/graph/residuals.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "analyzers/graph/graph.h"
#include "analyzers/graph/neighbours.h"

namespace trtlens {
namespace {

// A Q kernel; a network with Q/DQ may have it as a reformat from float to INT8, too.
bool quantizes(const RuleContext& c, std::size_t i, bool is_explicit) {
  if (c.verdict(i).role == LayerRole::quantize) return true;
  const Layer& layer = c.layer(i);
  return is_explicit && c.verdict(i).role == LayerRole::reformat && !layer.inputs.empty() &&
         !layer.outputs.empty() && is_float(layer.inputs[0].type) &&
         is_narrow(layer.outputs[0].type);
}

// The Qs behind a float tensor and the reformats in front of them: all are there for it. Each layer
// is looked at once, however many ways lead to it. False: there are none.
bool walk_to_quantizers(const RuleContext& c, const std::string& tensor, std::size_t add,
                        bool is_explicit, Residuals& found) {
  constexpr int kMostReformats = 8;  // one behind the other
  std::set<std::size_t> reformats;
  std::vector<std::size_t> behind;  // what leads to a Q, Qs first
  const Places readers = c.graph.readers(tensor);
  std::vector<std::size_t> step(readers.begin(), readers.end());
  for (int depth = 0; depth <= kMostReformats && !step.empty(); ++depth) {
    std::vector<std::size_t> next;
    for (const std::size_t layer : step) {
      if (c.claimed.count(layer) != 0 || !c.graph.takes_part(layer)) continue;
      if (quantizes(c, layer, is_explicit)) {
        behind.push_back(layer);
        continue;
      }
      if (c.verdict(layer).role != LayerRole::reformat || depth == kMostReformats) continue;
      if (!reformats.insert(layer).second) continue;
      const Places after = c.graph.after(layer);
      next.insert(next.end(), after.begin(), after.end());
    }
    step = std::move(next);
  }
  found.quantizers.insert(behind.begin(), behind.end());
  for (std::size_t i = 0; i < behind.size(); ++i) {
    found.because_of.emplace(behind[i], add);
    for (const std::size_t layer : c.graph.before(behind[i])) {
      if (reformats.erase(layer) == 0) continue;
      found.reformats.insert(layer);
      behind.push_back(layer);
    }
  }
  return !behind.empty();
}

// What was found, and the tensors that were looked at: a second look at one finds the same.
struct Search {
  bool is_explicit = false;  // the network brings its own scales
  Residuals found;
  std::unordered_map<std::string_view, bool> has_quantizers;
  std::unordered_set<std::string_view> residuals;
};

bool add_quantizers(const RuleContext& c, const std::string& tensor, std::size_t add,
                    Search& search) {
  const auto [slot, is_new] = search.has_quantizers.try_emplace(tensor, false);
  if (is_new) slot->second = walk_to_quantizers(c, tensor, add, search.is_explicit, search.found);
  return slot->second;
}

// A reformat between the narrow convolution that had to write float and the residual tensor.
void add_reformat_behind(const RuleContext& c, const std::string& tensor, std::size_t add,
                         Residuals& found) {
  for (const std::size_t i : c.graph.writers(tensor)) {
    if (c.verdict(i).role != LayerRole::reformat || c.claimed.count(i) != 0) continue;
    const Places before = c.graph.before(i);
    const bool behind =
        std::ranges::any_of(before, [&](std::size_t p) { return computes_narrow(c, p); });
    if (!behind) continue;
    found.reformats.insert(i);
    found.because_of.emplace(i, add);
  }
}

// Upstream of a residual tensor through pooling, activations and conversions up to the narrow
// convolution that had to write float: with INT8 on the residual these would be one kernel. One
// that stands farther off than 64 layers explains nothing.
void add_island(const RuleContext& c, const std::string& tensor, Residuals& found) {
  constexpr std::size_t kMostLayers = 64;
  std::vector<std::size_t> chain;
  const Places writers = c.graph.writers(tensor);
  std::vector<std::size_t> stack(writers.begin(), writers.end());
  std::set<std::size_t> seen;
  bool pools = false;
  while (!stack.empty()) {
    const std::size_t i = stack.back();
    stack.pop_back();
    if (!seen.insert(i).second) continue;
    if (seen.size() > kMostLayers) return;
    const LayerRole role = c.verdict(i).role;
    if (computes_narrow(c, i)) {
      if (!residual_inputs(c, i).empty() || !pools) return;  // a block of its own
      chain.push_back(i);
      for (const std::size_t p : c.graph.before(i)) {
        if (!is_conversion(c.verdict(p).role)) continue;
        chain.push_back(p);
        for (const std::size_t q : c.graph.before(p)) {
          if (is_conversion(c.verdict(q).role)) chain.push_back(q);
        }
      }
      found.islands.insert(chain.begin(), chain.end());
      return;
    }
    if (role != LayerRole::pooling && role != LayerRole::pointwise && !is_conversion(role)) return;
    pools = pools || role == LayerRole::pooling;
    chain.push_back(i);
    for (const std::size_t p : c.graph.before(i)) stack.push_back(p);
  }
}

// The DQ kernels of an input that comes, through them, from a convolution that could take the Add
// in; none when it comes from anything else.
std::vector<std::size_t> dequantizers_of(const RuleContext& c, const std::string& tensor) {
  std::vector<std::size_t> found;
  for (const std::size_t i : c.graph.writers(tensor)) {
    if (c.verdict(i).role != LayerRole::dequantize) continue;
    for (const std::size_t p : c.graph.before(i)) {
      if (could_take_add(c, p)) found.push_back(i);
    }
  }
  return found;
}

bool is_dequantized(const RuleContext& c, const std::string& tensor) {
  const Places writers = c.graph.writers(tensor);
  return std::ranges::any_of(
      writers, [&](std::size_t i) { return c.verdict(i).role == LayerRole::dequantize; });
}

void add_lone(const RuleContext& c, std::size_t i, Search& search) {
  Residuals& found = search.found;
  const Layer& layer = c.layer(i);
  if (!is_lone_add(c, i) || c.claimed.count(i) != 0 || layer.inputs.size() != 2) return;
  for (const std::size_t side : {0U, 1U}) {
    const Tensor& residual = layer.inputs[1 - side];
    const std::vector<std::size_t> dequantizers = dequantizers_of(c, layer.inputs[side].name.str());
    if (dequantizers.empty() || !is_float(residual.type) ||
        is_dequantized(c, residual.name.str()) || !add_quantizers(c, residual.name, i, search)) {
      continue;
    }
    found.lone.push_back({i, dequantizers, residual.name.str()});
    for (const std::size_t d : dequantizers) found.because_of.emplace(d, i);
    add_reformat_behind(c, residual.name, i, found);
    for (const Tensor& out : layer.outputs) add_quantizers(c, out.name, i, search);
    return;
  }
}

}  // namespace

std::vector<const Tensor*> residual_inputs(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  std::vector<const Tensor*> residuals;
  if (!c.graph.takes_part(i) || !computes_narrow(c, i) || layer.inputs.size() < 2 ||
      layer.outputs.empty() || !is_narrow(layer.inputs[0].type) ||
      !is_float(layer.outputs[0].type)) {
    return residuals;
  }
  for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
    if (is_float(layer.inputs[k].type)) residuals.push_back(&layer.inputs[k]);
  }
  return residuals;
}

Residuals residuals_of(const RuleContext& c) {
  Search search;
  search.is_explicit = is_explicitly_quantized(c);
  Residuals& found = search.found;
  const std::size_t layers = c.analysis.build.layers.size();
  for (std::size_t i = 0; i < layers; ++i) {
    if (residual_inputs(c, i).empty()) continue;
    found.adds.push_back(i);
    for (const Tensor& t : c.layer(i).outputs) add_quantizers(c, t.name, i, search);
  }
  for (std::size_t i = 0; i < layers; ++i) add_lone(c, i, search);
  for (const std::size_t i : found.adds) {
    for (const Tensor* t : residual_inputs(c, i)) {
      if (!search.residuals.insert(t->name.str()).second) continue;
      if (add_quantizers(c, t->name, i, search)) add_reformat_behind(c, t->name, i, found);
      add_island(c, t->name, found);
    }
  }
  return found;
}

std::map<std::size_t, std::size_t> residual_conversions(const Analysis& analysis,
                                                        const Graph& graph,
                                                        const WidthReasons& reasons) {
  static const RuleInfo no_rule;
  static const std::set<std::size_t> nothing;
  return residuals_of({analysis, graph, reasons, no_rule, nothing, nothing}).because_of;
}

}  // namespace trtlens
