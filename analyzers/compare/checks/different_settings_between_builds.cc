// Names the settings, clocks and load by which the timing of the two sides differs.
#include <algorithm>

#include "analyzers/compare/compare_rule.h"

namespace trtlens::compare_checks::different_settings_between_builds {

// Differences that change how the same engine is timed. Precision flags and versions are what
// people compare; they are listed and no fault.
static bool unfair(const Difference& d) {
  if (d.base && d.base == d.candidate) return false;  // a caution about both
  if (!d.matters || !d.base || !d.candidate) {
    // An option that one side does not have is known to be absent.
    if (!(d.matters && d.what == "option")) return false;
  }
  if (d.what == "option") return is_timing_option(d.name.substr(2));
  return d.what == "clock" || d.what == "default" || d.what == "gpu" || d.what == "timing";
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  std::vector<const Difference*> found;
  for (const Difference& d : context.c.differences) {
    if (unfair(d)) found.push_back(&d);
  }
  if (found.empty()) return;
  Finding finding = context.finding();
  finding.title = "The two runs were not timed alike";
  for (const Difference* d : found) {
    finding.evidence.push_back({.note = d->name + ": " + d->base.value_or("not given") +
                                        " against " + d->candidate.value_or("not given")});
  }
  // Where all options are the same the GPU was not.
  const bool is_of_gpu = std::ranges::all_of(
      found, [](const Difference* d) { return d->what == "clock" || d->what == "timing"; });
  if (is_of_gpu)
    std::rotate(finding.remedies.begin(), finding.remedies.begin() + 1, finding.remedies.end());
  out.push_back(std::move(finding));
}

extern const CompareRule rule{"different-settings-between-builds", check};

}  // namespace trtlens::compare_checks::different_settings_between_builds
