// Facts on the ladder: the profile now, after each finding is mended, and at the roof.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

const FactsOf<LadderStep> kLadderStepFacts{
    "ladder_step",
    {{"finding", kCount, "its place in findings, from 0",
      [](const Analysis&, const LadderStep& step) { return step.finding; }},
     {"rule", kText, "of the finding",
      [](const Analysis& a, const LadderStep& step) { return a.findings[step.finding].rule; },
      as_label("Finding")},
     {"low_ms", kMs, "least gain that the steps before leave to it", kFrom<&LadderStep::low_ms>},
     {"high_ms", kMs, "greatest gain that the steps before leave to it",
      kFrom<&LadderStep::high_ms>},
     {"query_low_ms", kMs.or_null(),
      "least gain per query of a step that the profile holds nothing of, launches; null for others",
      [](const Analysis&, const LadderStep& step) {
        return step.query ? FactValue(step.query->low_ms) : FactValue();
      }},
     {"query_high_ms", kMs.or_null(), "greatest gain per query of such a step",
      [](const Analysis&, const LadderStep& step) {
        return step.query ? FactValue(step.query->high_ms) : FactValue();
      }},
     {"left_low_ms", kMs, "profile time after it, at best",
      [](const Analysis&, const LadderStep& step) { return step.left.low_ms; }},
     {"left_high_ms", kMs, "profile time after it, at worst",
      [](const Analysis&, const LadderStep& step) { return step.left.high_ms; }}}};

}  // namespace

const FactsOf<Ladder> kLadderFacts{
    "ladder",
    {{"now_ms", kMs, "the profile's sum", kFrom<&Ladder::now_ms>},
     {"steps", kLadderStepFacts,
      "findings with a gain of 0.5 % at least: launch-bound first, then in their order; what two "
      "of them have in common counts for the first",
      kFrom<&Ladder::steps>},
     {"roof_ms", kMs.or_null(),
      "no conversions, arithmetic at the peak of the GPU in roof_precision, everything else as it "
      "is; null without a roofline",
      kFrom<&Ladder::roof_ms>},
     {"roof_precision", kText.or_null(),
      "the narrowest that the build allows, or that a finding advises to allow",
      [](const Analysis&, const Ladder& ladder) {
        return ladder.roof_precision == Precision::unknown ? FactValue()
                                                           : fact_value(ladder.roof_precision);
      }}}};

}  // namespace trtlens
