// Asks the newer TensorRT against the older one, whichever is the base.
#include "analyzers/compare/compare_rule.h"

namespace trtlens::compare_checks::version_regression {

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  if (!c.base.build.tensorrt || !c.candidate.build.tensorrt) return;
  const int base = c.base.build.tensorrt->number();
  const int candidate = c.candidate.build.tensorrt->number();
  if (base == candidate || !built_alike(c, {"TensorRT"})) return;
  const SideView newer{c, base > candidate};
  const SideView older{c, base < candidate};
  const auto ratio = newer.ratio();
  if (!ratio || *ratio <= 1 + context.threshold("min_slower") || !newer.is_slower()) return;
  double sum = 0;
  Finding finding = context.finding({{"slower", ratio_text(*ratio)}});
  finding.evidence.push_back({.note = "TensorRT " + newer.analysis().build.tensorrt->text() +
                                      " against " + older.analysis().build.tensorrt->text()});
  for (const LayerGroup& group : c.groups) {
    const double extra = newer.extra_ms(group);
    const auto& layers = newer.layers(group);
    if (extra <= 0 || layers.empty()) continue;
    sum += extra;
    if (finding.evidence.size() < 6) {
      finding.evidence.push_back(layer_evidence(newer.analysis().build.layers[layers[0]], extra,
                                                "more than before, with its group"));
    }
  }
  if (sum > 0) finding.stake_ms = sum;
  out.push_back(std::move(finding));
}

extern const CompareRule rule{"version-regression", check};

}  // namespace trtlens::compare_checks::version_regression
