// Same model, same options, other tactics: looks for layers whose kernels differ between two builds
// as fast.
#include <cmath>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/verdict/verdict.h"

namespace trtlens::compare_checks::builds_nondeterministic {

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  if (!built_alike(c) || !c.engine.ratio) return;
  const double shift = std::fabs(std::log(*c.engine.ratio));
  if (shift > std::log1p(context.threshold("max_shift"))) return;
  double changed_ms = 0;
  std::size_t count = 0;
  Finding finding = context.finding();
  for (const LayerGroup& group : c.groups) {
    if (!tactic_changed(c, group)) continue;
    ++count;
    changed_ms += std::fabs(group.delta_ms);
    const std::size_t lead = lead_of(c.candidate, group.candidate);
    if (finding.evidence.size() < 5) {
      finding.evidence.push_back(layer_evidence(
          c.candidate.build.layers[lead], group.candidate_ms,
          "another tactic than in the base, where it took " + ms_text(group.base_ms)));
    }
  }
  if (count == 0 || changed_ms < context.threshold("min_share") * c.base.build.profile_sum_ms) {
    return;
  }
  finding.title = "The same build twice: " + count_text(count, "layer") + " got another tactic";
  finding.evidence.push_back({.note = "moved between layers; the engine's time shifts by " +
                                      signed_share_text(*c.engine.ratio - 1),
                              .metric = "time_ms",
                              .value = changed_ms});
  out.push_back(std::move(finding));
}

extern const CompareRule rule{"builds-nondeterministic", check};

}  // namespace trtlens::compare_checks::builds_nondeterministic
