// Layer info that holds names and nothing else.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::layer_names_only {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!c.analysis.build.layer_names_only || c.analysis.build.layers.empty()) return;
  out.push_back(c.finding());
}

extern const Rule rule{"layer-names-only", Pass::note, check};

}  // namespace trtlens::checks::layer_names_only
