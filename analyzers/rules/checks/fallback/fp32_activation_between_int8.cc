// Activations that did not fuse into an INT8 convolution.
#include <algorithm>

#include "analyzers/graph/graph.h"
#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::fp32_activation_between_int8 {
namespace {

bool activates(const Layer& layer) {
  if (layer.inputs.size() == 1) return true;
  return has_word(layer.name.str(), {"igmoid", "elu", "Relu", "Silu", "SiLU", "wish", "Mish",
                                     "Clip", "Tanh", "anh", "Gelu", "Erf"});
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> activations, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::pointwise || is_softmax(c, i) ||
        is_normalisation(c, i) || layer.inputs.empty() || !is_float(layer.inputs[0].type) ||
        !activates(layer) || c.claimed.count(i) != 0) {
      continue;
    }
    const Walk before = walk(c, i, Direction::backward, is_conversion);
    const Walk after = walk(c, i, Direction::forward, is_conversion);
    // What it reads is INT8 arithmetic alone: an Add of a float residual is no activation. Without
    // conversions its kernel quantizes by itself.
    if (before.ends.empty() || before.between.size() + after.between.size() == 0 ||
        !std::ranges::all_of(before.ends, [&](std::size_t n) { return computes_narrow(c, n); }) ||
        !any_computes_narrow(c, after.ends)) {
      continue;
    }
    activations.push_back(i);
    all = together({all, {i}, before.between, after.between});
  }
  if (activations.empty()) return;
  all = unclaimed(c, all);
  const bool one = activations.size() == 1;
  Finding finding =
      c.finding(all, {{"activations", count_text(activations.size(), "activation")},
                      {"run", one ? "runs" : "run"},
                      {"conversions", count_text(all.size() - activations.size(), "conversion")},
                      {"them", one ? "it" : "them"}});
  finding.gain = gain_without(c.analysis, all);
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{"fp32-activation-between-int8", Pass::placement, check};

}  // namespace trtlens::checks::fp32_activation_between_int8
