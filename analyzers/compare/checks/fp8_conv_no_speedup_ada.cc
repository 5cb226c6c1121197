// On Ada only: the convolutions of both sides, in FP8 and in FP16.
#include <cmath>

#include "analyzers/compare/compare_rule.h"

namespace trtlens::compare_checks::fp8_conv_no_speedup_ada {

static bool convolutions_in(const Analysis& side, Precision precision) {
  double all = 0, found = 0;
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    if (side.verdicts[i].role != LayerRole::convolution) continue;
    const double weight = side.build.has_profile ? time_or_zero(side.build.layers[i]) : 1;
    all += weight;
    if (side.verdicts[i].compute == precision) found += weight;
  }
  return all > 0 && found > 0.5 * all;
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& narrow : sides_of(c)) {
    const SideView wide{c, !narrow.is_base};
    const auto& gpu = narrow.analysis().build.gpu;
    if (!gpu || gpu->sm() != 89) continue;
    if (!convolutions_in(narrow.analysis(), Precision::fp8) ||
        !convolutions_in(wide.analysis(), Precision::fp16)) {
      continue;
    }
    const auto ratio = narrow.ratio();
    if (!ratio || *ratio < 1 - context.threshold("min_gain")) continue;
    Finding finding = context.finding({{"slower", narrow.speed_text()}});
    finding.evidence.push_back(narrow.speed());
    out.push_back(std::move(finding));
    return;
  }
}

extern const CompareRule rule{"fp8-conv-no-speedup-ada", check};

}  // namespace trtlens::compare_checks::fp8_conv_no_speedup_ada
