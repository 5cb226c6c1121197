// What is left of fallbacks when the rules with a cause have taken theirs.
#include <algorithm>
#include <map>
#include <utility>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::fp32_fallback {

// The commonest reason, without the parts that differ from layer to layer.
static std::string reason_of(const std::string& why) {
  const std::size_t end = why.find(':');
  return why.substr(0, end);
}

constexpr const char* kForced = "forced to FP32 by --layerPrecisions";
constexpr const char* kConversions = "not worth the conversions";

using Reasons = std::map<std::string, std::size_t>;

static std::string title_of(const RuleContext& c, const std::vector<std::size_t>& layers,
                            bool are_forced) {
  const std::string what = arithmetic_text(c, layers);
  if (are_forced) return "--layerPrecisions forces " + what + " to FP32";
  return what + (layers.size() == 1 ? " runs" : " run") + " in FP32 or TF32" +
         (c.analysis.build.allowed.labels.empty() ? " beside lower precision"
                                                  : "; lower precision was allowed");
}

// Whether every reason is a race that a wider kernel won.
static bool only_races(const Reasons& reasons) {
  return std::ranges::all_of(reasons, [](const auto& reason) {
    return reason.first == "lost the tactic race" || reason.first == kConversions;
  });
}

static void adjust_remedies(const RuleContext& c, const Reasons& reasons, Finding& finding) {
  const Build& build = c.analysis.build;
  if (only_races(reasons)) {
    const bool wins_alone = reasons.count(kConversions) != 0;
    const std::string timed =
        wins_alone ? "kernels of lower precision are not faster with the conversions "
                     "that they need here"
                   : "kernels of lower precision were timed, and were slower";
    finding.gain = Gain{0, 0, timed};
    finding.remedies = {
        "Nothing to do: " + timed + ".",
        "Where the race was close, lock the clocks and share a timing cache, so that noise does "
        "not decide."};
    if (wins_alone) {
      finding.remedies.insert(finding.remedies.begin() + 1,
                              "Or give the neighbours the same lower precision, so that the "
                              "conversions go.");
    }
    return;
  }
  if (reasons.size() == 1 && reasons.count(kForced) != 0) {
    finding.remedies = {
        "Unless accuracy needs them, drop these layers from --layerPrecisions, or ask for fp16 "
        "there."};
    finding.next_check =
        "Build without --layerPrecisions, and compare: `trtlens compare BEFORE AFTER`.";
  } else if (build.options.has("int8") && !build.options.has("fp16") &&
             !build.options.has("best")) {
    finding.remedies.insert(finding.remedies.begin(),
                            "Allow FP16 as well (--fp16 beside --int8): what has no INT8 kernel "
                            "then falls back to FP16.");
  }
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!c.analysis.fallbacks) return;
  std::vector<std::size_t> layers;
  Reasons reasons;
  std::vector<Evidence> evidence;
  for (const Fallback& fallback : *c.analysis.fallbacks) {
    if (c.claimed.count(fallback.layer) != 0) continue;
    layers.push_back(fallback.layer);
    ++reasons[reason_of(fallback.why)];
    evidence.push_back(c.measured(fallback.layer, fallback.why));
  }
  if (layers.empty()) return;
  const Fence fence = fence_of(layers, c.graph, c.analysis);
  std::vector<std::size_t> around = together({fence.before, fence.after});
  const auto is_claimed = [&](std::size_t i) { return c.claimed.count(i) != 0; };
  std::erase_if(around, is_claimed);
  Finding finding = c.finding(together({layers, around}));
  const bool forced = reasons.size() == 1 && reasons.count(kForced) != 0;
  finding.title = title_of(c, layers, forced);
  finding.gain = gain_of(c.analysis, c.graph, c.reasons, {layers, around, {}, 16, !forced});
  if (!finding.gain) finding.gain_unknown = "no layer, race or tensor shows what FP16 would take";
  finding.evidence = std::move(evidence);
  if (!around.empty()) {
    show_sum(c, around, count_text(around.size(), "conversion") + " around them", finding);
  }
  adjust_remedies(c, reasons, finding);
  if (only_races(reasons)) finding.severity = Severity::info;  // there is nothing to win
  out.push_back(std::move(finding));
}

extern const Rule rule{"fp32-fallback", Pass::symptom, check};

}  // namespace trtlens::checks::fp32_fallback
