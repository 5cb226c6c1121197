// Asks the strongly typed build against the weakly typed one.
#include "analyzers/compare/compare_rule.h"
#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::compare_checks::weak_vs_strong_regression {

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& strong : sides_of(c)) {
    const SideView weak{c, !strong.is_base};
    const Build& other = weak.analysis().build;
    // A build without options is not known to be weakly typed.
    if (!strong.analysis().build.allowed.strongly_typed || other.allowed.strongly_typed ||
        other.allowed.labels.size() < 2) {
      continue;
    }
    const auto ratio = strong.ratio();
    if (!ratio || !strong.is_slower() || *ratio <= 1 + context.threshold("min_slower")) continue;
    const ArithmeticShares s = arithmetic_of(strong.analysis());
    const ArithmeticShares w = arithmetic_of(weak.analysis());
    if (s.any && w.any && s.full <= w.full) continue;  // not for the types' sake
    double sum = 0;
    Finding finding = context.finding({{"slower", ratio_text(*ratio)}});
    if (s.any) {
      finding.evidence.push_back({.note = std::string("of the arithmetic's time in FP32 in the ") +
                                          strong.name() + ", against " + share_text(w.full) +
                                          " on the other side",
                                  .metric = "share",
                                  .value = s.full});
    }
    for (std::size_t i = 0; i < strong.analysis().build.layers.size(); ++i) {
      const LayerVerdict& verdict = strong.analysis().verdicts[i];
      if (!is_arithmetic(verdict.role) ||
          (verdict.compute != Precision::fp32 && verdict.compute != Precision::tf32)) {
        continue;
      }
      const Layer& layer = strong.analysis().build.layers[i];
      sum += time_or_zero(layer);
      if (finding.evidence.size() < 6) {
        finding.evidence.push_back(layer_evidence(layer, time_or_zero(layer), "in FP32 here"));
      }
    }
    if (sum > 0) finding.stake_ms = sum;
    finding.next_check =
        "`trtlens compare WEAK STRONG --top 0` shows the precision of the largest groups." +
        lacking_text(weak.name(), other) + lacking_text(strong.name(), strong.analysis().build) +
        " Leave fewer nodes in FP32 in the model, build and compare again: " +
        rebuild_command(strong.analysis().build, "FEWER_FP32.onnx") + ".";
    out.push_back(std::move(finding));
    return;
  }
}

extern const CompareRule rule{"weak-vs-strong-regression", check};

}  // namespace trtlens::compare_checks::weak_vs_strong_regression
