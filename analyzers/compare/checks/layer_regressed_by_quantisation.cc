// Groups of layers that became slower with INT8, their conversions included.
#include <algorithm>
#include <functional>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/verdict/verdict.h"

namespace trtlens::compare_checks::layer_regressed_by_quantisation {

static bool is_half(const std::string& precision) {
  return precision == "FP16" || precision == "BF16";
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
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
    std::ranges::sort(slower, std::ranges::greater(),
                      [&](const LayerGroup* a) { return narrow.extra_ms(*a); });
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
    finding.title = count_text(slower.size(), "layer") + (slower.size() == 1 ? " is" : " are") +
                    " slower in INT8 than in FP16";
    out.push_back(std::move(finding));
  }
}

extern const CompareRule rule{"layer-regressed-by-quantisation", check};

}  // namespace trtlens::compare_checks::layer_regressed_by_quantisation
