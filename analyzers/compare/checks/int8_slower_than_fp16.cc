// Holds the narrower engine against the wider one, whichever is the base.
#include <algorithm>
#include <functional>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::compare_checks::int8_slower_than_fp16 {

// Milliseconds of an engine that quantization is responsible for, by what they are.
struct Cost {
  double quantizers = 0, reformats = 0, float_arithmetic = 0;
  double reformat_base = 0;
};

static Cost cost_of(const Analysis& a) {
  Cost cost;
  for (std::size_t i = 0; i < a.build.layers.size(); ++i) {
    const double ms = time_or_zero(a.build.layers[i]);
    const LayerVerdict& verdict = a.verdicts[i];
    if (verdict.role == LayerRole::quantize || verdict.role == LayerRole::dequantize) {
      cost.quantizers += ms;
    } else if (verdict.role == LayerRole::reformat) {
      cost.reformats += ms;
    } else if (is_arithmetic(verdict.role) &&
               (verdict.compute == Precision::fp32 || verdict.compute == Precision::tf32)) {
      cost.float_arithmetic += ms;
    }
  }
  return cost;
}

// FP16 beside INT8 is the first thing to try where the command did not allow it.
static std::string next_check_of(const SideView& narrow, const SideView& wide) {
  const Build& build = narrow.analysis().build;
  std::string text = std::string("`trtlens analyze ") + (narrow.is_base ? "BASE" : "CANDIDATE") +
                     "` names the layers of the INT8 build." + lacking_text(narrow.name(), build) +
                     lacking_text(wide.name(), wide.analysis().build);
  const bool int8_only = allows(build.allowed, "INT8") && !allows(build.allowed, "FP16");
  if (int8_only && !build.allowed.strongly_typed) {
    return text +
           " Allow FP16 beside INT8, and compare again: " + rebuild_command(build, "", {"--fp16"}) +
           ".";
  }
  return text + " After each change of Q/DQ build and compare again: " +
         rebuild_command(build, "CHANGED.onnx") + ".";
}

// As evidence: what quantization costs, most costly first.
static void show_cost(const Cost& cost, double reformats_in_fp16, Finding& finding) {
  struct Part {
    double extra_ms, ms;
    std::string what;
  };
  std::vector<Part> parts = {
      {cost.quantizers, cost.quantizers, "Q/DQ kernels"},
      {cost.reformats - reformats_in_fp16, cost.reformats,
       "reformats (" + ms_text(reformats_in_fp16) + " in FP16)"},
      {cost.float_arithmetic, cost.float_arithmetic, "arithmetic left in FP32"}};
  std::ranges::sort(parts, std::ranges::greater(), &Part::extra_ms);
  for (const Part& part : parts) {
    if (part.extra_ms <= 0) continue;
    finding.evidence.push_back({.note = part.what, .metric = "time_ms", .value = part.ms});
  }
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  for (const SideView& narrow : sides_of(context.c)) {
    const SideView wide{context.c, !narrow.is_base};
    const ArithmeticShares n = arithmetic_of(narrow.analysis());
    const ArithmeticShares w = arithmetic_of(wide.analysis());
    const bool quantized =
        n.any && (n.narrow >= context.threshold("min_narrow") || has_quantizers(narrow.analysis()));
    if (!quantized || !w.any || w.narrow > 0 || w.half < 0.5 || n.fp8 > 0.5 * n.narrow) continue;
    const auto ratio = narrow.ratio();
    if (!ratio || *ratio <= context.threshold("min_ratio")) continue;
    const Cost cost = cost_of(narrow.analysis());
    const double before = cost_of(wide.analysis()).reformats;
    double extra = 0;
    for (const LayerGroup& group : context.c.groups) {
      extra += std::max(0.0, narrow.extra_ms(group));
    }
    const Values values = {{"slower", narrow.speed_text()}};
    Finding finding = extra > 0 ? context.finding(extra, values) : context.finding(values);
    finding.evidence.push_back(narrow.speed());
    finding.evidence.push_back(
        {.note = "of its arithmetic's time in INT8", .metric = "share", .value = n.narrow});
    show_cost(cost, before, finding);
    const std::size_t figures = finding.evidence.size();
    for (const LayerGroup& group : context.c.groups) {
      if (narrow.extra_ms(group) <= 0 || finding.evidence.size() >= figures + 5) continue;
      const auto& layers = narrow.layers(group);
      if (layers.empty()) continue;
      finding.evidence.push_back(layer_evidence(narrow.analysis().build.layers[layers[0]],
                                                narrow.extra_ms(group),
                                                "more than in FP16, with its group"));
    }
    finding.next_check = next_check_of(narrow, wide);
    out.push_back(std::move(finding));
    return;
  }
}

extern const CompareRule rule{"int8-slower-than-fp16", check};

}  // namespace trtlens::compare_checks::int8_slower_than_fp16
