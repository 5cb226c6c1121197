// Holds the narrower engine against the wider one, whichever is the base.
#include <algorithm>
#include <functional>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/text.h"

namespace trtlens::compare_checks::int8_slower_than_fp16 {
namespace {

// Milliseconds of an engine that quantization is responsible for, by what they are.
struct Cost {
  double quantizers = 0, reformats = 0, float_arithmetic = 0;
  double reformat_base = 0;
};

Cost cost_of(const Analysis& a) {
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
std::string next_check_of(const SideView& narrow, const SideView& wide) {
  const Build& build = narrow.analysis().build;
  std::string text = std::string("trtlens analyze of the INT8 build (") + narrow.name() +
                     ") names the layers." + lacking_text(narrow.name(), build) +
                     lacking_text(wide.name(), wide.analysis().build);
  const bool int8_only = allows(build.allowed, "INT8") && !allows(build.allowed, "FP16");
  if (int8_only && !build.allowed.strongly_typed) {
    return text + " FP16 was not allowed beside INT8: " + rebuild_command(build, "", {"--fp16"}) +
           ", and compare again.";
  }
  return text + " After each change of Q/DQ: " + rebuild_command(build, "CHANGED.onnx") +
         ", and compare again.";
}

void check(const CompareContext& context, std::vector<Finding>& out) {
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
    std::vector<std::pair<double, std::string>> parts = {
        {cost.quantizers, "Q/DQ kernels " + ms_text(cost.quantizers)},
        {cost.reformats - before,
         "reformats " + ms_text(cost.reformats) + " (" + ms_text(before) + " in FP16)"},
        {cost.float_arithmetic, "arithmetic left in FP32 " + ms_text(cost.float_arithmetic)}};
    std::ranges::sort(parts, std::ranges::greater(), [](const auto& part) { return part.first; });
    double extra = 0;
    for (const LayerGroup& group : context.c.groups) {
      extra += std::max(0.0, narrow.extra_ms(group));
    }
    std::string list;
    for (const auto& [ms, text] : parts) {
      if (ms > 0) list += (list.empty() ? ": " : "; ") + text;
    }
    const Values values = {{"side", narrow.name()},
                           {"slower", narrow.speed_text()},
                           {"share", share_text(n.narrow)},
                           {"parts", list}};
    Finding finding = extra > 0 ? context.finding(extra, values) : context.finding(values);
    for (const LayerGroup& group : context.c.groups) {
      if (narrow.extra_ms(group) <= 0 || finding.evidence.size() >= 5) continue;
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

}  // namespace

extern const CompareRule rule{"int8-slower-than-fp16", check};

}  // namespace trtlens::compare_checks::int8_slower_than_fp16
