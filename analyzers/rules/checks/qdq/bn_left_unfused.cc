// Scales and batch normalisations behind a convolution that did not fold into it.
#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::bn_left_unfused {

static bool is_batch_norm(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (c.verdict(i).role != LayerRole::pointwise || has_word(layer.name.str(), {"Conv", "conv"})) {
    return false;
  }
  return layer.layer_type == "Scale" || layer.parameter_type == "Scale" ||
         has_word(layer.name.str(), {"BatchNorm", "batchnorm", "batch_norm"});
}

// A convolution that could take in what stands behind it.
static bool could_fuse(const RuleContext& c, std::size_t i) {
  const LayerRole role = c.verdict(i).role;
  const Layer& layer = c.layer(i);
  if (role != LayerRole::convolution && role != LayerRole::deconvolution) return false;
  // Of a narrow deconvolution: convtranspose-bn-unfused-int8-float.
  if (role == LayerRole::deconvolution && computes_narrow(c, i)) return false;
  if (!layer.activation.empty() && layer.activation != "NONE") return false;
  return c.graph.after(i).size() == 1 && !has_word(layer.name.str(), {"elu", "PWN("});
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> scales, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i) || !is_batch_norm(c, i)) continue;
    const Walk back = walk(c, i, Direction::backward, is_conversion);
    if (back.ends.size() != 1 || !could_fuse(c, back.ends[0])) continue;
    scales.push_back(i);
    all = together({all, {i}, back.between});
  }
  scales = unclaimed(c, scales);
  all = unclaimed(c, all);
  if (scales.empty()) return;
  Finding finding = c.finding(all, {{"scales", count_text(scales.size(), "batch normalisation")}});
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"bn-left-unfused", Pass::placement, check};

}  // namespace trtlens::checks::bn_left_unfused
