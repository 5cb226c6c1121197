// Counts eligible and sparse layers, by the log where it says, else by the layer info.
#include <algorithm>
#include <string>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::sparsity_not_used {

// As many layers as the log says could be sparse, and are.
static bool check_log(const RuleContext& c, std::vector<Finding>& out) {
  const SparseLayers& sparse = c.analysis.build.sparse;
  if (!sparse.eligible || !sparse.chosen) return false;
  const std::uint64_t eligible = *sparse.eligible, chosen = *sparse.chosen;
  if (static_cast<double>(eligible) < c.threshold("min_eligible") ||
      static_cast<double>(chosen) > c.threshold("max_picked") * static_cast<double>(eligible)) {
    return true;
  }
  Finding finding = c.finding();
  finding.title = (chosen == 0 ? "No layer" : "Only " + count_text(chosen, "layer")) +
                  " that could be sparse got a sparse kernel";
  if (chosen < eligible) {
    finding.remedies.insert(finding.remedies.begin(),
                            "The weights are sparse; dense kernels were faster. Sparse ones win "
                            "with larger layers: more channels (256 and more) or a larger batch.");
  }
  finding.evidence.push_back(c.line(sparse.eligible_pos, ""));
  finding.evidence.push_back(c.line(sparse.chosen_pos, ""));
  out.push_back(std::move(finding));
  return true;
}

static bool was_allowed(const Build& build) {
  const std::string option = build.options.value("sparsity").value_or(std::string());
  return option == "enable" || option == "force";
}

// Channels that sparse kernels take: 32 of INT8, 16 of wider types.
static bool could_be_sparse(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (!is_arithmetic(c.verdict(i).role) || layer.inputs.empty() || !layer.sparse_weights ||
      layer.groups.value_or(1) != 1) {
    return false;
  }
  const std::int64_t channels = channels_of(layer.inputs[0]);
  return channels > 0 && channels % (computes_narrow(c, i) ? 32 : 16) == 0;
}

// Without these lines the layer info tells: none of them has 2:4 sparse weights.
static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (check_log(c, out) || !was_allowed(c.analysis.build)) return;
  const std::vector<std::size_t> layers =
      layers_where(c, [&](std::size_t i) { return could_be_sparse(c, i); });
  if (layers.size() < static_cast<std::size_t>(c.threshold("min_eligible")) ||
      std::ranges::any_of(layers, [&](std::size_t i) { return *c.layer(i).sparse_weights; })) {
    return;
  }
  Finding finding = c.finding();
  finding.confidence =
      Confidence::inferred;  // which layers could have been is not in the layer info
  finding.title = "No layer with enough channels has sparse weights";
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"sparsity-not-used", Pass::note, check};

}  // namespace trtlens::checks::sparsity_not_used
