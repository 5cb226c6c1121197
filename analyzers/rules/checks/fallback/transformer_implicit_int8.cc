// Attention in a network that has calibration and no Q/DQ.
#include <set>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::checks::transformer_implicit_int8 {

static bool is_layout_pointwise_or_norm(LayerRole role) {
  return is_layout_or_pointwise(role) || role == LayerRole::normalisation;
}

// A softmax between two matrix products is attention. Its products, and those that are reached from
// them without other arithmetic in between, belong to the transformer.
static std::set<std::size_t> transformer_products(const RuleContext& c) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::softmax) continue;
    std::vector<std::size_t> around;
    bool before = false, after = false;
    for (const Direction direction : {Direction::backward, Direction::forward}) {
      for (const std::size_t n : walk(c, i, direction, is_layout_or_pointwise).ends) {
        if (c.verdict(n).role != LayerRole::gemm) continue;
        (direction == Direction::backward ? before : after) = true;
        around.push_back(n);
      }
    }
    if (before && after) open.insert(open.end(), around.begin(), around.end());
  }
  std::set<std::size_t> products(open.begin(), open.end());
  while (!open.empty()) {
    const std::size_t product = open.back();
    open.pop_back();
    for (const Direction direction : {Direction::backward, Direction::forward}) {
      for (const std::size_t n : walk(c, product, direction, is_layout_pointwise_or_norm).ends) {
        if (c.verdict(n).role == LayerRole::gemm && products.insert(n).second) open.push_back(n);
      }
    }
  }
  return products;
}

static bool is_of_attention(const std::string& tensor) {
  return tensor.find("attention") != std::string::npos || tensor.find("attn") != std::string::npos;
}

// Not of a changed model: what INT8 wins here is the question.
static std::string check_without_int8(const Build& build) {
  return "Build in FP16 alone, and compare: " +
         rebuild_command(build, "", {"--fp16"}, {"best", "int8", "calib"}) +
         "; `trtlens compare BEFORE AFTER`.";
}

// Without layers the names of the tensors that calibration left out tell of a transformer.
static void check_names(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  if (!build.allowed.labels.empty() && !allows(build.allowed, "INT8")) return;
  constexpr std::size_t kShown = 5;
  std::size_t count = 0;
  Finding finding = c.finding();
  for (const MissingScale& missing : build.missing_scales) {
    if (!is_of_attention(missing.tensor)) continue;
    if (++count <= kShown) finding.evidence.push_back(c.line(missing.pos, missing.tensor));
  }
  if (count < static_cast<std::size_t>(c.threshold("min_count"))) return;
  finding.confidence = Confidence::guessed;
  finding.next_check = check_without_int8(build);
  finding.title = count_text(count, "tensor") + " of attention " + (count == 1 ? "lacks" : "lack") +
                  " an INT8 scale";
  out.push_back(std::move(finding));
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!c.analysis.build.knows_layers()) return check_names(c, out);
  if (!allows_int8(c) || is_explicitly_quantized(c)) return;
  // T4 keeps INT8 matrix products in implicit mode.
  const auto sm = c.analysis.build.gpu ? c.analysis.build.gpu->sm() : std::nullopt;
  if (sm && *sm == 75) return;
  std::vector<std::size_t> wide;
  std::size_t narrow = 0;
  for (const std::size_t i : transformer_products(c)) {
    if (computes_narrow(c, i)) ++narrow;
    if (width_of(c.verdict(i).compute) > 8) wide.push_back(i);
  }
  if (wide.size() < static_cast<std::size_t>(c.threshold("min_count")) || wide.size() <= narrow) {
    return;
  }
  wide = unclaimed(c, wide);
  if (wide.empty()) return;
  Finding finding = c.finding(wide);
  finding.title = count_text(wide.size(), "matrix product") + " of a transformer " +
                  (wide.size() == 1 ? "is" : "are") + " not in INT8";
  finding.next_check = check_without_int8(c.analysis.build);
  finding.gain = gain_of(c.analysis, c.graph, c.reasons, {wide, {}, {}, 8, false});
  show_layers(c, wide, finding, [&](std::size_t i) { return compute_text(c, i); });
  out.push_back(std::move(finding));
}

extern const Rule rule{"transformer-implicit-int8", Pass::cause, check};

}  // namespace trtlens::checks::transformer_implicit_int8
