// A profile without records of layers that the layer info has.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::profile_incomplete {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  if (build.layers_without_time == 0) return;
  Finding finding = c.finding({{"layers", count_text(build.layers_without_time, "layer")}});
  Evidence known;
  known.note =
      count_text(build.layers.size() - build.layers_without_time, "layer") + " with a time";
  finding.evidence.push_back(std::move(known));
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{"profile-incomplete", Pass::note, check};

}  // namespace trtlens::checks::profile_incomplete
