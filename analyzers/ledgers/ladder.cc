// From the profile as it is, finding by finding, to the roof: gains that overlap count once.
#include <algorithm>
#include <map>
#include <set>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/precision.h"

namespace trtlens {
namespace {

// The narrowest that the build allows, or that a finding advises to allow.
Precision precision_of_roof(const Analysis& analysis) {
  for (const Finding& finding : analysis.findings) {
    if (finding.rule == "fp32-only-allowed") return Precision::fp16;
    if (finding.rule == "noTF32-fp32-slow") return Precision::tf32;
  }
  return analysis.account ? analysis.account->narrowest : Precision::unknown;
}

// Conversions gone, arithmetic at what no kernel can beat in that precision, everything else as it
// is.
double profile_at_roof(const Analysis& analysis, const Graph& graph, Precision precision) {
  std::map<std::size_t, const LayerRoof*> roofs;
  for (const LayerRoof& roof : analysis.roofline.layers) roofs.emplace(roof.layer, &roof);
  double sum_ms = 0;
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    if (!graph.takes_part(i) || is_conversion(analysis.verdicts[i].role)) continue;
    double ms = time_or_zero(analysis.build.layers[i]);
    if (const auto found = roofs.find(i); found != roofs.end()) {
      ms = std::min(ms, found->second->roof_ms);
      const auto then = roof_in(analysis, *found->second, precision);
      if (then) ms = std::min(ms, then->roof_ms);
    }
    sum_ms += ms;
  }
  return sum_ms;
}

class Climb {
 public:
  Climb(const Analysis& analysis, const Graph& graph, Ladder& ladder)
      : analysis_(analysis), graph_(graph), ladder_(ladder) {
    left_ = {ladder.now_ms, ladder.now_ms};
  }

  void step(std::size_t finding) {
    const Gain& gain = *analysis_.findings[finding].gain;
    LadderStep step;
    step.finding = finding;
    if (gain.high_ms <= 0 && gain.query) {
      step.query = gain.query;
      step.left = left_;
      ladder_.steps.push_back(step);
      return;
    }
    const double open = open_share(analysis_.findings[finding]);
    step.high_ms = std::min(gain.high_ms * open, left_.low_ms - ladder_.roof_ms.value_or(0));
    step.low_ms = std::min(gain.low_ms * open, step.high_ms);
    if (step.high_ms < kLeastStep * ladder_.now_ms) return;
    left_ = {left_.low_ms - step.high_ms, left_.high_ms - step.low_ms};
    step.left = left_;
    ladder_.steps.push_back(step);
  }

 private:
  static constexpr double kLeastStep = 0.005;  // as of minor findings

  // Part of a finding's stake that no step before had; marks it.
  double open_share(const Finding& finding) {
    double all_ms = 0, open_ms = 0;
    for (const std::string& name : finding.layers) {
      const std::size_t i = graph_.find(name);
      if (i == Graph::kNone) continue;
      const double ms = time_or_zero(analysis_.build.layers[i]);
      all_ms += ms;
      if (counted_.insert(i).second) open_ms += ms;
    }
    return all_ms > 0 ? open_ms / all_ms : 1;
  }

  const Analysis& analysis_;
  const Graph& graph_;
  Ladder& ladder_;
  MsRange left_;
  std::set<std::size_t> counted_;
};

}  // namespace

void fill_ladder(Analysis& analysis, const Graph& graph) {
  Ladder ladder;
  ladder.now_ms = analysis.build.profile_sum_ms;
  if (ladder.now_ms <= 0) return;
  ladder.roof_precision = precision_of_roof(analysis);
  if (!analysis.roofline.layers.empty()) {
    ladder.roof_ms = profile_at_roof(analysis, graph, ladder.roof_precision);
  }
  Climb climb(analysis, graph, ladder);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < analysis.findings.size(); ++i) {
    const Finding& finding = analysis.findings[i];
    if (finding.gain && finding.severity > Severity::info) order.push_back(i);
  }
  // As long as the GPU waits for launches, no other step is sure to win anything.
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return says_launch_bound(analysis.findings[i]); });
  for (const std::size_t i : order) climb.step(i);
  if (!ladder.steps.empty()) analysis.ladder = std::move(ladder);
}

}  // namespace trtlens
