// Regions whose inputs and outputs are FP32 in a narrower engine.
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"

namespace trtlens::checks::myelin_region_fp32 {

// Every floating-point tensor at the border is FP32, and there is one on both sides.
static bool is_fp32_region(const Layer& layer) {
  bool reads = false, writes = false;
  for (const auto* side : {&layer.inputs, &layer.outputs}) {
    for (const Tensor& t : *side) {
      if (is_narrow(t.type) || t.type == DataType::fp16 || t.type == DataType::bf16) return false;
      if (t.type == DataType::fp32) (side == &layer.inputs ? reads : writes) = true;
    }
  }
  return reads && writes;
}

static bool any_named(const RuleContext& c, const std::vector<std::size_t>& regions,
                      std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(regions,
                             [&](std::size_t i) { return has_word(c.layer(i).name.str(), words); });
}

// Only what the build lacks and the regions have: their names hold their first and last operators.
static std::vector<std::string> fitting(const RuleContext& c,
                                        const std::vector<std::size_t>& regions,
                                        const std::vector<std::string>& all) {
  const AllowedPrecision& allowed = c.analysis.build.allowed;
  const bool has_fp16 = allows(allowed, "FP16");
  std::vector<std::string> remedies;
  if (has_fp16 && !allowed.strongly_typed) {
    remedies.emplace_back(
        "Ask for FP16 in the layers inside: --layerPrecisions=LAYER:fp16 "
        "--precisionConstraints=prefer.");
  } else if (!has_fp16) {
    remedies.push_back(all.at(0));
  }
  if (any_named(c, regions, {"MatMul", "Gemm"})) remedies.push_back(all.at(1));
  if (any_named(c, regions, {"LayerNorm", "ReduceMean"})) {
    remedies.push_back(all.at(2));
  }
  return remedies.empty() ? all : remedies;
}

// By what a region took when it was timed in FP16, else by half its bytes at best.
static Gain gain_of_fp16(const RuleContext& c, const std::vector<std::size_t>& regions,
                         double in_front_ms) {
  Gain gain{in_front_ms, in_front_ms, ""};
  bool by_kernels = false, by_bytes = false;
  for (const std::size_t i : regions) {
    const double now_ms = time_or_zero(c.layer(i));
    const std::optional<double> narrower_ms = c.reasons.narrower_kernel_ms(i);
    (narrower_ms ? by_kernels : by_bytes) = true;
    gain.high_ms += now_ms - narrower_ms.value_or(now_ms / 2);
  }
  const std::string there = regions.size() == 1 ? "the region" : "the regions";
  gain.basis =
      by_kernels ? "at best the times in FP16 of " + there : "at best half the bytes in " + there;
  if (by_kernels && by_bytes) gain.basis += ", half the bytes where there is none";
  if (in_front_ms > 0) gain.basis += ", and no conversions in front";
  return gain;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (c.analysis.build.profile_sum_ms <= 0) return;
  // A region that was timed in FP16 as well and took longer is right as it is.
  const std::vector<std::size_t> regions =
      unclaimed(c, layers_where(c, [&](std::size_t i) {
                  return c.verdict(i).role == LayerRole::region && is_fp32_region(c.layer(i)) &&
                         c.reasons.narrower_kernel_ms(i).value_or(0) < time_or_zero(c.layer(i));
                }));
  const std::vector<std::size_t> narrower = layers_where(c, [&](std::size_t i) {
    const int width = width_of(c.verdict(i).compute);
    return is_arithmetic(c.verdict(i).role) && width > 0 && width < 32;
  });
  if (narrower.empty() || regions.empty() || !takes_share(c, regions, c.threshold("min_share"))) {
    return;
  }
  // Conversions that only the regions need go with them.
  const Fence fence = fence_of(regions, c.graph, c.analysis);
  const std::vector<std::size_t> all = unclaimed(c, together({regions, fence.before}));
  Finding finding = c.finding(all, {{"regions", count_text(regions.size(), "region")}});
  finding.remedies = fitting(c, regions, finding.remedies);
  finding.gain = gain_of_fp16(c, regions, c.time_ms(all) - c.time_ms(regions));
  show_sum(c, narrower, count_text(narrower.size(), "narrower layer"), finding);
  if (!fence.before.empty()) show_sum(c, fence.before, "the conversions in front", finding);
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"myelin-region-fp32", Pass::symptom, check};

}  // namespace trtlens::checks::myelin_region_fp32
