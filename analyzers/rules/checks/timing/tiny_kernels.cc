// Kernels near the floor of a launch, by number and share.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::tiny_kernels {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const double total = c.analysis.build.profile_sum_ms;
  if (total <= 0) return;
  std::vector<std::size_t> tiny;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const double time = time_or_zero(c.layer(i));
    if (time > 0 && time < c.threshold("max_ms")) tiny.push_back(i);
  }
  const double sum = c.time_ms(tiny);
  if (static_cast<double>(tiny.size()) < c.threshold("min_count") ||
      sum / total < c.threshold("min_share")) {
    return;
  }
  Finding finding = c.finding();
  finding.title = count_text(tiny.size(), "kernel") + " below " + ms_text(c.threshold("max_ms")) +
                  " add up to " + ms_text(sum) + ", " + share_text(sum / total) + " of the profile";
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"tiny-kernels",
     "timing-validity",
     Severity::moderate,
     Confidence::inferred,
     "Many kernels are so short that their launch costs as much as their work.",
     "The profiler adds a little to every launch, and no precision makes a launch shorter.",
     {"Time with --useCudaGraph.", "Use a larger batch.",
      "Remove or merge small operations in the model."},
     "trtexec --loadEngine=ENGINE --useCudaGraph: GPU compute time against the profile's sum",
     "No-ops have time 0 and are not counted.",
     {},
     {{"max_ms", 0.005, "ms", "a kernel shorter than this is tiny"},
      {"min_count", 20, "count", "of tiny kernels"},
      {"min_share", 0.20, "share", "of profile time in them"}},
     ""},
    Pass::note,
    check};

}  // namespace trtlens::checks::tiny_kernels
