#include <map>

#include "analyzers/graph.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  if (build.profile_sum_ms <= 0) return;
  double total = 0, by_cause = 0, other = 0;
  std::size_t reformats = 0, quantizers = 0;
  std::vector<std::size_t> open;
  for (const ReformatEntry& entry : c.analysis.reformats) {
    const double time = time_or_zero(c.layer(entry.layer));
    if (time == 0) continue;
    total += time;
    ++(c.analysis.verdicts[entry.layer].role == LayerRole::reformat ? reformats : quantizers);
    if (c.claimed_by_cause.count(entry.layer) != 0) {
      by_cause += time;
    } else if (c.claimed.count(entry.layer) != 0) {
      other += time;
    } else {
      open.push_back(entry.layer);
    }
  }
  if (total / build.profile_sum_ms < c.threshold("min_share")) return;
  Finding finding = open.empty() ? c.finding() : c.finding(open);
  if (open.empty()) finding.severity = Severity::info;
  const bool both = reformats > 0 && quantizers > 0;
  finding.title =
      std::string(both ? "Conversions" : (reformats > 0 ? "Reformats" : "Q/DQ kernels")) +
      " take " + ms_text(total) + ", " + share_text(total / build.profile_sum_ms) +
      " of the profile (" +
      (both ? count_text(reformats, "reformat") + " and " + count_text(quantizers, "Q/DQ kernel")
            : count_text(reformats + quantizers, "kernel")) +
      ")";
  if (by_cause > 0 && open.empty() && other == 0) {
    finding.title += "; the causes found account for all of it";
  } else if (by_cause > 0) {
    finding.title += "; the causes found account for " + ms_text(by_cause) +
                     ", not for the other " + ms_text(total - by_cause);
    if (other > 0) finding.title += " (" + ms_text(other) + " of it stands in other findings)";
  } else if (other > 0) {
    finding.title += "; " + ms_text(other) + " of it stands in other findings";
  }
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < open.size() && i < kShown; ++i) {
    Evidence evidence = c.measured(open[i]);
    for (const ReformatEntry& entry : c.analysis.reformats) {
      if (entry.layer == open[i]) evidence.note = cause_of(c.analysis, entry);
    }
    finding.evidence.push_back(std::move(evidence));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_reformat_time_share;
const Rule rule_reformat_time_share{
    {"reformat-time-share",
     "reformat-overhead",
     Severity::moderate,
     Confidence::measured,
     "Conversions of type or layout between layers take a large share of the time.",
     "A reformat moves every byte of a tensor twice and computes nothing. Healthy FP16 engines "
     "spend 1 to 9 % there.",
     {"Give neighbouring layers one type: quantize the float layer between INT8 layers, or take "
      "the "
      "Q/DQ off around it.",
      "At the network's border use the type and layout that the first layer wants: "
      "--inputIOFormats=fp16:chw, int8:chw32, fp16:hwc8.",
      "A plugin that only takes linear FP32 walls itself in with reformats: let it take FP16 or "
      "INT8 as well."},
     "The reformat ledger of this report names the layer that needs each conversion.",
     "Engines below 0.2 ms, where every kernel is bound by its launch.",
     {"https://github.com/NVIDIA/TensorRT/issues/1423"},
     {{"min_share", 0.10, "share", "of profile time in all conversions"}},
     "",
     {}},
    Pass::rest,
    check};

}  // namespace trtlens
