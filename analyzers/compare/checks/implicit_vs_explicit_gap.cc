// Holds a build with Q/DQ against one whose INT8 comes from calibration.
#include <algorithm>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::compare_checks::implicit_vs_explicit_gap {

static bool is_float_label(const std::string& precision) {
  return precision == "FP32" || precision == "TF32" || precision == "FP16" || precision == "BF16";
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& with : sides_of(c)) {
    const SideView without{c, !with.is_base};
    if (!has_quantizers(with.analysis()) || has_quantizers(without.analysis()) ||
        !allows(without.analysis().build.allowed, "INT8") ||
        arithmetic_of(without.analysis()).narrow <= 0) {
      continue;
    }
    const auto ratio = with.ratio();
    if (!ratio || !with.is_slower() || *ratio <= 1 + context.threshold("min_slower")) continue;
    double sum = 0;
    std::size_t left = 0;
    Finding finding = context.finding();
    for (const LayerGroup& group : c.groups) {
      sum += std::max(0.0, with.extra_ms(group));
      if (without.precision(group) != "INT8" || !is_float_label(with.precision(group))) continue;
      ++left;
      const std::size_t lead = lead_of(with.analysis(), with.layers(group));
      if (finding.evidence.size() < 8) {
        finding.evidence.push_back(layer_evidence(
            with.analysis().build.layers[lead], std::max(0.0, with.extra_ms(group)),
            "more; INT8 in the other build, " + with.precision(group) + " here: a missing Q/DQ"));
      }
    }
    if (sum > 0) {
      Finding timed = context.finding(sum);
      timed.evidence = std::move(finding.evidence);
      finding = std::move(timed);
    }
    finding.title = "The Q/DQ build is " + ratio_text(*ratio) + " than the implicit INT8 build";
    Evidence kinds;
    kinds.note = left == 0
                     ? "nothing is left in float: placement and reformats make the difference"
                     : count_text(left, "layer") + " in INT8 there, in float in the " + with.name();
    finding.evidence.push_back(std::move(kinds));
    finding.next_check =
        "`trtlens compare IMPLICIT EXPLICIT --top 0`: each layer that is INT8 in the implicit "
        "build "
        "only lacks Q/DQ." +
        lacking_text(without.name(), without.analysis().build) +
        lacking_text(with.name(), with.analysis().build) +
        " Put Q/DQ in front of the costliest of them, build and compare again: " +
        rebuild_command(with.analysis().build, "MORE_QDQ.onnx") + ".";
    out.push_back(std::move(finding));
    return;
  }
}

extern const CompareRule rule{"implicit-vs-explicit-gap", check};

}  // namespace trtlens::compare_checks::implicit_vs_explicit_gap
