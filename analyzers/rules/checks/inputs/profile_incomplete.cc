// A profile without records of layers that the layer info has.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::profile_incomplete {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  const std::size_t lacking = build.layers_without_time;
  if (lacking == 0 && !build.profile_cut) return;
  Finding finding = c.finding(
      {{"lacks", lacking == 0 ? "was cut" : "has no time of " + count_text(lacking, "layer")}});
  finding.evidence.push_back(
      {.note = count_text(build.layers.size() - lacking, "layer") + " with a time"});
  out.push_back(std::move(finding));
}

extern const Rule rule{"profile-incomplete", Pass::note, check};

}  // namespace trtlens::checks::profile_incomplete
