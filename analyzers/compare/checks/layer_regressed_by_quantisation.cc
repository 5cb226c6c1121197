// Groups of layers that became slower with INT8, their conversions included.
#include <algorithm>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/verdict/reasons.h"
#include "analyzers/text.h"

namespace trtlens::compare_checks::layer_regressed_by_quantisation {
namespace {

bool is_half(const std::string& precision) {
  return precision == "FP16" || precision == "BF16";
}

void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& narrow : sides_of(c)) {
    const SideView wide{c, !narrow.is_base};
    const double total = wide.analysis().build.profile_sum_ms;
    if (total <= 0) continue;
    double sum = 0;
    std::vector<const LayerGroup*> slower;
    for (const LayerGroup& group : c.groups) {
      const double before = narrow.is_base ? group.candidate_ms : group.base_ms;
      const double extra = narrow.extra_ms(group);
      if (!narrow.is_slower(group) || narrow.precision(group) != "INT8" ||
          !is_half(wide.precision(group)) || before <= 0 ||
          extra <= context.threshold("min_slower") * before ||
          extra <= context.threshold("min_share") * total) {
        continue;
      }
      slower.push_back(&group);
      sum += extra;
    }
    if (slower.empty()) continue;
    std::sort(slower.begin(), slower.end(), [&](const LayerGroup* a, const LayerGroup* b) {
      return narrow.extra_ms(*a) > narrow.extra_ms(*b);
    });
    Finding finding = context.finding(sum);
    for (const LayerGroup* group : slower) {
      const auto& layers = narrow.layers(*group);
      const std::size_t lead = lead_of(narrow.analysis(), layers);
      const Layer& layer = narrow.analysis().build.layers[lead];  // INT8: there is arithmetic
      finding.layers.push_back(layer.name);
      if (finding.evidence.size() < 8) {
        finding.evidence.push_back(layer_evidence(
            layer, narrow.is_base ? group->base_ms : group->candidate_ms,
            "with its conversions, against " +
                ms_text(narrow.is_base ? group->candidate_ms : group->base_ms) + " in FP16"));
      }
    }
    // Fewer than the table's rows: these matter to the whole.
    finding.title = count_text(slower.size(), "layer") + " in INT8 " +
                    (slower.size() == 1 ? "is" : "are") + " slower than in FP16 by over " +
                    share_text(context.threshold("min_slower")) + " and by over " +
                    share_text(context.threshold("min_share")) +
                    " of the profile, conversions around them included: +" + ms_text(sum) +
                    ", most in " + name_text(finding.layers[0]);
    out.push_back(std::move(finding));
  }
}

}  // namespace

extern const CompareRule rule{
    {"layer-regressed-by-quantisation",
     "tactic",
     Severity::moderate,
     Confidence::measured,
     "Layers that are slower in INT8 than in FP16 with the conversions around them.",
     "Where a region gains less in INT8 than its conversions cost, it had better stay in FP16, or "
     "its neighbours be quantized, too.",
     {"Leave out of quantization what is slower (ModelOpt: --nodes_to_exclude), with --fp16 "
      "allowed.",
      "Or quantize what stands between them, so that the conversions go."},
     "Export the model without the Q/DQ of these layers, build it (trtexec --onnx=LESS_QDQ.onnx "
     "--int8 --fp16) and compare again.",
     "Nodes moved between fused layers: a group holds both sides' layers of its nodes.",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.0/tools/experimental/"
      "trt-engine-explorer/trex/lint.py"},
     {{"min_slower", 0.10, "share", "of the layer's time in FP16"},
      {"min_share", 0.01, "share", "of the FP16 build's profile time"}},
     "",
     "b_r18_q_conv, b_mob_q_dwnow_i8, b_r18_q_res (minor) and engine 3 against FP16"},
    check};

}  // namespace trtlens::compare_checks::layer_regressed_by_quantisation
